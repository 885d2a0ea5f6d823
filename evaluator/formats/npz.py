"""NumPy archives for any benchmark: a canonical run, or gallery positions as integers.

Positions come as ``ranking`` (Q, K), padded with -1, or as ``offsets`` and ``items``, end to end; with ``query_ids``,
or in the benchmark's order of queries.
"""

import sys
from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluator.formats.entries import offsets_of
from evaluator.formats.limits import Limits
from evaluator.formats.npy_members import ArchiveError, read_members
from evaluator.formats.positions import read_positions
from evaluator.formats.problems import ProblemLog
from evaluator.formats.result_format import Content, RawColumns, ResultFormat
from evaluator.formats.unpack import is_npz
from evaluator.public.bundle import Benchmark
from evaluator.public.run import PARTS, RunFileError, run_of_arrays

RANKING, OFFSETS, ITEMS, QUERY_IDS = "ranking", "offsets", "items", "query_ids"
EXPECTED = "ranking (queries x depth, int32 gallery positions), or offsets and items; or a canonical run"
_WANTED = {*PARTS, RANKING, OFFSETS, ITEMS, QUERY_IDS}
_SHOWN_NAMES = 10

Arrays = dict[str, NDArray[Any]]


def looks_like_npz(content: Content) -> bool:
    """Whether these are the bytes of a NumPy archive."""
    return is_npz(content)


def read(
    content: Content,
    benchmark: Benchmark,
    result_format: ResultFormat,  # noqa: ARG001 - one signature for all formats
    limits: Limits,
    log: ProblemLog,
) -> RawColumns | None:
    """Read a NumPy archive; problems are reported, and None is returned if there are no lists."""
    try:
        arrays, names = read_members(content, _WANTED, limits.expanded_cap(len(content)))
        if arrays.keys() >= set(PARTS):
            return _read_canonical(arrays)
        keys, offsets, positions = _read_layout(arrays, names, benchmark)
    except ArchiveError as error:
        log.report(error.code, str(error), expected=error.expected)
        return None
    return read_positions(keys, offsets, positions, benchmark, log)


def _read_canonical(arrays: Arrays) -> RawColumns:
    try:
        run = run_of_arrays(arrays, "the file")
    except RunFileError as error:
        raise ArchiveError("npz-shape", f"This is no whole canonical run: {error}.") from None
    return RawColumns(list(run.query_ids), run.offsets, run.items, run.image_ids)


def _read_layout(
    arrays: Arrays, names: list[str], benchmark: Benchmark
) -> tuple[list[str], NDArray[np.int64], NDArray[Any]]:
    """Query ids, where each list begins, and positions."""
    keys = _query_ids(arrays[QUERY_IDS]) if QUERY_IDS in arrays else list(benchmark.query_ids)
    if RANKING in arrays:
        ranking = _integers(arrays, RANKING, 2)
        _check_number(len(ranking), len(keys), arrays)
        offsets, positions = offsets_of(np.full(len(ranking), ranking.shape[1], np.int64)), ranking.reshape(-1)
    elif OFFSETS in arrays and ITEMS in arrays:
        offsets, positions = _integers(arrays, OFFSETS, 1).astype(np.int64), _integers(arrays, ITEMS, 1)
        if len(offsets) == 0 or offsets[0] != 0 or offsets[-1] != len(positions) or (np.diff(offsets) < 0).any():
            message = f"offsets do not run from 0 to the {len(positions):,} items without falling."
            raise ArchiveError("npz-shape", message)
    else:
        found = ", ".join(name[:60] for name in names[:_SHOWN_NAMES])
        raise ArchiveError("format-wrong", f"The NumPy archive holds: {found}.", EXPECTED)
    _check_number(len(offsets) - 1, len(keys), arrays)
    return keys, offsets, positions


def _check_number(n_lists: int, n_keys: int, arrays: Arrays) -> None:
    """Before anything is made for each list: a header may claim any number of empty ones."""
    if n_lists != n_keys:
        of_what = QUERY_IDS if QUERY_IDS in arrays else "queries of the benchmark"
        raise ArchiveError(
            "npz-shape", f"There are {n_lists:,} lists and {n_keys:,} {of_what}.", "one list for each query"
        )


def _integers(arrays: Arrays, name: str, n_axes: int) -> NDArray[Any]:
    array = arrays[name]
    if array.dtype.kind not in "iu":
        raise ArchiveError("npz-dtype", f"{name} has the type {array.dtype}.", "int32")
    if array.ndim != n_axes:
        axes = "two axes: queries and ranks" if n_axes == 2 else "one axis"
        raise ArchiveError("npz-shape", f"{name} has the shape {array.shape}.", axes)
    if array.dtype == np.uint64 and (array > np.iinfo(np.int64).max).any():
        raise ArchiveError("npz-dtype", f"{name} holds numbers beyond 64 bits with sign.", "int32")
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def _query_ids(array: NDArray[Any]) -> list[str]:
    if array.dtype.kind not in "iuUS" or array.ndim != 1:
        message = f"{QUERY_IDS} has the type {array.dtype} and {array.ndim} axes."
        raise ArchiveError("npz-dtype", message, "texts, on one axis")
    if array.dtype.kind == "U" and array.size and _letters(array).max() > sys.maxunicode:
        # NumPy would make strings of these with which Python itself fails.
        raise ArchiveError("npz-dtype", f"{QUERY_IDS} holds what is no text: a number beyond the last letter.")
    try:
        texts = np.char.decode(array, "utf-8") if array.dtype.kind == "S" else array
        keys = [str(text) for text in texts.tolist()]
        for key in keys:
            key.encode()
    except UnicodeError as error:
        raise ArchiveError("npz-dtype", f"{QUERY_IDS} holds what is no text: {error}.") from None
    if len(set(keys)) != len(keys):
        ((repeated, _),) = Counter(keys).most_common(1)
        raise ArchiveError("npz-shape", f"{QUERY_IDS} names query {repeated} twice.", "each query once")
    return keys


def _letters(texts: NDArray[Any]) -> NDArray[np.uint32]:
    """The letters of texts as numbers."""
    return np.ascontiguousarray(texts.astype(texts.dtype.newbyteorder("="))).view(np.uint32)
