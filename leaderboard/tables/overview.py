"""The home page's facts: leaders, recent results, and how the server is doing."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db.models import Avg, Count, DurationField, ExpressionWrapper, F, Min, Q, QuerySet
from django.utils import timezone

from evaluator.public.manifest import Display, Protocol
from leaderboard.models import Evaluation, EvaluationStatus, Score, Split, Submission, SubmissionStatus
from leaderboard.results.disclosure import Disclosure
from leaderboard.tables.board import cell_of
from leaderboard.tables.columns import Column, column_of
from leaderboard.tables.numbers import scale_end, show_points, show_tick, show_value
from leaderboard.tables.ranking import sort_missing_last
from leaderboard.tables.rules import protocol_of

WAITING = (SubmissionStatus.RECEIVED, SubmissionStatus.CHECKING)
UNFINISHED = (EvaluationStatus.QUEUED, EvaluationStatus.RUNNING)


@dataclass(frozen=True, slots=True)
class Leader:
    """The first row of a benchmark and how close the next one is."""

    name: str
    text: str
    gap: str


@dataclass(frozen=True, slots=True)
class Card:
    """A benchmark in a few words and one strip."""

    split: Split
    protocol: Protocol
    column: Column
    percent: bool
    values: tuple[float, ...]
    end: float
    end_text: str
    leader: Leader | None


@dataclass(frozen=True, slots=True)
class Recent:
    """A result that was made public."""

    submission_id: UUID
    published_at: datetime
    method: str
    benchmark: str
    slug: str
    metric: str
    text: str
    percent: bool


@dataclass(frozen=True, slots=True)
class Activity:
    """How the server is doing."""

    n_waiting: int
    oldest_waits_s: float | None
    n_scored: int
    upload_to_score_s: float | None


def read_cards(splits: list[Split]) -> list[Card]:
    """One card a split, in one SQL query."""
    values: dict[int, list[tuple[float, str]]] = defaultdict(list)
    disclosures = {split.id: Disclosure.of(split) for split in splits}
    for score in _primary_scores(splits).filter(evaluation__rankable=True):
        evaluation = score.evaluation
        told = cell_of(score, disclosures[evaluation.split_id]).value
        if told is not None:
            values[evaluation.split_id].append((told, str(evaluation.submission.method)))
    return [_card(split, values[split.id]) for split in splits]


def read_recent(splits: list[Split], limit: int = 8) -> list[Recent]:
    """The latest public results on the first protocol of their split, in one SQL query."""
    dated = _primary_scores(splits).filter(evaluation__submission__published_at__isnull=False)
    scores = dated.order_by("-evaluation__submission__published_at")[:limit]
    return [_recent(score) for score in scores]


def read_activity() -> Activity:
    """What waits, for how long, and how long a score took in the last day; in two SQL queries."""
    now = timezone.now()
    unfinished = Q(status__in=WAITING) | Q(evaluations__status__in=UNFINISHED)
    waiting = Submission.objects.filter(unfinished).aggregate(n=Count("id", distinct=True), oldest=Min("received_at"))
    took = ExpressionWrapper(F("finished_at") - F("submission__received_at"), output_field=DurationField())
    done = Evaluation.objects.filter(status=EvaluationStatus.SCORED).aggregate(
        n=Count("submission_id", distinct=True),
        took=Avg(took, filter=Q(finished_at__gte=now - timedelta(days=1))),
    )
    return Activity(
        n_waiting=waiting["n"],
        oldest_waits_s=(now - waiting["oldest"]).total_seconds() if waiting["oldest"] else None,
        n_scored=done["n"],
        upload_to_score_s=done["took"].total_seconds() if done["took"] else None,
    )


def _primary_scores(splits: list[Split]) -> QuerySet[Score]:
    """Public scores of the ranking metric under each split's first protocol, the newest of each submission."""
    first_protocols = Q(pk__in=[])
    for split in splits:
        first_protocols |= Q(evaluation__split=split, evaluation__protocol=protocol_of(split, None).name)
    newest = (
        Score.objects.filter(
            first_protocols,
            axis="",
            metric=F("evaluation__primary"),
            evaluation__status=EvaluationStatus.SCORED,
            evaluation__ground_truth_digest=F("evaluation__split__ground_truth_digest"),
            evaluation__submission__in=Submission.objects.visible_to(AnonymousUser()),
        )
        .order_by("evaluation__submission_id", "-evaluation__scoring_revision")
        .distinct("evaluation__submission_id")
    )
    return Score.objects.filter(id__in=newest.values("id")).select_related(
        "evaluation__submission__method", "evaluation__split__version__benchmark"
    )


def _card(split: Split, values: list[tuple[float, str]]) -> Card:
    protocol = protocol_of(split, None)
    column = column_of(protocol.primary, protocol)
    display = split.rules.display
    ordered = sort_missing_last(
        values, lambda entry: entry[0], lambda entry: entry[1], descending=column.better != "lower"
    )
    end = scale_end(max((value for value, _ in values), default=1.0))
    return Card(
        split=split,
        protocol=protocol,
        column=column,
        percent=display.percent,
        values=tuple(value for value, _ in ordered),
        end=end,
        end_text=show_tick(end, display),
        leader=_leader(ordered, display) if ordered else None,
    )


def _leader(ordered: list[tuple[float, str]], display: Display) -> Leader:
    value, name = ordered[0]
    if len(ordered) == 1:
        gap = "It is the only row so far."
    elif ordered[1][0] == value:
        gap = f"{ordered[1][1]} has the same score."
    else:
        gap = f"Next is {ordered[1][1]}, {show_points(abs(value - ordered[1][0]), display)} behind."
    return Leader(name=name, text=show_value(value, display), gap=gap)


def _recent(score: Score) -> Recent:
    evaluation = score.evaluation
    split = evaluation.split
    disclosure = Disclosure.of(split)
    cell = cell_of(score, disclosure)
    assert evaluation.submission.published_at is not None
    return Recent(
        submission_id=evaluation.submission_id,
        published_at=evaluation.submission.published_at,
        method=str(evaluation.submission.method),
        benchmark=split.version.benchmark.title,
        slug=split.version.benchmark.slug,
        metric=column_of(score.metric, protocol_of(split, evaluation.protocol)).title,
        text=cell.text,
        percent=disclosure.display.percent and cell.value is not None,
    )
