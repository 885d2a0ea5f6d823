"""The report of a check, for people: a verdict in words, then one group per kind of problem."""

from collections.abc import Iterator
from typing import Any

from evaluator.formats.limits import in_words
from evaluator.formats.read import Reading
from evaluator.formats.wording import counted

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def verdict(reading: Reading, file_name: str) -> str:
    """One sentence: whether the file can be scored, and how many kinds of error or warning there are."""
    n_errors = sum(kept[0].severity == "error" for kept in reading.problems.kept.values())
    n_warnings = len(reading.problems.kept) - n_errors
    if reading.run is None:
        return f"{file_name} cannot be scored yet: {_kinds(n_errors)} of error."
    return f"{file_name} can be scored: no errors{f', {_kinds(n_warnings)} of warning' if n_warnings else ''}."


def read_as(reading: Reading, title: str, n_benchmark_queries: int) -> str:
    """What the file was read as: benchmark, packing, size, and how much of it was understood."""
    packing = "" if reading.compression == "none" else f", {reading.compression}"
    size = f"Read as a run for {title}{packing}, {in_words(reading.n_bytes)}"
    if not reading.n_queries:
        return f"{size}. No list could be read."
    return (
        f"{size}, {reading.n_queries:,} of {counted(n_benchmark_queries, 'query', 'queries')}, "
        f"{counted(reading.n_entries, 'entry', 'entries')}."
    )


def group_lines(group: dict[str, Any]) -> Iterator[str]:
    """Lines about one group of a report: title, remedy, what all its problems share, then each that is shown."""
    kind = "Error" if group["severity"] == "error" else "Warning"
    yield f"{kind}: {group['title']}  [{group['code']}]"
    shown = group["shown"]
    shared = _shared(shown)
    yield " ".join([f"  {group['remedy']}", *_sentences(shared)])
    if len(shown) > 1 and all(_is_bare(problem) for problem in shown):
        yield f"    {', '.join(problem['query'] for problem in shown)}"
    else:
        for problem in shown:
            own = {key: value for key, value in _details(problem).items() if key not in shared}
            yield " ".join([f"    {problem['message']}", *_sentences(own)])
    if group["count"] > len(shown):
        yield f"    {len(shown)} of {group['count']:,} shown."


def _kinds(count: int) -> str:
    number = NUMBERS[count] if count < len(NUMBERS) else str(count)
    return f"{number} {'kind' if count == 1 else 'kinds'}"


def _details(problem: dict[str, Any]) -> dict[str, str]:
    """What the message does not say already."""
    details = {key: problem[key] for key in ("value", "expected", "hint") if problem[key]}
    if details.get("value", "") in problem["message"]:
        details.pop("value", None)
    if _says(problem["message"], details.get("expected", "")):
        details.pop("expected", None)
    return details


def _says(message: str, expected: str) -> bool:
    """Whether a message holds what was expected as words of its own, not within an id."""
    return any(f" {words} " in message or message.endswith(f" {words}.") for words in (expected, expected.strip('"')))


def _shared(shown: list[dict[str, Any]]) -> dict[str, str]:
    if len(shown) < 2:
        return {}
    first = _details(shown[0])
    return {key: first[key] for key in first if all(problem[key] == first[key] for problem in shown)}


def _sentences(details: dict[str, str]) -> list[str]:
    sentences = {"value": "Found: {}.", "expected": "Expected: {}.", "hint": "{}"}
    return [sentences[key].format(text) for key, text in details.items()]


def _is_bare(problem: dict[str, Any]) -> bool:
    return bool(problem["query"]) and problem["rank"] is None and not _details(problem)
