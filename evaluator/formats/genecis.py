"""GeneCIS's result file: ``[[10, 1, 5, ...], ...]``, for each query an order of the positions in its gallery.

Nothing in it names a query: the position is the query. Position 0 of a gallery is the target in the organisers' file.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from evaluator.formats.json_objects import parse_list
from evaluator.formats.problems import ProblemLog
from evaluator.formats.result_format import Content, RawLists, ResultFormat
from evaluator.formats.wording import counted, named, shown
from evaluator.public.bundle import Benchmark

EXAMPLE: Final = "[[10, 1, 5, 4, 13, 6, 14, 0, 11, 3, 2, 9, 12, 8, 7], ...]"
_FAULTS_NAMED: Final = 5


def read(contents: Sequence[Content], benchmark: Benchmark, log: ProblemLog) -> RawLists | None:
    """Read the orders; problems are reported, and None is returned if there are none."""
    orders = parse_list(contents[0], log, family="GeneCIS", example=EXAMPLE)
    if orders is None:
        return None
    queries = benchmark.query_ids
    if len(orders) != len(queries):
        log.report(
            "lists-wrong-number",
            f"The file holds {counted(len(orders), 'list', 'lists')} for {counted(len(queries), 'query', 'queries')}.",
            value=str(len(orders)),
            expected=f"exactly {counted(len(queries), 'list', 'lists')}",
        )
    galleries = _galleries(benchmark)
    lists: list[list[Any] | None] = [None] * len(queries)
    for place, (query, order) in enumerate(zip(queries, orders, strict=False)):
        lists[place] = _read_order(query, order, galleries[place], log)
    return RawLists(list(queries), lists)


def as_written(text: str) -> str:
    """Image ids are looked up by position, so that none can be in disguise."""
    return text


def _galleries(benchmark: Benchmark) -> list[list[str]]:
    """(Q,) the images of each query's gallery by position."""
    rows = zip(*(benchmark.gallery_table.column(name).to_pylist() for name in ("gallery_id", "image_id")), strict=True)
    members = {gallery: [image for _, image in held] for gallery, held in groupby(rows, key=lambda row: row[0])}
    return [members[gallery] for gallery in benchmark.query_table.column("gallery_id").to_pylist()]


def _read_order(query: str, order: Any, gallery: Sequence[str], log: ProblemLog) -> list[Any] | None:
    """Positions to image ids, or None if the order was reported."""
    expected = f"each of 0 to {len(gallery) - 1} once"
    if not isinstance(order, list):
        code = "list-null" if order is None else "list-wrong-type"
        message = f"Query {query} has {named(order)} instead of a list."
        log.report(code, message, query=query, value=shown(order), expected=expected)
        return None
    if faults := list(_faults(order, len(gallery))):
        more = len(faults) - _FAULTS_NAMED
        words = "; ".join(faults[:_FAULTS_NAMED]) + (f"; and {more} more" if more > 0 else "")
        message = f"The list of query {query} is no order of its {len(gallery)} images: {words}."
        log.report("order-wrong", message, query=query, value=shown(order), expected=expected)
        return None
    return [gallery[position] for position in order]


def _faults(order: list[Any], n_images: int) -> Iterator[str]:
    """Everything that keeps a list from being an order, in words."""
    positions = [entry for entry in order if isinstance(entry, int) and not isinstance(entry, bool)]
    for rank, entry in enumerate(order, start=1):
        if isinstance(entry, bool) or not isinstance(entry, int):
            yield f"rank {rank} holds {shown(entry)}, which is no integer"
        elif not 0 <= entry < n_images:
            yield f"rank {rank} holds {shown(entry)}, which is not within 0 to {n_images - 1}"
    for position, count in Counter(positions).items():
        if count > 1 and 0 <= position < n_images:
            yield f"{position} stands {count} times"
    if missing := sorted(set(range(n_images)).difference(positions)):
        named_positions = ", ".join(map(str, missing[:_FAULTS_NAMED]))
        more = len(missing) - _FAULTS_NAMED
        yield f"missing: {named_positions}{f' and {more} more' if more > 0 else ''}"


FORMAT = ResultFormat(
    name="genecis",
    family="GeneCIS",
    example=EXAMPLE,
    ids_are_numbers=False,
    read=read,
    official_id=as_written,
    bare_id=as_written,
    reference_note="",
)
