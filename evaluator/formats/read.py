"""Read a submitted file: a canonical run, or every problem that stands in its way."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from evaluator.formats import circo, pinpoint
from evaluator.formats.entries import Entries, collect_entries
from evaluator.formats.images import check_places
from evaluator.formats.lengths import check_lengths
from evaluator.formats.limits import Limits
from evaluator.formats.problems import ProblemLog
from evaluator.formats.queries import UNKNOWN, match_queries
from evaluator.formats.result_format import ResultFormat
from evaluator.formats.unpack import Packing, unpack
from evaluator.formats.vocabulary import Vocabulary, look_up_ids
from evaluator.public.bundle import Benchmark, BundleError
from evaluator.public.manifest import Protocol
from evaluator.public.run import Run

FORMATS: dict[str, ResultFormat] = {entry.name: entry for entry in (circo.FORMAT, pinpoint.FORMAT)}

FORGIVEN_WHEN_LENIENT = frozenset(
    {
        "image-excluded",
        "image-id-form",
        "image-ill-formed",
        "image-outside-gallery",
        "image-repeated",
        "image-unknown",
        "json-key-repeated",
        "list-key-missing",
        "list-too-long",
        "list-too-short",
        "query-missing",
        "query-unknown",
        "value-fraction",
        "value-number",
    }
)
"""What official evaluators accept, or would make comparable numbers from."""


@dataclass(frozen=True)
class Reading:
    """What came of reading a file.

    Attributes:
        run: The canonical run, or None if there are errors.
        problems: Everything found.
        format: Name of the result format.
        compression: "none", "gzip", "zstd" or "zip".
        n_bytes: Size of the file as sent.
        n_queries: Queries of the benchmark for which the file has a list.
        n_entries: Entries in these lists.
    """

    run: Run | None
    problems: ProblemLog
    format: str
    compression: str
    n_bytes: int
    n_queries: int = 0
    n_entries: int = 0


def read_run(
    path: Path,
    benchmark: Benchmark,
    protocol: str | None = None,
    *,
    lenient: bool = False,
    limits: Limits | None = None,
) -> Reading:
    """Read and check a result file.

    Args:
        path: The file: plain, gzip, zstd, or a zip with one file.
        benchmark: What it answers; its manifest names the format.
        protocol: Name of the protocol whose list length is required; None for the first.
        lenient: Accept what the official evaluators accept, with their meaning: repeated and unknown images are
            kept, missing queries are absent, unknown ones dropped, long lists cut. Such files never count; this
            serves to reproduce official numbers.
        limits: Sizes that are refused before anything is parsed.

    Returns:
        The run if there are no errors, and all problems.

    Raises:
        OSError: If there is no regular file that can be read.
        ManifestError: If the benchmark has no such protocol.
        BundleError: If the bundle is damaged or names a format that this version does not know.
    """
    rules = benchmark.manifest.protocol(protocol)
    result_format = format_of(benchmark)
    log = ProblemLog(forgiven=FORGIVEN_WHEN_LENIENT if lenient else frozenset())
    entries, packing = _read_entries(path, benchmark, result_format, log, limits or Limits())
    run = None
    if entries is not None:
        check_lengths(entries, rules, log)
        vocabulary = look_up_ids(entries, benchmark, result_format, log)
        check_places(entries, vocabulary, benchmark, result_format, log)
        run = None if log.n_errors else _to_run(entries, vocabulary, benchmark, rules, result_format)
    return Reading(
        run=run,
        problems=log,
        format=result_format.name,
        compression=packing.compression,
        n_bytes=packing.n_bytes,
        n_queries=len(np.unique(entries.queries)) if entries else 0,
        n_entries=len(entries.ids) if entries else 0,
    )


def format_of(benchmark: Benchmark) -> ResultFormat:
    """The format of a benchmark's result files.

    Raises:
        BundleError: If this version does not know it.
    """
    name = benchmark.manifest.run_format
    if name not in FORMATS:
        raise BundleError(f"the bundle names the result format {name!r}; this version reads: {', '.join(FORMATS)}")
    return FORMATS[name]


def _read_entries(
    path: Path, benchmark: Benchmark, result_format: ResultFormat, log: ProblemLog, limits: Limits
) -> tuple[Entries | None, Packing]:
    """The file's lists in columns. Its bytes and its values, many times as large, live no longer than this call."""
    content, packing = unpack(path, log, limits)
    raw = None if content is None else result_format.read(content, log)
    queries = None if raw is None else match_queries(raw, benchmark, result_format, log)
    if raw is None or queries is None:
        return None, packing
    readable = [row for row, ranked in enumerate(raw.lists) if ranked is not None and queries[row] != UNKNOWN]
    keys = [raw.keys[row] for row in readable]
    lists = [raw.lists[row] or [] for row in readable]
    return collect_entries(keys, queries[readable], lists, result_format, log), packing


def _to_run(
    entries: Entries, vocabulary: Vocabulary, benchmark: Benchmark, rules: Protocol, result_format: ResultFormat
) -> Run:
    """The run of a file without errors. Only a lenient check leaves anything to cut or to translate here."""
    ids = vocabulary.texts
    if vocabulary.states.any():
        ids = pa.array([result_format.official_id(text) for text in ids.to_pylist()], pa.string())
    lengths = np.minimum(entries.lengths, rules.list_length[1])
    rank = np.arange(len(vocabulary.codes)) - np.repeat(entries.offsets[:-1], entries.lengths)
    encoded = ids.take(pa.array(vocabulary.codes[rank < np.repeat(lengths, entries.lengths)])).dictionary_encode()
    return Run(
        query_ids=tuple(benchmark.query_ids[place] for place in entries.queries.tolist()),
        image_ids=encoded.dictionary,
        offsets=np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)]),
        items=encoded.indices.to_numpy(zero_copy_only=False).astype(np.int32),
    )
