"""The numbers of one submission, for its own page."""

from collections import defaultdict
from dataclasses import dataclass
from uuid import UUID

from leaderboard.models import Evaluation, EvaluationStatus, Score, Submission
from leaderboard.tables.board import Cell, cell_of
from leaderboard.tables.columns import GROUPS, Column, columns_of
from leaderboard.tables.rules import Protocol, axis_titles, display_of, protocol_of


@dataclass(frozen=True, slots=True)
class Line:
    """A metric over all queries."""

    column: Column
    cell: Cell


@dataclass(frozen=True, slots=True)
class SliceLine:
    """The ranking metric over the queries of one slice."""

    value: str
    cell: Cell


@dataclass(frozen=True, slots=True)
class SliceTable:
    """The ranking metric by one axis."""

    title: str
    lines: tuple[SliceLine, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """What one evaluation gave."""

    evaluation: Evaluation
    protocol: Protocol
    percent: bool
    primary: Line
    groups: tuple[tuple[str, tuple[Line, ...]], ...]
    slices: tuple[SliceTable, ...]


def read_results(submission: Submission, evaluations: list[Evaluation]) -> list[Result]:
    """The scored ones among a submission's evaluations, in one SQL query."""
    scored = [evaluation for evaluation in evaluations if evaluation.status == EvaluationStatus.SCORED]
    scores: dict[UUID, list[Score]] = defaultdict(list)
    for score in Score.objects.filter(evaluation__in=scored).order_by("axis", "slice"):
        scores[score.evaluation_id].append(score)
    return [_result(submission, evaluation, scores[evaluation.id]) for evaluation in scored]


def _result(submission: Submission, evaluation: Evaluation, scores: list[Score]) -> Result:
    split = submission.split
    protocol = protocol_of(split, evaluation.protocol)
    display = display_of(split)
    overall = {score.metric: cell_of(score, display) for score in scores if not score.axis}
    missing = Cell(None, None, None, 0, "n/a", "")
    lines = [Line(column, overall.get(column.metric, missing)) for column in columns_of(protocol)]
    groups = ((group, tuple(line for line in lines if line.column.group == group)) for group in GROUPS)
    titles = axis_titles(split)
    by_axis: dict[str, list[SliceLine]] = defaultdict(list)
    for score in scores:
        if score.axis and score.metric == protocol.primary:
            by_axis[score.axis].append(SliceLine(score.slice, cell_of(score, display)))
    return Result(
        evaluation=evaluation,
        protocol=protocol,
        percent=display.percent,
        primary=lines[0],
        groups=tuple((group, members) for group, members in groups if members),
        slices=tuple(SliceTable(titles.get(axis, axis), tuple(found)) for axis, found in by_axis.items()),
    )
