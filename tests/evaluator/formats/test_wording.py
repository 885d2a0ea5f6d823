"""Values from files become short and harmless words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.formats.nearest import HINTS, NearestIds
from evaluator.formats.problems import KEPT_PER_CODE, ProblemLog
from evaluator.formats.wording import VALUE_LENGTH, cut, plain, shown

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=30,
)


@given(st.text(st.characters()))
def test_plain_text_is_printable(text):
    assert plain(text).isprintable()


@given(values)
def test_any_value_is_shown_in_a_short_text(value):
    assert len(shown(value)) <= VALUE_LENGTH


@given(st.text(max_size=50), st.integers(3, 40))
def test_cutting_keeps_head_and_tail(text, length):
    short = cut(text, length)
    assert len(short) <= max(length, len(short) if short == text else 0)
    assert short == text or (text.startswith(short.split("…")[0]) and text.endswith(short.rsplit("…", 1)[1]))


def test_a_log_keeps_ten_thousand_of_a_kind_and_counts_all():
    log = ProblemLog()
    for number in range(KEPT_PER_CODE + 5):
        log.report("query-missing", "", query=str(number))
    assert log.counts["query-missing"] == log.n_errors == KEPT_PER_CODE + 5
    assert len(list(log)) == KEPT_PER_CODE


@pytest.mark.parametrize("text", ["c60046a", "60046a8", "c60146a8", "c600046a8"])
def test_an_id_with_one_slip_has_a_near_one(text):
    assert NearestIds(["a1b2c3d4", "c60046a8", "d5e16bae"]).hint(text) == "Did you mean c60046a8?"


def test_no_id_is_near_to_something_else():
    assert NearestIds(["c60046a8", "d5e16bae"]).hint("image_0419") == ""
    assert NearestIds([]).hint("c60046a8") == ""


def test_hints_run_out_before_patience_does():
    nearest = NearestIds(["c60046a8"])
    assert [bool(nearest.hint("c60046a9")) for _ in range(HINTS + 2)] == [True] * HINTS + [False] * 2
