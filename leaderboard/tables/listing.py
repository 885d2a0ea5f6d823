"""A team's submissions with where each of them stands."""

from dataclasses import dataclass

from django.db.models import Prefetch, QuerySet

from leaderboard.models import Evaluation, EvaluationStatus, Score, Submission, SubmissionStatus
from leaderboard.results.disclosure import Disclosure
from leaderboard.tables.board import cell_of
from leaderboard.tables.columns import column_of
from leaderboard.tables.numbers import show_value
from leaderboard.tables.rules import protocol_of

LONGEST = 200


@dataclass(frozen=True, slots=True)
class Listed:
    """A submission in one line."""

    submission: Submission
    state: str
    score: str
    metric: str


def list_own(submissions: QuerySet[Submission]) -> list[Listed]:
    """The newest submissions with their first evaluation's score, in three SQL queries."""
    primaries = Score.objects.filter(axis="")
    evaluations = Evaluation.objects.order_by("created_at", "protocol").prefetch_related(
        Prefetch("scores", queryset=primaries, to_attr="overall")
    )
    found = (
        submissions.select_related("method__team", "split__version__benchmark")
        .prefetch_related(Prefetch("evaluations", queryset=evaluations))
        .order_by("-received_at")[:LONGEST]
    )
    return [_listed(submission) for submission in found]


def _listed(submission: Submission) -> Listed:
    wanted = protocol_of(submission.split, None)
    evaluation = next((e for e in submission.evaluations.all() if e.protocol == wanted.name), None)
    if evaluation is None or submission.status != SubmissionStatus.ACCEPTED:
        return Listed(submission, submission.get_status_display(), "", "")
    if evaluation.status != EvaluationStatus.SCORED:
        return Listed(submission, evaluation.get_status_display(), "", "")
    overall: list[Score] = vars(evaluation)["overall"]
    score = next((score for score in overall if score.metric == wanted.primary), None)
    disclosure = Disclosure.of(submission.split)
    unit = " %" if disclosure.display.percent else ""
    return Listed(
        submission,
        evaluation.get_status_display(),
        cell_of(score, disclosure).text if score else show_value(None, disclosure.display),
        column_of(wanted.primary, wanted).title + unit,
    )
