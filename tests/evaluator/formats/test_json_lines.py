"""JSON lines: one query and its ranking per line."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


def lines(lists):
    return "".join(
        json.dumps({"query_id": query, "ranking": images}) + "\n" for query, images in lists.items()
    ).encode()


def test_lines_give_the_same_run_as_the_official_file(check, circo, circo_lists):
    reading = check(lines(circo_lists), circo)
    assert reading.format == "jsonl"
    assert reading.problems.counts == {}
    assert reading.run.digest == check(circo_lists, circo).run.digest


def test_numbers_and_texts_are_the_same_ids_where_ids_are_numbers(check, circo, circo_lists):
    texts = {query: list(map(str, images)) for query, images in circo_lists.items()}
    assert check(lines(texts), circo).run.digest == check(circo_lists, circo).run.digest


def test_blank_lines_and_other_keys_are_overlooked(check, circo, circo_lists):
    more = b"".join(
        json.dumps({"note": 1, "ranking": images, "query_id": int(query)}).encode() + b"\r\n\n"
        for query, images in circo_lists.items()
    )
    assert check(more, circo).run.digest == check(circo_lists, circo).run.digest


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        (b'{"query_id": "2"', "json-invalid", "Line 4: column 17"),
        (b"[1]", "json-line-wrong", "Line 4 holds a list."),
        (b'{"query_id": "2"}', "json-line-wrong", "Line 4 has no ranking."),
        (b'{"ranking": [1]}', "json-line-wrong", "Line 4 has no query_id."),
        (b'{"query_id": true, "ranking": [1]}', "json-line-wrong", "Line 4: the query_id is true or false."),
        (b'{"query_id": "0", "ranking": [1, 2, 3, 4]}', "json-key-repeated", "Line 4 holds query 0 again."),
        (b'{"query_id": "0", "ranking": null}', "list-null", "Line 4: the ranking of query 0 is null"),
        (b'{"query_id": "0", "ranking": 5}', "list-wrong-type", "Line 4: the ranking of query 0 is a number"),
        (b'{"query_id": "0", "ranking": [1, null, 3, 4]}', "value-null", "Query 0, rank 2"),
        (b'{"query_id": "0", "ranking": [1, [2], 3, 4]}', "value-nested", "Query 0, rank 2"),
        (b'{"query_id": "0", "ranking": ["\\ud800", 2, 3, 4]}', "encoding-surrogate", "Query 0, rank 1"),
        (b"[" * 100_000, "json-too-deep", "Line 4"),
    ],
)
def test_a_bad_line_is_told_with_its_number(check, circo, circo_lists, line, code, message):
    reading = check(lines(circo_lists) + line, circo)
    problem = next(problem for problem in reading.problems if problem.code == code)
    assert problem.message.startswith(message)
    assert reading.run is None


def test_numbers_are_refused_where_ids_are_text(codes, pinpoint):
    content = lines({"00001": [1, 2], "00002": [3], "00004": [4]})
    assert codes(content, pinpoint)["value-number"] == 4


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
@given(st.binary(max_size=60) | st.text(alphabet='{}[]":,\n query_idranking01\\u', max_size=80).map(str.encode))
def test_anything_behind_a_first_line_gives_a_run_or_problems(check, circo, rest):
    reading = check(b'{"query_id": "0", "ranking": [1, 2, 3, 4]}\n' + rest, circo)
    assert (reading.run is None) == bool(reading.problems.n_errors)
