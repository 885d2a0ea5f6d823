"""The report of a check, for people: a verdict in words, then one group per kind of problem."""

from collections.abc import Iterator
from typing import Any

from evaluator.formats.limits import in_words
from evaluator.formats.read import Reading
from evaluator.formats.wording import counted


def verdict(reading: Reading, file_name: str) -> str:
    """One sentence: whether the file can be scored.

    A file is refused for any error; warnings are only mentioned.
    """
    groups = reading.problems.to_json(0)["groups"]
    n_kinds = sum(group["severity"] == "error" for group in groups)
    n_warnings = len(groups) - n_kinds
    if n_kinds:
        return f"{file_name} cannot be scored: {counted(n_kinds, 'kind', 'kinds')} of error."
    if n_warnings:
        return f"{file_name} can be scored, with {counted(n_warnings, 'warning', 'warnings')}."
    return f"{file_name} can be scored."


def read_as(reading: Reading, title: str, n_benchmark_queries: int) -> str:
    """What the file was read as: format, size, queries, entries."""
    packing = "" if reading.compression == "none" else f", {reading.compression}"
    return (
        f"Read as a run for {title}{packing}, {in_words(reading.n_bytes)}: "
        f"{reading.n_queries:,} of {counted(n_benchmark_queries, 'query', 'queries')}, "
        f"{counted(reading.n_entries, 'entry', 'entries')}."
    )


def group_lines(group: dict[str, Any]) -> Iterator[str]:
    """Lines about one group of `ProblemLog.to_json`: title, remedy, then each problem that is shown."""
    kind = "Error" if group["severity"] == "error" else "Warning"
    yield f"{kind}: {group['title']}  [{group['code']}]"
    yield f"  {group['remedy']}"
    for problem in group["shown"]:
        yield f"    {problem['message']}{_aside(problem)}"
    if group["count"] > len(group["shown"]):
        yield f"    {len(group['shown'])} of {group['count']:,} shown."


def _aside(problem: dict[str, Any]) -> str:
    said = problem["message"]
    parts = [] if problem["value"] is None or problem["value"] in said else [f"Found: {problem['value']}."]
    if problem["expected"]:
        parts.append(f"Expected: {problem['expected']}.")
    if problem["hint"]:
        parts.append(problem["hint"])
    return " ".join(["", *parts])
