"""The pages of one benchmark: its table, its rules, how to submit."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from leaderboard.models import Paradigm, Split
from leaderboard.tables.asked import lengths_of
from leaderboard.tables.benchmarks import split_of, splits_beside
from leaderboard.tables.board import Board, Cell, Row, read_board
from leaderboard.tables.columns import Column, glosses_of, summarise_metrics
from leaderboard.tables.export import board_to_csv, board_to_json
from leaderboard.tables.finding import find_leader
from leaderboard.tables.numbers import scale_end, show_tick
from leaderboard.tables.query import BY_NAME
from leaderboard.tables.rules import UnknownChoiceError, axis_titles
from leaderboard.web.board_address import address_with, query_of
from leaderboard.web.examples import example_of, refuses_references


@dataclass(frozen=True, slots=True)
class Head:
    """A column with what its header shows."""

    column: Column
    href: str
    aria_sort: str
    end: float
    ticks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A row with its cells in the order of the heads."""

    row: Row
    primary: Cell
    cells: tuple[tuple[Head, Cell], ...]


def find_split(request: HttpRequest, slug: str) -> Split:
    try:
        return split_of(slug, request.GET.get("split", ""))
    except UnknownChoiceError as error:
        raise Http404(f"{error}; {error.remedy}") from error


def find_board(request: HttpRequest, slug: str) -> Board:
    try:
        return read_board(find_split(request, slug), query_of(request.GET))
    except UnknownChoiceError as error:
        raise Http404(f"{error}; {error.remedy}") from error


@require_safe
def leaderboard(request: HttpRequest, slug: str) -> HttpResponse:
    board = find_board(request, slug)
    heads = tuple(_head(request, board, column) for column in board.choice.columns)
    context = {
        **_about(board.split),
        "tab": "leaderboard",
        "board": board,
        "finding": find_leader(board),
        "heads": heads,
        "glosses": glosses_of(board.choice.columns, board.choice.protocol),
        "groups": _groups(heads[1:]),
        "lines": [_line(row, heads) for row in board.rows],
        "apart": [(group.reason, [_line(row, heads) for row in group.rows]) for group in board.apart],
        "n_columns": len(heads) + 2,
        "name_href": address_with(request, sort=_toggled(request, BY_NAME, BY_NAME)),
        "name_sort": _aria_sort(board, None),
        "paradigms": Paradigm.choices,
        "asked": query_of(request.GET),
        "shown_slugs": [column.slug for column in board.choice.columns],
        "chooser": _chooser(board),
        "protocol_links": [
            (p, address_with(request, protocol=p.name, sort="", slice="", c="")) for p in board.split.rules.protocols
        ],
        "chips": _chips(request, board),
        "export": address_with(request).removeprefix("?"),
    }
    return render(request, "benchmark/leaderboard.html", context)


@require_safe
def leaderboard_csv(request: HttpRequest, slug: str) -> HttpResponse:
    board = find_board(request, slug)
    name = f"{slug}-{board.split.name}-{board.choice.protocol.name}.csv"
    return HttpResponse(
        board_to_csv(board),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@require_safe
def leaderboard_json(request: HttpRequest, slug: str) -> HttpResponse:
    return JsonResponse(board_to_json(find_board(request, slug)), json_dumps_params={"indent": 1})


@require_safe
def protocol(request: HttpRequest, slug: str) -> HttpResponse:
    split = find_split(request, slug)
    cards = [(protocol, summarise_metrics(protocol), lengths_of(protocol)) for protocol in split.rules.protocols]
    refuses = refuses_references(split.folder, split.manifest_digest)
    context = {**_about(split), "tab": "protocol", "cards": cards, "refuses_references": refuses}
    return render(request, "benchmark/protocol.html", context)


@require_safe
def how_to_submit(request: HttpRequest, slug: str) -> HttpResponse:
    split = find_split(request, slug)
    context = {
        **_about(split),
        "tab": "how",
        "example": example_of(split),
        "server": request.build_absolute_uri("/").rstrip("/"),
    }
    return render(request, "benchmark/how_to_submit.html", context)


def _about(split: Split) -> dict[str, Any]:
    beside = splits_beside(split)
    suffix = f"?split={split.name}" if split.name != beside[0].name else ""
    slug = split.version.benchmark.slug
    return {
        "nav": "benchmarks",
        "split": split,
        "benchmark": split.version.benchmark,
        "splits": beside,
        "protocols": split.rules.protocols,
        "axes": axis_titles(split),
        "unit": split.rules.resampling,
        "urls": {
            name: reverse(name, args=[slug]) + suffix for name in ("leaderboard", "protocol", "how_to_submit", "submit")
        },
    }


def _head(request: HttpRequest, board: Board, column: Column) -> Head:
    cells = [row.cells[column.slug] for row in board.every_row]
    ends = [value for cell in cells for value in (cell.value, cell.high) if value is not None]
    end = scale_end(max(ends, default=1.0))
    if board.display.percent:
        end = min(end, 1.0)
    ticks = tuple(show_tick(value, board.display) for value in (0.0, end / 2, end))
    href = address_with(request, sort=_toggled(request, column.slug, column.best_first, board))
    return Head(column, href, _aria_sort(board, column), end, ticks)


def _toggled(request: HttpRequest, slug: str, first: str, board: Board | None = None) -> str:
    """The sort that a click on a header asks for: its natural direction, then the other one."""
    asked = request.GET.get("sort", "")
    if not asked and board and board.primary.slug == slug:
        asked = first
    if asked.removeprefix("-") != slug or asked != first:
        return first
    return first.removeprefix("-") if first.startswith("-") else f"-{first}"


def _aria_sort(board: Board, column: Column | None) -> str:
    if board.choice.sort_column != column:
        return ""
    return "descending" if board.choice.descending else "ascending"


def _line(row: Row, heads: tuple[Head, ...]) -> Line:
    cells = tuple((head, row.cells[head.column.slug]) for head in heads[1:])
    return Line(row=row, primary=row.cells[heads[0].column.slug], cells=cells)


def _groups(heads: tuple[Head, ...]) -> list[tuple[str, int]]:
    """Column groups of the header row with how many columns each spans; the first has the ranking column too."""
    groups: list[tuple[str, int]] = [("Overall", 1)]
    for head in heads:
        title, n = groups[-1]
        if head.column.group == title:
            groups[-1] = (title, n + 1)
        else:
            groups.append((head.column.group, 1))
    return groups


def _chooser(board: Board) -> list[tuple[str, list[Column]]]:
    groups: dict[str, list[Column]] = {}
    for column in board.all_columns:
        groups.setdefault(column.group, []).append(column)
    return list(groups.items())


def _chips(request: HttpRequest, board: Board) -> list[tuple[str, str]]:
    """What narrows the table, each with the address without it."""
    asked = query_of(request.GET)
    chips = []
    if board.choice.axis:
        titles = axis_titles(board.split)
        label = f"{titles.get(board.choice.axis, board.choice.axis)}: {board.choice.slice}"
        chips.append((label, address_with(request, slice="")))
    if asked.search:
        chips.append((f"“{asked.search}”", address_with(request, q="")))
    if asked.paradigm:
        chips.append((dict(Paradigm.choices).get(asked.paradigm, asked.paradigm), address_with(request, paradigm="")))
    return chips
