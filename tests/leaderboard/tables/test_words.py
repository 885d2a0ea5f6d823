"""Numbers, columns and sentences as people read them."""

import csv
import io

import pytest

from evaluator.public.manifest import Display, LanguageRule, Protocol
from leaderboard.models import Split
from leaderboard.tables.board import read_board
from leaderboard.tables.columns import column_of, columns_shown, glosses_of
from leaderboard.tables.export import board_to_csv, board_to_json, neutralise
from leaderboard.tables.finding import find_leader
from leaderboard.tables.numbers import scale_end, show_bytes, show_duration, show_interval, show_tick, show_value
from leaderboard.tables.query import BoardQuery
from tests.cast import Cast
from tests.leaderboard.scored import scored

FRACTION, PERCENT = Display(percent=False, decimals=4), Display(percent=True, decimals=2)


@pytest.mark.parametrize(
    ("value", "display", "expected"),
    [
        (0.16984, FRACTION, "0.1698"),
        (0.34349, PERCENT, "34.35"),
        (-0.0036, FRACTION, "\N{MINUS SIGN}0.0036"),
        (0.0, FRACTION, "0.0000"),
        (0.00001, FRACTION, "<0.0001"),
        (-0.00001, FRACTION, ">\N{MINUS SIGN}0.0001"),
        (0.00004, PERCENT, "<0.01"),
        (None, PERCENT, "n/a"),
    ],
)
def test_a_value_is_shown_in_the_benchmarks_unit(value: float | None, display: Display, expected: str) -> None:
    assert show_value(value, display) == expected


@pytest.mark.parametrize(
    ("low", "high", "display", "expected"),
    [
        (0.1605, 0.1791, FRACTION, ".1605\N{EN DASH}.1791"),
        (0.283, 0.35, PERCENT, "28.3\N{EN DASH}35.0"),
        (-0.004, 0.002, FRACTION, "\N{MINUS SIGN}.0040 to .0020"),
        (0.00001, 0.0012, FRACTION, "<.0001\N{EN DASH}.0012"),
        (0.0, 0.0012, FRACTION, ".0000\N{EN DASH}.0012"),
        (None, None, FRACTION, ""),
    ],
)
def test_an_interval_is_shown_by_its_ends(
    low: float | None, high: float | None, display: Display, expected: str
) -> None:
    assert show_interval(low, high, display) == expected


@pytest.mark.parametrize(
    ("largest", "end"), [(0.1791, 0.2), (0.2, 0.2), (0.468, 0.5), (0.55, 0.6), (0.97, 1.0), (0.0, 1.0)]
)
def test_a_scale_ends_on_the_next_round_number(largest: float, end: float) -> None:
    assert scale_end(largest) == pytest.approx(end)


def test_ticks_sizes_and_durations_are_short() -> None:
    assert [show_tick(0.2, FRACTION), show_tick(0.4, PERCENT), show_tick(0.0, FRACTION)] == [".2", "40", "0"]
    assert [show_bytes(12), show_bytes(15_600_000)] == ["12 bytes", "15.6 MB"]
    assert [show_duration(s) for s in (0.84, 42, 151, 11_100, 200_000)] == [
        "0.8 s",
        "42 s",
        "2 min 31 s",
        "3 h 5 min",
        "2 days",
    ]


STEMS = ("mAP", "precision", "recall", "negative_recall", "delta_mAP")
PINPOINT = Protocol(
    name="official",
    title="Official",
    description="",
    metrics=(
        *(f"{stem}@{k}" for stem in STEMS for k in (1, 5, 10, 50)),
        "mAP@10_without_negatives",
        "linguistic_range",
        "linguistic_std",
    ),
    primary="mAP@10",
    list_length=(1, 50),
    short_lists=True,
    language=LanguageRule(axis="image_pair", metric="precision@10"),
)


def test_of_many_metrics_those_at_the_ranking_cutoff_are_shown() -> None:
    shown = [column.slug for column in columns_shown(PINPOINT, ())]
    assert shown == [
        "map_at_10",
        "precision_at_10",
        "recall_at_10",
        "negative_recall_at_10",
        "map_at_10_without_negatives",
        "delta_map_at_10",
        "linguistic_range",
    ]


def test_chosen_columns_stand_beside_the_ranking_one() -> None:
    assert [column.slug for column in columns_shown(PINPOINT, ("map_at_50",))] == ["map_at_10", "map_at_50"]


def test_a_column_knows_which_way_is_better() -> None:
    ways = {
        metric: column_of(metric, PINPOINT).better for metric in ("mAP@10", "negative_recall@10", "linguistic_range")
    }
    assert ways == {"mAP@10": "higher", "negative_recall@10": "lower", "linguistic_range": "neither"}


def test_a_metric_of_no_known_family_is_shown_by_its_own_name() -> None:
    assert column_of("novelty", PINPOINT).title == "novelty"


def test_a_family_is_explained_once() -> None:
    columns = columns_shown(PINPOINT, ("map_at_1", "map_at_5", "linguistic_range"))
    sentences = glosses_of(columns, PINPOINT)
    assert len(sentences) == 2
    assert "AP@K" in sentences[0]
    assert "P@10" in sentences[1]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", " ="])
def test_a_cell_that_a_spreadsheet_would_run_is_made_text(start: str) -> None:
    assert neutralise(f"{start}cmd|'/c calc'!A1").startswith("'")
    assert neutralise("BASIC") == "BASIC"


def test_the_csv_holds_every_row_at_full_precision_and_no_formula(cast: Cast, split: Split) -> None:
    scored(cast, split, "=HYPERLINK(1)", {"mAP@10": 0.123456789012345})
    rows = list(csv.DictReader(io.StringIO(board_to_csv(read_board(split, BoardQuery())))))
    assert rows[0]["method"] == "'=HYPERLINK(1)"
    assert float(rows[0]["mAP@10"]) == 0.123456789012345
    assert rows[0]["precision@10"] == ""


def test_the_json_holds_the_same_rows(cast: Cast, split: Split) -> None:
    scored(cast, split, "a", {"mAP@10": 0.5})
    content = board_to_json(read_board(split, BoardQuery()))
    assert content["rows"][0]["metrics"]["mAP@10"] == {"value": 0.5, "low": 0.49, "high": 0.51, "n": 12}
    assert content["primary"] == "mAP@10"


def test_the_finding_names_leader_and_gap_and_no_significance(cast: Cast, split: Split) -> None:
    scored(cast, split, "a", {"mAP@10": 0.5})
    scored(cast, split, "b", {"mAP@10": 0.25})
    scored(cast, split, "c", {"mAP@10": 0.9}, rankable=False)
    finding = find_leader(read_board(split, BoardQuery()))
    assert finding.claim == "a leads with 50.00 mAP@10."
    assert finding.rest == "Next is b, 25.00 points behind. 1 row is shown below without a rank."


def test_the_finding_says_when_two_share_the_lead(cast: Cast, split: Split) -> None:
    for name in ("a", "b"):
        scored(cast, split, name, {"mAP@10": 0.5})
    assert find_leader(read_board(split, BoardQuery())).claim == "a and b share the lead with 50.00 mAP@10."


def test_the_finding_of_an_empty_table_claims_nothing(split: Split) -> None:
    assert find_leader(read_board(split, BoardQuery())).claim == "No ranked result yet."
