"""The canonical run: ranked lists as integers over a vocabulary of image ids."""

import hashlib
import tokenize
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

PARTS = ("query_text", "query_ends", "image_text", "image_ends", "offsets", "items")
_UNREADABLE = (
    ValueError,
    KeyError,
    OSError,
    EOFError,
    MemoryError,
    NotImplementedError,
    tokenize.TokenError,
    SyntaxError,
    TypeError,
    zipfile.BadZipFile,
    zlib.error,
    pa.ArrowException,
)
"""What NumPy, zipfile and Arrow raise on bytes that are something else."""


class RunFileError(ValueError):
    """A file that is not a canonical run."""


@dataclass(frozen=True)
class Run:
    """One ranked list per query.

    Attributes:
        query_ids: (Q,) unique ids.
        image_ids: (V,) vocabulary: every image id that some list holds, each once; perhaps others too, such as the
            whole gallery.
        offsets: (Q + 1,) int64. ``items[offsets[q]:offsets[q + 1]]`` is the list of query q.
        items: (N,) int32 positions in ``image_ids``, best first.
    """

    query_ids: tuple[str, ...]
    image_ids: pa.Array
    offsets: NDArray[np.int64]
    items: NDArray[np.int32]

    @property
    def n_queries(self) -> int:
        """Number of lists."""
        return len(self.query_ids)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """(Q,) number of images in each list."""
        return np.diff(self.offsets)

    @cached_property
    def digest(self) -> str:
        """SHA-256 over query ids and image ids in ranked order; independent of query order and of the vocabulary."""
        by_id = sorted(range(self.n_queries), key=self.query_ids.__getitem__)
        items, offsets = _in_order(self, np.array(by_id, np.int64))
        numbers, used = _numbered_by_appearance(items, len(self.image_ids))
        state = hashlib.sha256(b"cirboard-run-2\0")
        for texts in (pa.array([self.query_ids[q] for q in by_id], pa.string()), self.image_ids.take(pa.array(used))):
            text, ends = _to_text(texts)
            state.update(np.array([len(ends)], "<i8").tobytes())
            state.update(ends.astype("<i8", copy=False).data)
            state.update(text.data)
        state.update(offsets.astype("<i8", copy=False).data)
        state.update(numbers.astype("<i4", copy=False).data)
        return state.hexdigest()

    def ranked(self, query: int) -> list[str]:
        """Image ids of the list at position ``query``, best first."""
        items = self.items[self.offsets[query] : self.offsets[query + 1]]
        ids: list[str] = self.image_ids.take(pa.array(items)).to_pylist()
        return ids


def _in_order(run: Run, queries: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The items with queries in another order, and where their lists then begin."""
    if np.array_equal(queries, np.arange(len(queries))):
        return run.items, run.offsets
    lengths = run.lengths[queries]
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])
    places = np.arange(len(run.items)) - np.repeat(offsets[:-1] - run.offsets[queries], lengths)
    return run.items[places], offsets


def _numbered_by_appearance(items: NDArray[np.int32], n_images: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Items as numbers that count images as they first appear, and the images in that order.

    Example:
        >>> _numbered_by_appearance(np.array([7, 3, 7, 5], np.int32), 8)
        (array([0, 1, 0, 2], dtype=int32), array([7, 3, 5]))
    """
    first = np.full(n_images, len(items), np.int64)
    # Of several values for one place the last stays, so that from the back the first appearance wins.
    first[items[::-1]] = np.arange(len(items) - 1, -1, -1)
    used = np.argsort(first, kind="stable")[: int((first < len(items)).sum())]
    number = np.empty(n_images, np.int32)
    number[used] = np.arange(len(used), dtype=np.int32)
    return number[items], used


def run_from_lists(lists: Mapping[str, Sequence[str]]) -> Run:
    """Make a run from query id -> image ids, best first.

    Example:
        >>> run_from_lists({"q1": ["b", "a"], "q2": ["a"]}).items
        array([0, 1, 1], dtype=int32)
    """
    flat = pa.array([image for images in lists.values() for image in images], pa.string())
    encoded = flat.dictionary_encode()
    lengths = np.fromiter((len(images) for images in lists.values()), np.int64, len(lists))
    return Run(
        query_ids=tuple(lists),
        image_ids=encoded.dictionary,
        offsets=np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)]),
        items=encoded.indices.to_numpy(zero_copy_only=False).astype(np.int32),
    )


def save_run(path: Path, run: Run) -> None:
    """Write a canonical run to a file."""
    with path.open("wb") as stream:
        write_run_arrays(stream, run)


def write_run_arrays(stream: IO[bytes], run: Run) -> None:
    """Write a canonical run: an npz of integers and UTF-8 bytes, readable without pickle."""
    arrays: dict[str, Any] = {"offsets": run.offsets, "items": run.items}
    arrays["query_text"], arrays["query_ends"] = _to_text(pa.array(run.query_ids, pa.string()))
    arrays["image_text"], arrays["image_ends"] = _to_text(run.image_ids)
    np.savez(stream, allow_pickle=False, **arrays)


def load_run(path: Path) -> Run:
    """Read a canonical run.

    Raises:
        RunFileError: If the file is not one, or its arrays do not fit together.
    """
    try:
        with path.open("rb") as stream:
            arrays = np.load(stream, allow_pickle=False)
            parts = {name: _array(arrays, name) for name in PARTS}
    except _UNREADABLE as error:
        raise RunFileError(f"{path.name} is not a canonical run: {error}") from None
    return run_of_arrays(parts, path.name)


def run_of_arrays(parts: Mapping[str, NDArray[Any]], name: str) -> Run:
    """A canonical run from its arrays, which may be anybody's.

    Args:
        parts: An array for each of PARTS.
        name: Of the file, for messages.

    Raises:
        RunFileError: If they are no run, or do not fit together.
    """
    try:
        query_ids = tuple(_from_text(parts["query_text"], parts["query_ends"]).to_pylist())
        image_ids = _from_text(parts["image_text"], parts["image_ends"])
    except _UNREADABLE as error:
        raise RunFileError(f"{name} is not a canonical run: {error}") from None
    run = Run(query_ids, image_ids, parts["offsets"], parts["items"])
    _check(run, name)
    return run


def _check(run: Run, name: str) -> None:
    if run.offsets.dtype != np.int64 or run.items.dtype != np.int32 or run.offsets.ndim != 1 or run.items.ndim != 1:
        raise RunFileError(f"{name}: offsets must be int64 and items int32, both one-dimensional")
    n_items = len(run.items)
    if len(run.offsets) != run.n_queries + 1 or run.offsets[0] != 0 or run.offsets[-1] != n_items:
        raise RunFileError(f"{name}: offsets do not cover {run.n_queries} queries and {n_items} items")
    if (np.diff(run.offsets) < 0).any():
        raise RunFileError(f"{name}: offsets must not decrease")
    if n_items and (run.items.min() < 0 or run.items.max() >= len(run.image_ids)):
        raise RunFileError(f"{name}: an item lies outside the vocabulary of {len(run.image_ids)} images")
    if len(set(run.query_ids)) != run.n_queries:
        raise RunFileError(f"{name}: query ids must be unique")


def _array(arrays: Any, name: str) -> NDArray[Any]:
    """One array of the file. NumPy hands out a single array as it is, and a member that is none as bytes."""
    found = arrays[name] if isinstance(arrays, Mapping) else None
    if not isinstance(found, np.ndarray):
        raise ValueError(f"{name} is no array")  # noqa: TRY004 - what the file holds, not what a caller passed
    return found


def _to_text(values: pa.Array) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The UTF-8 bytes of some texts end to end, and where each ends."""
    large = values.cast(pa.large_string())
    _, offsets, content = large.buffers()
    if content is None or len(large) == 0:
        return np.empty(0, np.uint8), np.zeros(len(large), np.int64)
    bounds = np.frombuffer(offsets, np.int64)[large.offset : large.offset + len(large) + 1]
    return np.frombuffer(content, np.uint8)[bounds[0] : bounds[-1]], bounds[1:] - bounds[0]


def _from_text(text: NDArray[np.uint8], ends: NDArray[np.int64]) -> pa.Array:
    if text.dtype != np.uint8 or ends.dtype != np.int64 or text.ndim != 1 or ends.ndim != 1:
        raise ValueError("text must be bytes with int64 ends")
    offsets = np.concatenate([np.zeros(1, np.int64), ends])
    if (np.diff(offsets) < 0).any() or offsets[-1] != len(text):
        raise ValueError("the ends of its texts do not fit its bytes")
    values = pa.Array.from_buffers(pa.large_string(), len(ends), [None, pa.py_buffer(offsets), pa.py_buffer(text)])
    values.validate(full=True)
    return values.cast(pa.string())
