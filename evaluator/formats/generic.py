"""The formats in which any benchmark's run may be sent, told from the content alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from evaluator.formats import json_lines, npz, parquet, trec
from evaluator.formats.limits import Limits
from evaluator.formats.problems import ProblemLog
from evaluator.formats.result_format import Content, RawColumns, RawLists, ResultFormat
from evaluator.public.bundle import Benchmark

Read = Callable[[Content, Benchmark, ResultFormat, Limits, ProblemLog], RawLists | RawColumns | None]
"""(file, benchmark, official format, limits, log) -> lists, or None when an error that ends the check was reported."""


@dataclass(frozen=True, slots=True)
class GenericFormat:
    """One format for all benchmarks.

    Attributes:
        name: As reports name it.
        matches: Whether a file is written in it, told from its first bytes.
        read: Reads the one file of a run.
    """

    name: str
    matches: Callable[[Content], bool]
    read: Read


GENERIC = (
    GenericFormat("npz", npz.looks_like_npz, npz.read),
    GenericFormat("parquet", parquet.looks_like_parquet, parquet.read),
    GenericFormat("jsonl", json_lines.looks_like_json_lines, json_lines.read),
    GenericFormat("trec", trec.looks_like_trec, trec.read),
)


def sniff(content: Content) -> GenericFormat | None:
    """The generic format of a file, or None where it may be an official one."""
    return next((entry for entry in GENERIC if entry.matches(content)), None)


def as_result_format(entry: GenericFormat, official: ResultFormat, limits: Limits) -> ResultFormat:
    """A generic format with the official one's rules about ids; queries are named as the bundle does."""

    def read(contents: Sequence[Content], benchmark: Benchmark, log: ProblemLog) -> RawLists | RawColumns | None:
        if len(contents) > 1:
            message = f"{len(contents)} files were given, one of them as {entry.name}."
            log.report("files-too-many", message, expected="one file, which holds the whole run")
            return None
        return entry.read(contents[0], benchmark, official, limits, log)

    return replace(official, name=entry.name, read=read, query_name=str)
