"""The sentence above a table, made from its numbers. It names no significance: nothing was tested here."""

from dataclasses import dataclass

from leaderboard.tables.board import Board, Row
from leaderboard.tables.numbers import show_points


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim, to be set in bold, and what follows it."""

    claim: str
    rest: str


def find_leader(board: Board) -> Finding:
    """Who leads, by how much, and which rows are shown without a rank."""
    ranked = sorted((row for row in board.rows if row.rank), key=lambda row: row.rank or 0)
    where = f" on {board.choice.slice} queries" if board.choice.axis else ""
    metric = board.primary.title
    if not ranked:
        return Finding(f"No ranked result{where} yet.", _unranked(board))
    leaders = [row for row in ranked if row.rank == ranked[0].rank]
    value = leaders[0].cells[board.primary.slug]
    names = " and ".join(row.full_name for row in leaders[:2])
    if len(leaders) > 1:
        more = f" and {len(leaders) - 2} more" if len(leaders) > 2 else ""
        return Finding(f"{names}{more} share the lead{where} with {value.text} {metric}.", _unranked(board))
    if leaders[0].rank != 1:
        return Finding(f"{names} is best of the rows shown, with {value.text} {metric}{where}.", _unranked(board))
    rest = " ".join(part for part in (_gap(ranked, board), _negatives(leaders[0], board), _unranked(board)) if part)
    return Finding(f"{names} leads{where} with {value.text} {metric}.", rest)


def _gap(ranked: list[Row], board: Board) -> str:
    if len(ranked) < 2:
        return "It is the only ranked row."
    first, second = (row.cells[board.primary.slug].value or 0.0 for row in ranked[:2])
    unit = " points" if board.display.percent else ""
    return f"Next is {ranked[1].full_name}, {show_points(abs(first - second), board.display)}{unit} behind."


def _negatives(leader: Row, board: Board) -> str:
    column = next((c for c in board.choice.columns if c.metric.startswith("negative_recall")), None)
    if column is None or not leader.cells[column.slug].best:
        return ""
    return f"It also puts the fewest hard negatives into its top {column.cutoff}."


def _unranked(board: Board) -> str:
    n = sum(len(group.rows) for group in board.apart)
    if not n:
        return ""
    return f"{n} {'row is' if n == 1 else 'rows are'} shown below without a rank."
