"""Read a submitted file: a canonical run, or every problem that stands in its way."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evaluator.formats import circo, cirr, domain_conversion, fashioniq, genecis, icir, lists, pinpoint
from evaluator.formats.entries import Entries, collect_entries, offsets_of
from evaluator.formats.generic import as_result_format, sniff
from evaluator.formats.images import check_places
from evaluator.formats.json_objects import look_at_file
from evaluator.formats.lengths import check_lengths
from evaluator.formats.limits import Limits
from evaluator.formats.problems import ProblemLog
from evaluator.formats.queries import match_queries
from evaluator.formats.result_format import Content, ResultFormat
from evaluator.formats.unpack import Packing, unpack
from evaluator.formats.vocabulary import Vocabulary, look_up_ids
from evaluator.formats.wording import counted
from evaluator.public.bundle import Benchmark, BundleError
from evaluator.public.manifest import Protocol
from evaluator.public.requirements import Requirements, requirements
from evaluator.public.run import Run

FORMATS: dict[str, ResultFormat] = {
    entry.name: entry
    for entry in (
        circo.FORMAT,
        cirr.FORMAT,
        domain_conversion.FORMAT,
        fashioniq.FORMAT,
        genecis.FORMAT,
        icir.FORMAT,
        lists.FORMAT,
        pinpoint.FORMAT,
    )
}

_SPARSE = 2
"""A run that names fewer of the gallery's images than one in so many lists those that it names."""

FORGIVEN_WHEN_LENIENT = frozenset(
    {
        "group-missing",
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
        format: Name of the format that was read: the benchmark's own, or npz, parquet, jsonl or trec.
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
    paths: Path | Sequence[Path],
    benchmark: Benchmark,
    protocol: str | None = None,
    *,
    lenient: bool = False,
    limits: Limits | None = None,
) -> Reading:
    """Read and check the result file of a run, or its files where the benchmark's format has several.

    Args:
        paths: The file or files: each plain, gzip or zstd; or one zip that holds what the run has.
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
    log = ProblemLog(forgiven=FORGIVEN_WHEN_LENIENT if lenient else frozenset())
    each = [paths] if isinstance(paths, Path) else list(paths)
    entries, packing, result_format = _read_entries(
        each, benchmark, rules, format_of(benchmark), log, limits or Limits()
    )
    run = None
    if entries is not None:
        asked = requirements(benchmark, rules)
        check_lengths(entries, asked, rules, log)
        vocabulary = look_up_ids(entries, benchmark, result_format, log)
        check_places(entries, vocabulary, benchmark, rules, result_format, log)
        run = None if log.n_errors else _to_run(entries, vocabulary, benchmark, asked, result_format)
    return Reading(
        run=run,
        problems=log,
        format=result_format.name,
        compression=packing.compression,
        n_bytes=packing.n_bytes,
        n_queries=len(np.unique(entries.queries)) if entries else 0,
        n_entries=len(entries.codes) if entries else 0,
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
    paths: Sequence[Path],
    benchmark: Benchmark,
    rules: Protocol,
    result_format: ResultFormat,
    log: ProblemLog,
    limits: Limits,
) -> tuple[Entries | None, Packing, ResultFormat]:
    """The run's lists in columns, and the format in which they came.

    Bytes and values, many times as large, live no longer than this call.
    """
    contents, packing = _unpack_all(paths, result_format, log, limits)
    if contents is None:
        return None, packing, result_format
    generic = next(filter(None, map(sniff, contents)), None)
    if generic is not None:
        result_format = as_result_format(generic, result_format, limits)
    raw = result_format.read(contents, benchmark, log)
    queries = None if raw is None else match_queries(raw, benchmark, rules, result_format, log)
    if raw is None or queries is None:
        return None, packing, result_format
    return collect_entries(raw, queries, result_format, log), packing, result_format


def _unpack_all(
    paths: Sequence[Path], result_format: ResultFormat, log: ProblemLog, limits: Limits
) -> tuple[list[Content] | None, Packing]:
    most = result_format.most_files
    unpacked = [unpack(path, log, limits, most) for path in paths]
    packing = Packing(
        "+".join(dict.fromkeys(one.compression for _, one in unpacked)), sum(p.n_bytes for _, p in unpacked)
    )
    contents: list[Content] = [content for several, _ in unpacked for content in several or []]
    if log.n_errors:
        return None, packing
    if not 1 <= len(contents) <= most:
        _report_number(contents, result_format, log)
        return None, packing
    return contents, packing


def _report_number(contents: Sequence[Content], result_format: ResultFormat, log: ProblemLog) -> None:
    """Several files are often another benchmark's run, which has as many."""
    look = look_at_file(contents[0]) if contents else None
    if look and look.family not in {"", result_format.family}:
        log.report("benchmark-wrong", f"This looks like {look.words}.", expected=result_format.example)
        return
    allowed = counted(result_format.most_files, "file", "files")
    message = f"{counted(len(contents), 'file was', 'files were')} given."
    log.report("files-too-many", message, expected=f"at most {allowed} for {result_format.family}")


def _to_run(
    entries: Entries, vocabulary: Vocabulary, benchmark: Benchmark, asked: Requirements, result_format: ResultFormat
) -> Run:
    """The run of a file without errors. Only a lenient check leaves anything to cut or to translate here."""
    ids, codes = _ids_in_use(vocabulary, result_format)
    lengths = np.minimum(entries.lengths, asked.most[entries.queries])
    if (lengths < entries.lengths).any():
        rank = np.arange(len(codes)) - np.repeat(entries.offsets[:-1], entries.lengths)
        codes = codes[rank < np.repeat(lengths, entries.lengths)]
    query_ids = tuple(benchmark.query_ids[query] for query in entries.queries.tolist())
    is_closed = benchmark.manifest.gallery_policy == "closed"
    if is_closed and not vocabulary.states.any() and len(benchmark.image_ids) <= _SPARSE * len(ids):
        # Gallery positions themselves, so that scoring need not look up a single id.
        items = vocabulary.places.astype(np.int32)[codes]
        return Run(query_ids, benchmark.image_ids, offsets_of(lengths), items)
    is_used = np.zeros(len(ids), np.bool_)
    is_used[codes] = True
    place = np.cumsum(is_used, dtype=np.int32) - np.int32(1)
    return Run(query_ids, ids.filter(pa.array(is_used)), offsets_of(lengths), place[codes])


def _ids_in_use(vocabulary: Vocabulary, result_format: ResultFormat) -> tuple[pa.Array, NDArray[np.int32]]:
    """Different image ids, and the one of each entry, as the official evaluator takes them."""
    if not vocabulary.states.any():
        return vocabulary.texts, vocabulary.codes
    official = [result_format.official_id(text) for text in vocabulary.texts.to_pylist()]
    encoded = pa.array(official, pa.string()).dictionary_encode()
    return encoded.dictionary, encoded.indices.to_numpy(zero_copy_only=False).astype(np.int32)[vocabulary.codes]
