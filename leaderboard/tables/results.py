"""The numbers of one submission, for its own page."""

from collections import defaultdict
from dataclasses import dataclass
from uuid import UUID

from leaderboard.models import Evaluation, EvaluationStatus, Score, Submission
from leaderboard.tables.board import Cell, cell_of
from leaderboard.tables.columns import GROUPS, Column, columns_of
from leaderboard.tables.rules import Protocol, axis_titles, display_of, protocol_of, protocols_of


@dataclass(frozen=True, slots=True)
class Line:
    """One family of metrics: a cell for each cutoff of the grid, None where the protocol has none."""

    title: str
    second_line: str
    arrow: str
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """All metrics of an evaluation: families down, cutoffs across."""

    cutoffs: tuple[int, ...]
    groups: tuple[tuple[str, tuple[Line, ...]], ...]
    without_cutoff: tuple[tuple[Column, Cell], ...]


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
    primary: Column
    cell: Cell
    grid: Grid
    slices: tuple[SliceTable, ...]


def read_results(submission: Submission, evaluations: list[Evaluation]) -> list[Result]:
    """The scored ones among a submission's evaluations, in one SQL query."""
    order = [protocol.name for protocol in protocols_of(submission.split)]
    scored = [evaluation for evaluation in evaluations if evaluation.status == EvaluationStatus.SCORED]
    scored.sort(key=lambda evaluation: order.index(evaluation.protocol))
    scores: dict[UUID, list[Score]] = defaultdict(list)
    for score in Score.objects.filter(evaluation__in=scored).order_by("axis", "slice"):
        scores[score.evaluation_id].append(score)
    return [_result(submission, evaluation, scores[evaluation.id]) for evaluation in scored]


def _result(submission: Submission, evaluation: Evaluation, scores: list[Score]) -> Result:
    split = submission.split
    protocol = protocol_of(split, evaluation.protocol)
    display = display_of(split)
    overall = {score.metric: cell_of(score, display) for score in scores if not score.axis}
    columns = columns_of(protocol)
    missing = Cell(None, None, None, 0, "n/a", "")
    cells = {column: overall.get(column.metric, missing) for column in columns}
    titles = axis_titles(split)
    by_axis: dict[str, list[SliceLine]] = defaultdict(list)
    for score in scores:
        if score.axis and score.metric == protocol.primary:
            by_axis[score.axis].append(SliceLine(score.slice, cell_of(score, display)))
    return Result(
        evaluation=evaluation,
        protocol=protocol,
        percent=display.percent,
        primary=columns[0],
        cell=cells[columns[0]],
        grid=_grid(cells),
        slices=tuple(SliceTable(titles.get(axis, axis), tuple(found)) for axis, found in by_axis.items()),
    )


def _grid(cells: dict[Column, Cell]) -> Grid:
    cutoffs = tuple(sorted({column.cutoff for column in cells if column.cutoff is not None}))
    families = dict.fromkeys((column.group, column.family) for column in cells if column.cutoff is not None)
    lines: dict[str, list[Line]] = {group: [] for group in GROUPS}
    for group, family in sorted(families, key=lambda key: GROUPS.index(key[0])):
        members = {column.cutoff: column for column in cells if column.family == family}
        one = next(iter(members.values()))
        lines[group].append(
            Line(
                title=one.title.partition("@")[0],
                second_line=one.second_line.partition("@")[0],
                arrow=one.arrow,
                cells=tuple(cells[members[k]] if k in members else None for k in cutoffs),
            )
        )
    return Grid(
        cutoffs=cutoffs,
        groups=tuple((group, tuple(found)) for group, found in lines.items() if found),
        without_cutoff=tuple((column, cell) for column, cell in cells.items() if column.cutoff is None),
    )
