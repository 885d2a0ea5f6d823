"""Write a canonical run in any format that is read. The same run gives the same bytes."""

import gzip
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, Final, cast

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from evaluator.formats.json_lines import QUERY, RANKING
from evaluator.formats.positions import PAD, Galleries
from evaluator.formats.ranked_queries import in_order, ranked_queries
from evaluator.formats.trec import encode_id
from evaluator.formats.write_official import official_files
from evaluator.public.bundle import Benchmark
from evaluator.public.lookup import positions_in
from evaluator.public.run import Run, write_run_arrays

TARGETS: Final = ("official", "trec", "jsonl", "parquet", "npz", "canonical")
TAG: Final = "cirboard"
MOST_PADDING: Final = 2
"""Lists are padded to one array where that makes it at most so many times as large."""


class NotWritableError(ValueError):
    """A run that a format cannot hold: the message says why and what to write instead."""


def write_run(run: Run, benchmark: Benchmark, target: str, out: Path, *, compress: bool = False) -> list[Path]:
    """Write a run.

    Args:
        run: A run of the benchmark.
        benchmark: Gives the order of queries, the galleries and the official format.
        target: One of `TARGETS`.
        out: The file to write; a directory where the official format has several files.
        compress: Whether to pack each file with gzip; names then end in ".gz" if they are chosen here.

    Returns:
        The files that were written.

    Raises:
        NotWritableError: If the gallery is open, so that there are no positions.
        NoOfficialFormatError: If the official format cannot hold the run.
        OSError: If a file cannot be written.
    """
    if target == "official":
        return _write_official(run, benchmark, out, compress=compress)
    # Arrays are computed before the file is opened, so that a run that cannot be written leaves none.
    write = _WRITERS[target](run, benchmark)
    with out.open("wb") as stream:
        _packed(stream, write, compress=compress)
    return [out]


def _write_official(run: Run, benchmark: Benchmark, out: Path, *, compress: bool) -> list[Path]:
    files = official_files(run, benchmark)
    is_one = list(files) == [""]
    if not is_one:
        out.mkdir(parents=True, exist_ok=True)
    written = []
    for name, pieces in files.items():
        path = out if is_one else out / (f"{name}.gz" if compress else name)
        with path.open("wb") as stream:
            _packed(stream, _texts(pieces), compress=compress)
        written.append(path)
    return written


Write = Callable[[IO[bytes]], None]


def _packed(stream: IO[bytes], write: Write, *, compress: bool) -> None:
    if not compress:
        write(stream)
        return
    # Neither a name nor a time goes into the packed bytes.
    with gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0) as packed:
        write(cast("IO[bytes]", packed))  # it writes as one; only its type does not say so


def _texts(pieces: Iterator[str]) -> Write:
    def write(stream: IO[bytes]) -> None:
        for piece in pieces:
            stream.write(piece.encode())

    return write


def _trec(run: Run, benchmark: Benchmark) -> Write:
    return _texts(_trec_lists(run, benchmark))


def _trec_lists(run: Run, benchmark: Benchmark) -> Iterator[str]:
    """Scores only repeat the order: the number of images that are left."""
    for query, images in ranked_queries(run, benchmark):
        name, n_images = encode_id(query), len(images)
        yield "".join(
            f"{name} Q0 {encode_id(image)} {rank} {n_images - rank + 1} {TAG}\n" for rank, image in enumerate(images, 1)
        )


def _jsonl(run: Run, benchmark: Benchmark) -> Write:
    lists = ranked_queries(run, benchmark)
    return _texts(f"{json.dumps({QUERY: query, RANKING: images})}\n" for query, images in lists)


def _parquet(run: Run, benchmark: Benchmark) -> Write:
    ordered = in_order(run, benchmark)
    ranks = np.arange(len(ordered.items)) - np.repeat(ordered.offsets[:-1], ordered.lengths) + 1
    queries = np.repeat(np.arange(ordered.n_queries, dtype=np.int32), ordered.lengths)
    table = pa.table(
        {
            "query_id": pa.DictionaryArray.from_arrays(pa.array(queries), pa.array(ordered.query_ids, pa.string())),
            "rank": pa.array(ranks.astype(np.int32)),
            "image_id": pa.DictionaryArray.from_arrays(pa.array(ordered.items), ordered.image_ids),
        }
    )
    return lambda stream: pq.write_table(table, stream, compression="zstd")


def _npz(run: Run, benchmark: Benchmark) -> Write:
    ordered = in_order(run, benchmark)
    positions = _positions(ordered, benchmark)
    arrays: dict[str, Any] = {"query_ids": np.array(ordered.query_ids, np.str_)}
    depth = int(ordered.lengths.max(initial=0))
    if depth * ordered.n_queries <= MOST_PADDING * len(positions):
        ranking = np.full((ordered.n_queries, depth), PAD, np.int32)
        ranking[np.arange(depth) < ordered.lengths[:, None]] = positions
        arrays["ranking"] = ranking
    else:
        arrays |= {"offsets": ordered.offsets, "items": positions}
    return _archive(lambda stream: np.savez_compressed(stream, allow_pickle=False, **arrays))


def _positions(run: Run, benchmark: Benchmark) -> Any:
    """(N,) int32 position of each entry in the gallery of its query."""
    if benchmark.manifest.gallery_policy == "open":
        raise NotWritableError("an open gallery has no positions; write canonical, parquet, jsonl or trec instead")
    galleries = Galleries(benchmark)
    queries = positions_in(pa.array(run.query_ids, pa.string()), pa.array(benchmark.query_ids, pa.string()))
    images = positions_in(run.image_ids, benchmark.image_ids)
    positions = np.empty(len(run.items), np.int32)
    place = np.full(len(benchmark.image_ids), PAD, np.int32)
    for row, query in enumerate(queries.tolist()):
        start = galleries.starts[query]
        members = galleries.members[start : start + galleries.sizes[query]]
        if row == 0 or start != galleries.starts[queries[row - 1]]:
            place[:] = PAD
            place[members] = np.arange(len(members), dtype=np.int32)
        entries = slice(run.offsets[row], run.offsets[row + 1])
        positions[entries] = place[images[run.items[entries]]]
    if (positions < 0).any():
        raise NotWritableError("the run holds images outside their query's gallery, which have no position there")
    return positions


def _canonical(run: Run, benchmark: Benchmark) -> Write:
    ordered = in_order(run, benchmark)
    return _archive(lambda stream: write_run_arrays(stream, ordered))


def _archive(fill: Write) -> Write:
    """A zip goes back to write its sizes, which the stream of a packed file cannot."""

    def write(stream: IO[bytes]) -> None:
        buffer = io.BytesIO()
        fill(buffer)
        stream.write(buffer.getbuffer())

    return write


_WRITERS: Final[dict[str, Callable[[Run, Benchmark], Write]]] = {
    "trec": _trec,
    "jsonl": _jsonl,
    "parquet": _parquet,
    "npz": _npz,
    "canonical": _canonical,
}
