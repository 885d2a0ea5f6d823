"""The table: who is in it, in which order, with which rank, and at what cost."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from leaderboard.models import Split, Visibility
from leaderboard.tables.board import Board, read_board
from leaderboard.tables.query import BoardQuery
from leaderboard.tables.rules import UnknownChoiceError
from tests.cast import Cast
from tests.leaderboard.scored import add_scores, scored


def names(board: Board) -> list[str]:
    return [row.name for row in board.rows]


def ranks(board: Board) -> dict[str, int | None]:
    return {row.name: row.rank for row in board.every_row}


def test_rows_stand_best_first_by_the_declared_metric(cast: Cast, split: Split) -> None:
    for name, value in (("low", 0.1), ("high", 0.9), ("middle", 0.5)):
        scored(cast, split, name, {"mAP@10": value, "precision@10": 1 - value})
    board = read_board(split, BoardQuery())
    assert names(board) == ["high", "middle", "low"]
    assert ranks(board) == {"high": 1, "middle": 2, "low": 3}


def test_a_rank_stays_with_its_row_whatever_the_table_is_sorted_by(cast: Cast, split: Split) -> None:
    scored(cast, split, "first", {"mAP@10": 0.9, "precision@10": 0.1})
    scored(cast, split, "second", {"mAP@10": 0.1, "precision@10": 0.9})
    board = read_board(split, BoardQuery(sort="-precision_at_10"))
    assert names(board) == ["second", "first"]
    assert ranks(board) == {"first": 1, "second": 2}


@pytest.mark.parametrize(
    ("sort", "expected"), [("-precision_at_10", ["b", "a", "none"]), ("precision_at_10", ["a", "b", "none"])]
)
def test_a_missing_value_is_last_in_both_directions(cast: Cast, split: Split, sort: str, expected: list[str]) -> None:
    scored(cast, split, "none", {"mAP@10": 0.5, "precision@10": None})
    scored(cast, split, "a", {"mAP@10": 0.4, "precision@10": 0.2})
    scored(cast, split, "b", {"mAP@10": 0.3, "precision@10": 0.3})
    assert names(read_board(split, BoardQuery(sort=sort))) == expected


def test_a_score_that_was_never_written_counts_as_missing(cast: Cast, split: Split) -> None:
    scored(cast, split, "bare", {"mAP@10": 0.5})
    scored(cast, split, "whole", {"mAP@10": 0.4, "precision@10": 0.2})
    assert names(read_board(split, BoardQuery(sort="-precision_at_10"))) == ["whole", "bare"]


def test_equal_scores_share_a_rank_and_the_next_one_is_skipped(cast: Cast, split: Split) -> None:
    for name, value in (("a", 0.5), ("b", 0.5), ("c", 0.4)):
        scored(cast, split, name, {"mAP@10": value})
    assert ranks(read_board(split, BoardQuery())) == {"a": 1, "b": 1, "c": 3}


def test_rows_that_may_not_be_ranked_stand_apart_with_the_reason(cast: Cast, split: Split) -> None:
    scored(cast, split, "good", {"mAP@10": 0.5})
    warnings = [
        {"code": "queries-dropped", "message": "2 queries have no positive."},
        {"code": "lists-short", "message": "The shortest list holds 10 of 50 images."},
    ]
    scored(cast, split, "short", {"mAP@10": 0.9}, rankable=False, warnings=warnings)
    board = read_board(split, BoardQuery())
    assert names(board) == ["good"]
    assert [(group.reason, [row.name for row in group.rows]) for group in board.apart] == [
        ("The shortest list holds 10 of 50 images", ["short"])
    ]


def test_rows_over_fewer_queries_never_share_a_rank_with_the_others(cast: Cast, split: Split) -> None:
    scored(cast, split, "whole", {"mAP@10": 0.5}, n=12)
    scored(cast, split, "part", {"mAP@10": 0.9}, n=10)
    board = read_board(split, BoardQuery())
    assert ranks(board) == {"whole": 1, "part": None}
    assert "10 of 12" in board.apart[0].reason


def test_rows_of_an_earlier_scoring_revision_are_not_ranked_with_the_newest(cast: Cast, split: Split) -> None:
    old = scored(cast, split, "old", {"mAP@10": 0.9})
    scored(cast, split, "new", {"mAP@10": 0.5}, scoring_revision=2)
    board = read_board(split, BoardQuery())
    assert ranks(board) == {"new": 1, "old": None}
    add_scores(old, {"mAP@10": 0.9}, protocol="clean")
    assert ranks(read_board(split, BoardQuery(protocol="clean"))) == {"old": 1}


def test_protocols_never_share_a_table(cast: Cast, split: Split) -> None:
    scored(cast, split, "official", {"mAP@10": 0.5})
    scored(cast, split, "clean", {"mAP@10": 0.6}, protocol="clean")
    assert names(read_board(split, BoardQuery(protocol="official"))) == ["official"]
    assert names(read_board(split, BoardQuery(protocol="clean"))) == ["clean"]


@pytest.mark.parametrize(
    "visibility", [Visibility.PRIVATE, Visibility.REQUESTED, Visibility.DECLINED, Visibility.HIDDEN]
)
def test_what_is_not_public_is_not_in_the_table(cast: Cast, split: Split, visibility: str) -> None:
    scored(cast, split, "secret", {"mAP@10": 0.9}, visibility=visibility)
    board = read_board(split, BoardQuery())
    assert board.n_methods == 0
    assert not board.every_row


def test_results_against_another_ground_truth_are_not_in_the_table(cast: Cast, split: Split) -> None:
    scored(cast, split, "old", {"mAP@10": 0.9}, ground_truth_digest="f" * 64)
    assert not read_board(split, BoardQuery()).every_row


def test_a_slice_has_its_own_values_and_ranks(cast: Cast, split: Split) -> None:
    odd = ("kind", "odd")
    scored(cast, split, "a", {"mAP@10": 0.9}, slices={odd: {"mAP@10": 0.1}})
    scored(cast, split, "b", {"mAP@10": 0.5}, slices={odd: {"mAP@10": 0.6}})
    board = read_board(split, BoardQuery(slice="kind:odd"))
    assert ranks(board) == {"b": 1, "a": 2}
    assert [(group.title, group.values) for group in board.slices] == [("Kind", ("odd",))]


def test_the_best_of_each_column_is_marked_in_its_own_direction(cast: Cast, split: Split) -> None:
    scored(cast, split, "a", {"mAP@10": 0.9, "negative_recall@10": 0.3})
    scored(cast, split, "b", {"mAP@10": 0.5, "negative_recall@10": 0.1})
    best = {
        (row.name, slug)
        for row in read_board(split, BoardQuery()).rows
        for slug, cell in row.cells.items()
        if cell.best
    }
    assert best == {("a", "map_at_10"), ("b", "negative_recall_at_10")}


def test_a_search_narrows_the_rows_and_leaves_their_ranks(cast: Cast, split: Split) -> None:
    scored(cast, split, "BASIC", {"mAP@10": 0.9})
    scored(cast, split, "SEARLE", {"mAP@10": 0.5}, method={"backbone": "CLIP ViT-L/14"})
    board = read_board(split, BoardQuery(search="vit-l searle"))
    assert ranks(board) == {"SEARLE": 2}
    assert board.n_methods == 2


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        (BoardQuery(sort="-nothing"), "sort"),
        (BoardQuery(protocol="nothing"), "protocol"),
        (BoardQuery(slice="kind:nothing"), "slice"),
        (BoardQuery(slice=":nothing"), "slice"),
        (BoardQuery(slice="kind:"), "slice"),
        (BoardQuery(columns=("nothing",)), "column"),
    ],
)
def test_an_unknown_choice_says_what_there_is(cast: Cast, split: Split, query: BoardQuery, kind: str) -> None:
    scored(cast, split, "a", {"mAP@10": 0.9}, slices={("kind", "odd"): {"mAP@10": 0.1}})
    with pytest.raises(UnknownChoiceError) as caught:
        read_board(split, query)
    assert caught.value.kind == kind
    assert "use one of" in caught.value.remedy


@pytest.mark.parametrize("n_rows", [1, 50])
def test_a_table_takes_three_queries_however_many_rows_it_has(cast: Cast, split: Split, n_rows: int) -> None:
    for number in range(n_rows):
        scored(cast, split, f"method {number}", {"mAP@10": number / 100}, slices={("kind", "odd"): {"mAP@10": 0.1}})
    with CaptureQueriesContext(
        connection,
    ) as queries:
        board = read_board(split, BoardQuery(slice="kind:odd", sort="-map_at_10"))
    assert len(board.rows) == n_rows
    assert len(queries) == 3
