"""What a reader could lose or take otherwise without a word, each once found by trying."""

import io
import json

import numpy as np
import pytest


def npz(**arrays):
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


@pytest.fixture
def codes(check, pinpoint):
    """Codes of the errors that a content has as a run of PinPoint's shape."""

    def codes_of(content):
        problems = check(content, pinpoint).problems
        return list(dict.fromkeys(problem.code for problem in problems if problem.severity == "error"))

    return codes_of


def test_a_key_that_stands_twice_in_a_line_is_reported(codes, pinpoint_lists):
    lines = [
        json.dumps({"query_id": query, "ranking": entry["retrieved_items"]}) for query, entry in pinpoint_lists.items()
    ]
    assert codes("\n".join(lines).encode()) == []
    twice = lines[0].replace('"ranking"', '"ranking": [], "ranking"')
    assert codes("\n".join([twice, *lines[1:]]).encode()) == ["json-key-repeated"]


def test_a_hexadecimal_rank_is_no_rank(codes, pinpoint_lists):
    rows = [
        f"{query} Q0 {image} {rank} {100 - rank} t"
        for query, entry in pinpoint_lists.items()
        for rank, image in enumerate(entry["retrieved_items"])
    ]
    assert codes("\n".join(rows).encode()) == []
    assert "trec-rank" in codes("\n".join([rows[0].replace(" 0 ", " 0x0 "), *rows[1:]]).encode())


@pytest.mark.parametrize(
    "arrays",
    [
        {"ranking": np.zeros((10**6, 0), np.int32)},
        {"ranking": np.zeros((3, 4), np.int32), "query_ids": np.array(["a"] * 10**5)},
    ],
)
def test_an_array_that_claims_many_lists_is_refused_before_any_is_made(codes, arrays):
    assert codes(npz(**arrays)) == ["npz-shape"]


def test_query_ids_that_are_no_letters_are_refused(codes):
    ids = np.array(["ab"] * 3)
    ids.view(np.uint32)[:] = 0x7FFFFFFF
    assert codes(npz(ranking=np.zeros((3, 4), np.int32), query_ids=ids)) == ["npz-dtype"]
