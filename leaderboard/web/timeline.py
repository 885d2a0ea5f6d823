"""A submission and its evaluations as one timeline."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from leaderboard.models import Evaluation, EvaluationStatus, Submission, SubmissionStatus, Visibility
from leaderboard.tables.numbers import show_bytes

State = Literal["done", "now", "todo", "failed"]
UNCHECKED = {SubmissionStatus.RECEIVED, SubmissionStatus.CHECKING}
UNFINISHED = {EvaluationStatus.QUEUED, EvaluationStatus.RUNNING}


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the timeline.

    Attributes:
        at: When it was reached, or since when it lasts.
        detail: What happened, in words for the author.
        code: A digest or name to be set in monospace, or "".
    """

    state: State
    title: str
    at: datetime | None
    detail: str
    code: str = ""


def is_in_work(submission: Submission, evaluations: list[Evaluation]) -> bool:
    """Whether the server still does something, so that a page has reason to look again."""
    if submission.status in UNCHECKED:
        return True
    return any(evaluation.status in UNFINISHED for evaluation in evaluations)


def timeline_of(submission: Submission, evaluations: list[Evaluation], *, insider: bool) -> list[Step]:
    """What happened; the file's name is the team's business."""
    return [
        Step(
            "done",
            "Received",
            submission.received_at,
            _received(submission, insider=insider),
            submission.artefact_digest,
        ),
        _checked(submission),
        *_scored(submission, evaluations),
        *_published(submission, evaluations),
    ]


def _received(submission: Submission, *, insider: bool) -> str:
    size = f"{show_bytes(submission.size_bytes)}, sha256"
    return f"{submission.file_name}, {size}" if insider else size


def _checked(submission: Submission) -> Step:
    found = submission.problems
    errors, warnings = found.get("n_errors", 0), found.get("n_warnings", 0)
    at = submission.checked_at
    match submission.status:
        case SubmissionStatus.RECEIVED:
            return Step("now", "Waiting to be checked", None, "It starts by itself; this page may be closed.")
        case SubmissionStatus.CHECKING:
            return Step("now", "Being checked", None, "Every fault of the file will be listed at once.")
        case SubmissionStatus.REJECTED:
            return Step(
                "failed", "Refused", at, f"{_count(errors, 'error')}, listed on this page. No attempt was used."
            )
        case SubmissionStatus.FAILED:
            return Step(
                "failed", "Not checked", at, submission.failure or "The check did not end. No attempt was used."
            )
        case SubmissionStatus.WITHDRAWN if at is None:
            return Step("failed", "Withdrawn", None, "before it was checked")
        case _:
            entries = f"{submission.n_entries:,} entries, " if submission.n_entries else ""
            return Step("done", "Checked", at, f"{entries}no errors, {_count(warnings, 'warning')}")


def _scored(submission: Submission, evaluations: list[Evaluation]) -> Iterator[Step]:
    if submission.status in UNCHECKED:
        yield Step("todo", "Scored", None, "after the check")
    for evaluation in evaluations:
        yield _evaluation(evaluation)


def _evaluation(evaluation: Evaluation) -> Step:
    what = f"protocol {evaluation.protocol}"
    match evaluation.status:
        case EvaluationStatus.QUEUED:
            return Step("now", "Waiting to be scored", evaluation.created_at, what)
        case EvaluationStatus.RUNNING:
            return Step("now", "Being scored", evaluation.started_at, what)
        case EvaluationStatus.SCORED:
            return Step("done", "Scored", evaluation.finished_at, what)
        case EvaluationStatus.CANCELLED:
            return Step("failed", "Cancelled", evaluation.finished_at, what)
        case _:
            return Step("failed", "Not scored", evaluation.finished_at, f"{what}: {evaluation.failure}")


def _published(submission: Submission, evaluations: list[Evaluation]) -> Iterator[Step]:
    if submission.status == SubmissionStatus.WITHDRAWN:
        yield Step("failed", "Withdrawn", None, "by the team")
        return
    if submission.status not in {SubmissionStatus.ACCEPTED, *UNCHECKED}:
        return
    reason = f": {submission.decision_reason}" if submission.decision_reason else ""
    match submission.visibility:
        case Visibility.PUBLIC:
            yield Step("done", "Public", submission.published_at, "the table shows it")
        case Visibility.REQUESTED:
            yield Step("now", "Publication asked for", None, "waiting for a moderator")
        case Visibility.DECLINED:
            yield Step("failed", "Declined", None, f"by a moderator{reason}")
        case Visibility.HIDDEN:
            yield Step("failed", "Hidden", None, f"by a moderator{reason}")
        case _:
            scored = any(evaluation.status == EvaluationStatus.SCORED for evaluation in evaluations)
            detail = (
                "private to the team until you make it public"
                if scored
                else "your choice, after you have seen the result"
            )
            yield Step("todo", "Make it public", None, detail)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
