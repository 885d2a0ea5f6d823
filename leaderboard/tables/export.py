"""What a table shows, for a spreadsheet or a program."""

import csv
import io
from collections.abc import Iterator
from typing import Any

from leaderboard.tables.board import Board, Row

# A spreadsheet runs a cell that starts with one of these as a formula.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


def neutralise(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA_STARTS) else text


def board_to_csv(board: Board) -> str:
    """One line a row; values are fractions, as precise as they may be told, empty where there is none."""
    target = io.StringIO()
    writer = csv.writer(target)
    writer.writerow(_heads(board))
    for row in board.every_row:
        writer.writerow([neutralise(cell) if isinstance(cell, str) else cell for cell in _line(board, row)])
    return target.getvalue()


def board_to_json(board: Board) -> dict[str, Any]:
    """The same rows as JSON values."""
    split = board.split
    return {
        "benchmark": split.version.benchmark.slug,
        "version": split.version.version,
        "split": split.name,
        "protocol": board.choice.protocol.name,
        "primary": board.primary.metric,
        "slice": {"axis": board.choice.axis, "value": board.choice.slice} if board.choice.axis else None,
        "ground_truth_digest": split.ground_truth_digest,
        "n_methods": board.n_methods,
        "rows": [_row_to_json(board, row) for row in board.every_row],
    }


def _heads(board: Board) -> list[str]:
    heads = ["rank", "not_ranked_because", "method", "variant", "team", "paradigm", "backbone", "year", "submission"]
    for column in board.choice.columns:
        heads += [column.metric, f"{column.metric} low", f"{column.metric} high", f"{column.metric} n"]
    return heads


def _line(board: Board, row: Row) -> Iterator[str | float | None]:
    yield from (row.rank, row.apart, row.name, row.variant, row.team, row.paradigm, row.backbone, row.year)
    yield str(row.submission_id)
    for column in board.choice.columns:
        cell = row.cells[column.slug]
        yield from (cell.value, cell.low, cell.high, cell.n)


def _row_to_json(board: Board, row: Row) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "not_ranked_because": row.apart,
        "method": row.name,
        "variant": row.variant,
        "team": row.team,
        "paradigm": row.paradigm,
        "backbone": row.backbone,
        "year": row.year,
        "submission": str(row.submission_id),
        "published_at": row.published_at,
        "evidence": "re-scored",
        "metrics": {
            column.metric: {
                "value": row.cells[column.slug].value,
                "low": row.cells[column.slug].low,
                "high": row.cells[column.slug].high,
                "n": row.cells[column.slug].n,
            }
            for column in board.choice.columns
        },
    }
