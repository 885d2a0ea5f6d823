"""Canonical runs in the benchmarks' official formats, as their own evaluators and servers read them."""

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from evaluator.formats.cirr import METRICS, RECALL_SUBSET, SUBSET_SUFFIX, VERSION
from evaluator.formats.domain_conversion import BETWEEN, WRAPPER
from evaluator.formats.fashioniq import BETWEEN_CAPTIONS
from evaluator.formats.pinpoint import KEY
from evaluator.formats.ranked_queries import ranked_queries
from evaluator.public.bundle import Benchmark
from evaluator.public.run import Run

Files = dict[str, Iterator[str]]
"""File name -> the pieces of its text."""

_WHOLE: Final = ""
"""The name of a run's only file, which the caller names."""


class NoOfficialFormatError(ValueError):
    """A run that the official format cannot hold, or a format that is not written here: the message says which."""


def official_files(run: Run, benchmark: Benchmark) -> Files:
    """The files of a run in the official format of its benchmark.

    Returns:
        Name -> text in pieces; the name is "" where a run is one file.

    Raises:
        NoOfficialFormatError: If this version does not write the benchmark's format, or the format cannot leave out
            a query that has no list.
    """
    name = benchmark.manifest.run_format
    if name not in _WRITERS:
        raise NoOfficialFormatError(f"runs cannot be written as {name}; known are: {', '.join(_WRITERS)}")
    return _WRITERS[name](run, benchmark)


def _circo(run: Run, benchmark: Benchmark) -> Files:
    pairs = ((query, list(map(_number, images))) for query, images in ranked_queries(run, benchmark))
    return {_WHOLE: _object(pairs)}


def _number(image: str) -> int | str:
    """CIRCO's ids are numbers; anything else stays text, which its reader refuses by name."""
    return int(image) if image.isascii() and image.isdecimal() else image


def _pinpoint(run: Run, benchmark: Benchmark) -> Files:
    return {_WHOLE: _object((query, {KEY: images}) for query, images in ranked_queries(run, benchmark))}


def _lists(run: Run, benchmark: Benchmark) -> Files:
    return {_WHOLE: _object(ranked_queries(run, benchmark))}


def _cirr(run: Run, benchmark: Benchmark) -> Files:
    return {f"{metric}.json": _cirr_file(run, benchmark, metric) for metric in METRICS if _has_part(run, metric)}


def _has_part(run: Run, metric: str) -> bool:
    return any(query.endswith(SUBSET_SUFFIX) == (metric == RECALL_SUBSET) for query in run.query_ids)


def _cirr_file(run: Run, benchmark: Benchmark, metric: str) -> Iterator[str]:
    def entries() -> Iterator[tuple[str, Any]]:
        yield from (("version", VERSION), ("metric", metric))
        for query, images in ranked_queries(run, benchmark):
            if query.endswith(SUBSET_SUFFIX) == (metric == RECALL_SUBSET):
                yield query.removesuffix(SUBSET_SUFFIX), images

    return _object(entries())


def _fashioniq(run: Run, benchmark: Benchmark) -> Files:
    """A file for each category. The captions are those of the modification, parted at its first "and"."""
    table = benchmark.query_table
    ids, references, modifications = (
        table.column(name).to_pylist() for name in ("query_id", "reference_images", "modification")
    )
    asked = {query: (held[0], text) for query, held, text in zip(ids, references, modifications, strict=True)}
    answered = {query.rpartition("/")[0] for query in run.query_ids}
    _check_whole(run, [query for query in asked if query.rpartition("/")[0] in answered], benchmark)
    split = benchmark.manifest.split.partition("-")[0]  # the gallery's name stands behind the split's
    categories = dict.fromkeys(query.rpartition("/")[0] for query in ids)
    return {
        f"{category}.{split}.pred.json": _fashioniq_file(run, benchmark, category, asked)
        for category in categories
        if category in answered
    }


def _fashioniq_file(run: Run, benchmark: Benchmark, category: str, asked: dict[str, tuple[str, str]]) -> Iterator[str]:
    def entries() -> Iterator[Any]:
        for query, images in ranked_queries(run, benchmark):
            if query.rpartition("/")[0] == category:
                candidate, text = asked[query]
                yield {"candidate": candidate, "captions": text.split(BETWEEN_CAPTIONS, 1), "ranking": images}

    return _array(entries())


def _genecis(run: Run, benchmark: Benchmark) -> Files:
    _check_whole(run, benchmark.query_ids, benchmark)
    place: dict[str, dict[str, int]] = {}
    rows = (benchmark.gallery_table.column(name).to_pylist() for name in ("gallery_id", "image_id"))
    for gallery, image in zip(*rows, strict=True):
        members = place.setdefault(gallery, {})
        members.setdefault(image, len(members))
    gallery_of = dict(zip(benchmark.query_ids, benchmark.query_table.column("gallery_id").to_pylist(), strict=True))
    orders = ([place[gallery_of[query]][image] for image in images] for query, images in ranked_queries(run, benchmark))
    return {_WHOLE: _array(orders)}


def _check_whole(run: Run, wanted: Any, benchmark: Benchmark) -> None:
    """Where the position in the file is the query, none can be left out."""
    answered = set(run.query_ids)
    missing = next((query for query in wanted if query not in answered), None)
    if missing is not None:
        title = benchmark.manifest.title
        raise NoOfficialFormatError(f"query {missing} has no list, and {title}'s format tells queries by position")


def _object(pairs: Any) -> Iterator[str]:
    return _joined("{", (f"{json.dumps(key)}: {json.dumps(value)}" for key, value in pairs), "}")


def _array(values: Iterator[Any]) -> Iterator[str]:
    return _joined("[", map(json.dumps, values), "]")


def _joined(opening: str, pieces: Iterator[str], closing: str) -> Iterator[str]:
    yield opening
    separator = ""
    for piece in pieces:
        yield separator + piece
        separator = ",\n"
    yield closing + "\n"


def _domain_conversion(run: Run, benchmark: Benchmark) -> Files:
    rows = {image: row for row, image in enumerate(benchmark.image_ids.to_pylist())}
    pairs: dict[str, dict[str, list[int]]] = {}
    for query, images in ranked_queries(run, benchmark):
        pair, _, path = query.partition(BETWEEN)
        pairs.setdefault(pair, {})[path] = [rows[image] for image in images]
    return {_WHOLE: _object([(WRAPPER, pairs)])}


_WRITERS: Final[dict[str, Callable[[Run, Benchmark], Files]]] = {
    "circo": _circo,
    "cirr": _cirr,
    "domain_conversion": _domain_conversion,
    "fashioniq": _fashioniq,
    "genecis": _genecis,
    "icir": _lists,
    "lists": _lists,
    "pinpoint": _pinpoint,
}
