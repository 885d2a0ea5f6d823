"""i-CIR's rankings: ``{"query path|text": ["database path", ...]}``, the whole database of the query's instance."""

from collections.abc import Sequence

from evaluator.formats import lists
from evaluator.formats.json_columns import read_columns
from evaluator.formats.json_objects import read_object
from evaluator.formats.problems import ProblemLog
from evaluator.formats.result_format import Content, RawColumns, RawLists, ResultFormat
from evaluator.public.bundle import Benchmark

EXAMPLE = '{"icir/query/tower/0.jpg|at night": ["icir/database/tower/7.jpg", ...], ...}'


def read(contents: Sequence[Content], benchmark: Benchmark, log: ProblemLog) -> RawLists | RawColumns | None:  # noqa: ARG001 - one signature for all formats
    """Read the lists of a file; problems are reported, and None is returned if there are no lists."""
    columns = read_columns(contents[0])
    return columns or read_object(contents[0], log, family="i-CIR", example=EXAMPLE, read_entry=lists.read_entry)


FORMAT = ResultFormat(
    name="icir",
    family="i-CIR",
    example=EXAMPLE,
    ids_are_numbers=False,
    read=read,
    official_id=lists.official_id,
    bare_id=lists.bare_id,
    reference_note="It is not in the database of its instance.",
)
