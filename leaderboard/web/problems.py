"""A file's problems for people: the groups of a report, and the whole list as CSV."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.http import FileResponse, HttpResponse, HttpResponseBase

from leaderboard.models import Submission
from leaderboard.storage import artefacts
from leaderboard.tables.export import neutralise

COLUMNS = ("severity", "code", "query", "rank", "value", "message", "expected", "hint")
SHOWN = 5


@dataclass(frozen=True, slots=True)
class Group:
    """Problems of one kind, as a report shows them."""

    code: str
    is_error: bool
    count: int
    title: str
    remedy: str
    shared: str
    examples: tuple[dict[str, Any], ...]
    is_placed: bool

    @property
    def lines(self) -> list[tuple[dict[str, Any], str]]:
        """The examples, each with what is said of it alone."""
        return [(example, "" if self.shared else _note(example)) for example in self.examples]

    @property
    def is_bare(self) -> bool:
        """Whether a query's id says all, so that a line of ids will do."""
        return self.is_placed and not (self.has_ranks or self.has_values or self.has_notes)

    @property
    def others(self) -> tuple[dict[str, Any], ...]:
        """Problems that name no query, beyond the first."""
        return () if self.is_placed else self.examples[1:]

    @property
    def has_notes(self) -> bool:
        return any(note for _, note in self.lines)

    @property
    def rest(self) -> int:
        return self.count - len(self.examples)

    @property
    def has_ranks(self) -> bool:
        return any(example["rank"] is not None for example in self.examples)

    @property
    def has_values(self) -> bool:
        return any(example["value"] is not None for example in self.examples)


def problem_groups(report: dict[str, Any]) -> list[Group]:
    """The groups of `ProblemLog.to_json`, errors first."""
    return [_group(entry) for entry in report.get("groups", [])]


def problems_as_csv(submission: Submission) -> HttpResponseBase:
    """All problems that were kept, as stored by the check; else those of the report."""
    name = f"problems-{submission.pk}.csv"
    if submission.problems_csv_digest:
        stored = artefacts.open_artefact(submission.problems_csv_digest)
        return FileResponse(stored, as_attachment=True, filename=name, content_type="text/csv; charset=utf-8")
    return HttpResponse(
        _report_as_csv(submission.problems),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _report_as_csv(report: dict[str, Any]) -> str:
    target = io.StringIO()
    writer = csv.writer(target)
    writer.writerow(COLUMNS)
    for problem in _all_shown(report):
        values = (problem.get(column) for column in COLUMNS)
        writer.writerow([neutralise(value) if isinstance(value, str) else value for value in values])
    return target.getvalue()


def _all_shown(report: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for group in report.get("groups", []):
        yield from group["shown"]


def _group(entry: dict[str, Any]) -> Group:
    shown = entry["shown"]
    # One problem is told best by its own sentence, several by where they are.
    placed = tuple(problem for problem in shown if problem["query"] is not None)[:SHOWN] if len(shown) > 1 else ()
    return Group(
        code=entry["code"],
        is_error=entry["severity"] == "error",
        count=entry["count"],
        title=entry["title"],
        remedy=entry["remedy"],
        shared=_shared(placed),
        examples=placed or tuple(shown[:SHOWN]),
        is_placed=bool(placed),
    )


def _note(problem: dict[str, Any]) -> str:
    expected = f"Expected: {problem['expected'].rstrip('.')}." if problem["expected"] else ""
    return " ".join(part for part in (expected, problem["hint"]) if part)


def _shared(problems: tuple[dict[str, Any], ...]) -> str:
    """What is said of every example alike, to be said once; "" if they differ."""
    notes = {_note(problem) for problem in problems}
    return notes.pop() if len(notes) == 1 else ""
