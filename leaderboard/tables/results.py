"""The numbers of one submission, for its own page."""

import json
from collections import defaultdict
from dataclasses import dataclass
from uuid import UUID

from evaluator.public.manifest import Protocol
from leaderboard.models import Evaluation, EvaluationStatus, Score, Split, Submission
from leaderboard.results.disclosure import Disclosure
from leaderboard.storage import artefacts
from leaderboard.tables.board import Cell, cell_of
from leaderboard.tables.columns import Column, columns_of
from leaderboard.tables.families import GROUPS
from leaderboard.tables.rules import axis_titles, protocol_of


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
    without_cutoff: tuple[tuple[str, tuple[tuple[Column, Cell], ...]], ...]

    @property
    def n_across(self) -> int:
        """Columns of numbers."""
        return max(1, len(self.cutoffs))


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
    """What one evaluation gave; ``drawn`` says what its intervals draw."""

    evaluation: Evaluation
    protocol: Protocol
    percent: bool
    primary: Column
    cell: Cell
    grid: Grid
    slices: tuple[SliceTable, ...]
    drawn: str


def read_results(submission: Submission, evaluations: list[Evaluation]) -> list[Result]:
    """The scored ones among a submission's evaluations, in one SQL query."""
    order = [protocol.name for protocol in submission.split.rules.protocols]
    scored = [evaluation for evaluation in evaluations if evaluation.status == EvaluationStatus.SCORED]
    scored.sort(key=lambda evaluation: order.index(evaluation.protocol))
    scores: dict[UUID, list[Score]] = defaultdict(list)
    for score in Score.objects.filter(evaluation__in=scored).order_by("axis", "slice"):
        scores[score.evaluation_id].append(score)
    return [_result(submission, evaluation, scores[evaluation.id]) for evaluation in scored]


def _result(submission: Submission, evaluation: Evaluation, scores: list[Score]) -> Result:
    split = submission.split
    protocol = protocol_of(split, evaluation.protocol)
    disclosure = Disclosure.of(split)
    overall = {score.metric: cell_of(score, disclosure) for score in scores if not score.axis}
    columns = columns_of(protocol)
    missing = Cell(None, None, None, 0, "n/a", "")
    cells = {column: overall.get(column.metric, missing) for column in columns}
    titles = axis_titles(split)
    by_axis: dict[str, list[SliceLine]] = defaultdict(list)
    for score in scores:
        if score.axis and score.metric == protocol.primary:
            by_axis[score.axis].append(SliceLine(score.slice, cell_of(score, disclosure)))
    return Result(
        evaluation=evaluation,
        protocol=protocol,
        percent=disclosure.display.percent,
        primary=columns[0],
        cell=cells[columns[0]],
        grid=_grid(cells),
        slices=tuple(SliceTable(titles.get(axis, axis), tuple(found)) for axis, found in by_axis.items()),
        drawn=_drawn(evaluation, split),
    )


def _drawn(evaluation: Evaluation, split: Split) -> str:
    """The units of the intervals with their number, as the report has them, and those of metrics that draw others."""
    with artefacts.open_artefact(evaluation.report_digest) as report:
        bootstrap = json.load(report).get("bootstrap")
    if bootstrap is None:
        return ""
    titles = axis_titles(split) | {split.rules.resampling.axis: split.rules.resampling.title}
    metrics: dict[str, list[str]] = defaultdict(list)
    for metric, other in bootstrap["other_units"].items():
        metrics[f"{titles.get(other['unit'], other['unit'])} ({other['n_units']:,})"].append(metric)
    others = [f"; those of {', '.join(names)}: {unit}" for unit, names in metrics.items()]
    return f"{titles.get(bootstrap['unit'], bootstrap['unit'])} ({bootstrap['n_units']:,}){''.join(others)}"


def _without_cutoff(cells: dict[Column, Cell], group: str) -> tuple[tuple[Column, Cell], ...]:
    return tuple((column, cell) for column, cell in cells.items() if column.cutoff is None and column.group == group)


def _grid(cells: dict[Column, Cell]) -> Grid:
    cutoffs = tuple(sorted({column.cutoff for column in cells if column.cutoff is not None}))
    families = dict.fromkeys((c.group, c.prefix, c.family) for c in cells if c.cutoff is not None)
    lines: dict[str, list[Line]] = {group: [] for group in GROUPS}
    for group, prefix, family in sorted(families, key=lambda key: GROUPS.index(key[0])):
        members = {c.cutoff: c for c in cells if (c.prefix, c.family) == (prefix, family)}
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
        without_cutoff=tuple((group, found) for group in GROUPS if (found := _without_cutoff(cells, group))),
    )
