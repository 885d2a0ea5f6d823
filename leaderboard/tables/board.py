"""The leaderboard of one split under one protocol: rows that are public, ranked by the declared metric.

Rows of different protocols, of different ground truth or with a different number of queries never share a rank.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import AnonymousUser

from evaluator.public.manifest import Display
from leaderboard.models import Evaluation, EvaluationStatus, Score, Split, Submission
from leaderboard.results.disclosure import Disclosure
from leaderboard.tables.columns import Column, columns_of
from leaderboard.tables.numbers import show_interval, show_value
from leaderboard.tables.query import BoardQuery, Choice, check_query
from leaderboard.tables.ranking import competition_ranks, sort_missing_last
from leaderboard.tables.rules import UnknownChoiceError, axis_titles

# How no axis and no slice are written together.
ALL_QUERIES = ":"
# The warnings of a report that say why its row has no rank; the others are no reason.
UNRANKED_BY = ("uploads-unranked", "lenient", "part-missing", "lists-short")


@dataclass(frozen=True, slots=True)
class Cell:
    """One number of a row, as it may be told and as shown."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    text: str
    interval: str
    best: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One method's result.

    Attributes:
        rank: None for a row that may not be ranked.
        apart: Why it has no rank; "" for ranked rows.
        cells: Column slug -> cell, for the shown columns, the ranking one and the one sorted by.
    """

    submission_id: UUID
    name: str
    variant: str
    team: str
    paradigm: str
    paradigm_title: str
    backbone: str
    year: int | None
    published_at: datetime | None
    cells: dict[str, Cell]
    rank: int | None = None
    apart: str = ""

    @property
    def full_name(self) -> str:
        return f"{self.name} {self.variant}".strip()


@dataclass(frozen=True, slots=True)
class Apart:
    """Rows without a rank, and the sentence that says why."""

    reason: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class SliceGroup:
    """An axis with its values, for the reader to choose from."""

    axis: str
    title: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """A table as asked for."""

    split: Split
    choice: Choice
    display: Display
    all_columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    apart: tuple[Apart, ...]
    slices: tuple[SliceGroup, ...]
    n_methods: int

    @property
    def primary(self) -> Column:
        return self.choice.columns[0]

    @property
    def n_shown(self) -> int:
        return len(self.rows) + sum(len(group.rows) for group in self.apart)

    @property
    def every_row(self) -> tuple[Row, ...]:
        return self.rows + tuple(row for group in self.apart for row in group.rows)


def read_board(split: Split, query: BoardQuery) -> Board:
    """Read a table in three SQL queries, however many rows it has.

    Raises:
        UnknownChoiceError: If the query names a protocol, column or slice that is not there.
    """
    choice = check_query(split, query)
    evaluations = public_evaluations(split, choice.protocol.name)
    slices = _slices(split, evaluations)
    _check_slice(choice, slices)
    ranked, unranked = _ranked(_rows(evaluations, choice, Disclosure.of(split)), choice)
    ranked = _with_best(ranked, choice)
    matching = [row for row in ranked if _matches(row, query)]
    return Board(
        split=split,
        choice=choice,
        display=split.rules.display,
        all_columns=columns_of(choice.protocol),
        rows=tuple(_sorted(matching, choice)),
        apart=_apart([row for row in unranked if _matches(row, query)], choice),
        slices=slices,
        n_methods=len(evaluations),
    )


def public_evaluations(split: Split, protocol: str) -> list[Evaluation]:
    """Scored evaluations against the split's present ground truth, the newest of each public submission."""
    public = Submission.objects.visible_to(AnonymousUser())
    return list(
        Evaluation.objects.filter(
            split=split,
            protocol=protocol,
            status=EvaluationStatus.SCORED,
            ground_truth_digest=split.ground_truth_digest,
            submission__in=public,
        )
        .select_related("submission__method__team")
        .order_by("submission_id", "-scoring_revision")
        .distinct("submission_id")
    )


def _slices(split: Split, evaluations: list[Evaluation]) -> tuple[SliceGroup, ...]:
    # Every evaluation of a protocol has the same slices, so one is enough to know them.
    if not evaluations:
        return ()
    pairs = (
        Score.objects.filter(evaluation=evaluations[0])
        .exclude(axis="")
        .values_list("axis", "slice")
        .distinct()
        .order_by("axis", "slice")
    )
    values: dict[str, list[str]] = defaultdict(list)
    for axis, value in pairs:
        values[axis].append(value)
    titles = axis_titles(split)
    return tuple(SliceGroup(axis, titles.get(axis, axis), tuple(values[axis])) for axis in values)


def _check_slice(choice: Choice, slices: tuple[SliceGroup, ...]) -> None:
    known = [f"{group.axis}:{value}" for group in slices for value in group.values]
    asked = f"{choice.axis}:{choice.slice}"
    if asked != ALL_QUERIES and asked not in known:
        raise UnknownChoiceError("slice", asked, known)


def _rows(evaluations: list[Evaluation], choice: Choice, disclosure: Disclosure) -> list[Row]:
    columns = {column.metric: column for column in choice.columns}
    if choice.sort_column:
        columns[choice.sort_column.metric] = choice.sort_column
    cells: dict[UUID, dict[str, Cell]] = defaultdict(dict)
    scores = Score.objects.filter(
        evaluation__in=[evaluation.id for evaluation in evaluations],
        axis=choice.axis,
        slice=choice.slice,
        metric__in=columns,
    )
    for score in scores:
        cells[score.evaluation_id][columns[score.metric].slug] = cell_of(score, disclosure)
    newest = max((evaluation.scoring_revision for evaluation in evaluations), default=0)
    missing = {column.slug: Cell(None, None, None, 0, "n/a", "") for column in columns.values()}
    return [_row(evaluation, missing | cells[evaluation.id], newest) for evaluation in evaluations]


def cell_of(score: Score, disclosure: Disclosure) -> Cell:
    """The cell of a score. Ranks, bests and gaps are made from cells, so they tell no more either."""
    exact = {"value": score.value, "low": score.low, "high": score.high, "n": score.n}
    told = disclosure.estimate(exact, score.axis)
    return Cell(
        **told,
        text=show_value(told["value"], disclosure.display),
        interval=show_interval(told["low"], told["high"], disclosure.display),
    )


def _row(evaluation: Evaluation, cells: dict[str, Cell], newest_revision: int) -> Row:
    submission = evaluation.submission
    method = submission.method
    return Row(
        submission_id=submission.id,
        name=method.name,
        variant=method.variant,
        team=method.team.name,
        paradigm=method.paradigm,
        paradigm_title=method.get_paradigm_display(),
        backbone=method.backbone,
        year=method.year,
        published_at=submission.published_at,
        cells=cells,
        apart=_why_apart(evaluation, newest_revision),
    )


def _why_apart(evaluation: Evaluation, newest_revision: int) -> str:
    if evaluation.scoring_revision < newest_revision:
        return "scored by an earlier revision of the scorer, to be scored again"
    if evaluation.rankable:
        return ""
    reasons = [warning["message"] for warning in evaluation.warnings if warning["code"] in UNRANKED_BY]
    return reasons[0].rstrip(".") if reasons else "the ranking metric cannot be given for these lists"


def _ranked(rows: list[Row], choice: Choice) -> tuple[list[Row], list[Row]]:
    primary = choice.columns[0]
    full = max((row.cells[primary.slug].n for row in rows if not row.apart), default=0)
    rows = [replace(row, apart=row.apart or _why_unequal(row.cells[primary.slug], full, primary)) for row in rows]
    ranked = [row for row in rows if not row.apart]
    values = [row.cells[primary.slug].value or 0.0 for row in ranked]
    ranks = competition_ranks(values, descending=primary.better != "lower")
    return [replace(row, rank=rank) for row, rank in zip(ranked, ranks, strict=True)], [r for r in rows if r.apart]


def _why_unequal(cell: Cell, full: int, primary: Column) -> str:
    if cell.value is None:
        return f"no {primary.title} can be given here"
    if cell.n != full:
        return f"{full - cell.n:,} queries are missing, so these are means over {cell.n:,} of {full:,}"
    return ""


def _with_best(rows: list[Row], choice: Choice) -> list[Row]:
    """Mark the best of each column among the ranked rows; one row alone is no best."""
    best: dict[str, float] = {}
    for column in choice.columns:
        values = [v for row in rows if (v := row.cells[column.slug].value) is not None]
        if column.better != "neither" and len(values) > 1:
            best[column.slug] = min(values) if column.better == "lower" else max(values)
    return [
        replace(
            row,
            cells={
                slug: replace(cell, best=slug in best and cell.value == best[slug]) for slug, cell in row.cells.items()
            },
        )
        for row in rows
    ]


def _matches(row: Row, query: BoardQuery) -> bool:
    text = f"{row.full_name} {row.team} {row.backbone} {row.paradigm_title}".casefold()
    words = query.search.casefold().split()
    return all(word in text for word in words) and query.paradigm in {"", row.paradigm}


def _sorted(rows: Iterable[Row], choice: Choice) -> list[Row]:
    column = choice.sort_column
    if column is None:
        return sorted(rows, key=lambda row: row.full_name.casefold(), reverse=choice.descending)
    return sort_missing_last(
        rows,
        lambda row: row.cells[column.slug].value,
        lambda row: row.full_name.casefold(),
        descending=choice.descending,
    )


def _apart(rows: list[Row], choice: Choice) -> tuple[Apart, ...]:
    reasons = list(dict.fromkeys(row.apart for row in rows))
    return tuple(
        Apart(reason, tuple(_sorted([row for row in rows if row.apart == reason], choice))) for reason in reasons
    )
