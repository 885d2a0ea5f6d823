"""TREC runs: six columns, ranks, scores, and what is wrong with them."""

import gzip
import time

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaluator.formats.trec import decode_id, encode_id

SEPARATORS = ("\t", " ", "  ", " \t ")


def trec(lists, separator=" ", first_rank=1, end="\n"):
    return "".join(
        separator.join((query, "Q0", str(image), str(rank + first_rank), str(100 - rank), "mine")) + end
        for query, images in lists.items()
        for rank, image in enumerate(images)
    ).encode()


@pytest.fixture
def lists(circo_lists):
    return circo_lists


@pytest.mark.parametrize("separator", SEPARATORS)
@pytest.mark.parametrize("first_rank", [0, 1])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n"])
def test_columns_may_be_separated_and_counted_in_any_usual_way(check, circo, lists, separator, first_rank, end):
    reading = check(trec(lists, separator, first_rank, end), circo)
    assert reading.format == "trec"
    assert reading.problems.counts == {}
    assert reading.run.digest == check(lists, circo).run.digest


@pytest.mark.parametrize("pack", [gzip.compress, lambda content: pa.compress(content, codec="zstd", asbytes=True)])
def test_a_run_may_be_packed(check, circo, lists, pack):
    assert check(pack(trec(lists)), circo).run.digest == check(lists, circo).run.digest


def test_lines_may_stand_in_any_order(check, circo, lists):
    lines = trec(lists).splitlines(keepends=True)
    mixed = b"".join(lines[::-2] + lines[::2] if len(lines) % 2 else lines[::-1])
    assert check(mixed, circo).run.digest == check(lists, circo).run.digest


def test_a_byte_order_mark_is_a_warning(codes, circo, lists):
    assert codes(b"\xef\xbb\xbf" + trec(lists), circo) == {"encoding-bom": 1}


def changed(lists, line, old, new):
    lines = trec(lists).decode().splitlines()
    lines[line] = new.join(lines[line].rsplit(old, 1))
    return "\n".join(lines).encode()


@pytest.mark.parametrize(
    ("line", "old", "new", "code", "message"),
    [
        (1, " mine", " my method", "trec-columns", "Line 2 has 7 columns."),
        (1, " mine", "", "trec-columns", "Line 2 has 5 columns."),
        (2, " 3 ", " third ", "trec-rank", "Line 3, query 0: the rank is third."),
        (2, " 3 ", " 2.0 ", "trec-rank", "Line 3, query 0: the rank is 2.0."),
        (2, " 3 ", " -3 ", "trec-rank", "Line 3, query 0: the rank is -3."),
        (4, " 100 ", " nan ", "trec-score", "Line 5, query 1: the score is nan."),
        (4, " 100 ", " Infinity ", "trec-score", "Line 5, query 1: the score is Infinity."),
        (4, " 100 ", " 1e999 ", "trec-score", "Line 5, query 1: the score is 1e999."),
        (4, " 100 ", " high ", "trec-score", "Line 5, query 1: the score is high."),
        (2, " 3 ", " 2 ", "rank-repeated", "Query 0 has rank 2 more than once."),
        (3, " 4 ", " 6 ", "rank-gap", "The list of query 0 goes on from rank 3 with rank 6."),
        (2, " 98 ", " 99.5 ", "trec-rank-score", "Query 0: rank 3 has score 99.5, above the 99 of rank 2."),
    ],
)
def test_a_fault_is_told_with_its_place(check, circo, lists, line, old, new, code, message):
    reading = check(changed(lists, line, old, new), circo)
    problem = next(problem for problem in reading.problems if problem.code == code)
    assert problem.message == message
    assert reading.run is None


def test_a_score_that_contradicts_the_rank_names_query_rank_and_both_scores(only, circo, lists):
    problem = only(changed(lists, 2, " 98 ", " 99.5 "), circo)
    assert (problem.query, problem.rank, problem.value) == ("0", 3, "99.5")
    assert "99.0" in problem.expected


def test_ties_are_one_warning_with_their_number(check, circo, lists):
    content = trec(lists).replace(b" 99 ", b" 98 ").replace(b" 97 ", b" 98.0 ")
    reading = check(content, circo)
    assert reading.run.digest == check(lists, circo).run.digest
    assert reading.problems.counts == {"trec-tie": 1}
    assert next(iter(reading.problems)).message.startswith("6 entries")


@pytest.mark.parametrize("score", ["+1", "1.", ".5", "-3e-7", "0007", "1E+2"])
def test_any_usual_number_is_a_score(codes, circo, lists, score):
    lines = [line.rsplit(" ", 2)[0] + f" {score} mine" for line in trec(lists).decode().splitlines()]
    assert codes("\n".join(lines).encode(), circo) == {"trec-tie": 1}


def test_text_that_is_not_utf8_is_told_with_its_line(only, circo, lists):
    problem = only(trec(lists).replace(b"mine", b"m\xefne", 2), circo)
    assert problem.code == "encoding-not-utf8"
    assert "line 1" in problem.message


@pytest.mark.parametrize("line", ["0 Q0 1 1 nan mine", "0 Q0 1 1", "0 Q0 1 one 1 mine", "0 Q0 1 1 1 mine"])
def test_a_million_bad_lines_take_seconds_at_most(check, circo, line):
    begun = time.perf_counter()
    assert check(f"{line}\n".encode() * 1_000_000, circo).run is None
    assert time.perf_counter() - begun < 20


@given(st.text())
def test_any_id_survives_its_encoding(text):
    encoded = encode_id(text)
    assert decode_id(encoded) == text
    assert len(encoded.split()) == (1 if text else 0)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
@given(st.text(alphabet="0123 Q\t\n\r.e-n%é\u00a0", max_size=120))
def test_anything_behind_a_first_line_gives_a_run_or_problems(check, circo, rest):
    reading = check(b"0 Q0 1 1 4 mine\n" + rest.encode(), circo)
    assert reading.format == "trec"
    assert (reading.run is None) == bool(reading.problems.n_errors)
