"""GeneCIS's file: one order of positions per query, by position."""

import pytest

from evaluator.score import score

IDENTITY = list(range(15))


@pytest.fixture
def read(genecis, check):
    """Read a JSON value."""
    return lambda content, **options: check(content, genecis, **options)


@pytest.fixture
def only(read):
    """The one problem of a run whose second order is replaced."""

    def only(order):
        (problem,) = read([IDENTITY, order, IDENTITY]).problems
        return problem

    return only


def test_positions_become_the_images_of_each_querys_gallery(read):
    run = read([IDENTITY, [*IDENTITY[1:], 0], IDENTITY[::-1]]).run
    assert run.query_ids == ("0", "1", "2")
    assert run.ranked(0)[:2] == ["100", "101"]
    assert run.ranked(1)[-1] == "110"
    assert run.ranked(2)[0] == "214"


def test_recall_is_that_of_the_target_and_the_run_is_not_ranked(read, genecis):
    orders = [IDENTITY, [2, 0, *IDENTITY[3:], 1], [3, 4, 0, 1, 2, *IDENTITY[5:]]]
    report = score(read(orders).run, genecis, genecis.public_root.parent / "sealed")
    values = [report.metrics[f"recall@{k}"].value for k in (1, 2, 3)]
    assert values == pytest.approx([1 / 3, 2 / 3, 1])
    assert not report.rankable
    assert "uploads-unranked" in {warning.code for warning in report.warnings}
    assert (report.bootstrap["unit"], report.bootstrap["n_units"]) == ("reference", 2)


def test_the_identity_scores_one(read, genecis):
    report = score(read([IDENTITY] * 3).run, genecis, genecis.public_root.parent / "sealed")
    assert report.metrics["recall@1"].value == 1.0


@pytest.mark.parametrize(("n", "words"), [(2, "2 lists"), (4, "4 lists"), (1, "1 list")])
def test_another_number_of_lists_is_refused_in_one_message(read, n, words):
    (problem,) = read([IDENTITY] * n).problems
    assert (problem.code, problem.message) == ("lists-wrong-number", f"The file holds {words} for 3 queries.")
    assert problem.expected == "exactly 3 lists"


@pytest.mark.parametrize(
    ("order", "faults"),
    [
        ([0, 0, *IDENTITY[2:]], "0 stands 2 times; missing: 1"),
        (IDENTITY[:-1], "missing: 14"),
        ([], "missing: 0, 1, 2, 3, 4 and 10 more"),
        ([*IDENTITY, 3], "3 stands 2 times"),
        ([*IDENTITY, 15], "rank 16 holds 15, which is not within 0 to 14"),
        ([-1, *IDENTITY[1:]], "rank 1 holds -1, which is not within 0 to 14; missing: 0"),
        (["0", *IDENTITY[1:]], 'rank 1 holds "0", which is no integer; missing: 0'),
        ([0.0, *IDENTITY[1:]], "rank 1 holds 0.0, which is no integer; missing: 0"),
        ([0, True, *IDENTITY[2:]], "rank 2 holds true, which is no integer; missing: 1"),
        ([0, None, *IDENTITY[2:]], "rank 2 holds null, which is no integer; missing: 1"),
        ([[0], *IDENTITY[1:]], "rank 1 holds [0], which is no integer; missing: 0"),
        ([*IDENTITY, *range(15, 25)], None),
    ],
)
def test_what_keeps_a_list_from_being_an_order_is_said_in_one_message(only, order, faults):
    problem = only(order)
    assert (problem.code, problem.query, problem.expected) == ("order-wrong", "1", "each of 0 to 14 once")
    if faults is None:
        assert problem.message.endswith("rank 20 holds 19, which is not within 0 to 14; and 5 more.")
    else:
        assert problem.message == f"The list of query 1 is no order of its 15 images: {faults}."


@pytest.mark.parametrize(
    ("order", "code", "message"),
    [
        (None, "list-null", "Query 1 has null instead of a list."),
        ({"0": 1}, "list-wrong-type", "Query 1 has an object instead of a list."),
        (3, "list-wrong-type", "Query 1 has a number instead of a list."),
    ],
)
def test_an_entry_that_is_no_list_is_named(only, order, code, message):
    problem = only(order)
    assert (problem.code, problem.message) == (code, message)


def test_every_faulty_list_is_reported(read):
    assert read([IDENTITY[1:], None, [0] * 15]).problems.counts == {"order-wrong": 2, "list-null": 1}


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ({"0": IDENTITY}, "benchmark-wrong"),
        ("0", "format-wrong"),
        ([{"candidate": "a", "captions": [], "ranking": []}], "benchmark-wrong"),
    ],
)
def test_a_file_that_is_something_else_is_said_so(read, content, code):
    (problem,) = read(content).problems
    assert problem.code == code


def test_leniency_does_not_make_an_order_of_what_is_none(read):
    reading = read([IDENTITY, IDENTITY[1:], IDENTITY], lenient=True)
    assert reading.run is None
