"""A million faults in one file are counted in bounded time and memory, whichever format it has."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from evaluator.formats.isolated import check_file
from evaluator.formats.limits import MIB, Limits

N = 1_000_000
BOUNDS = replace(Limits(), memory_bytes=1024 * MIB, cpu_s=30)
"""Half of what a check may take; passing one kills it, and the test fails."""

FILES: dict[str, tuple[Callable[[], bytes], str, int]] = {
    "entries that are null": (lambda: b'{"0": [' + b"null," * N + b"1]}", "value-null", N),
    "ids that can be none": (
        lambda: b'{"0": [' + b",".join(b'"x%d"' % number for number in range(N)) + b"]}",
        "image-ill-formed",
        N,
    ),
    "unknown queries": (
        lambda: b'{"0": [],' + b",".join(b'"q%d": [1]' % number for number in range(3, N + 3)) + b"}",
        "query-unknown",
        N,
    ),
    "repeated keys": (
        lambda: b"{" + b",".join(b'"%d": [1]' % (number // 2) for number in range(2 * N)) + b"}",
        "json-key-repeated",
        N,
    ),
    "lines that are no queries": (
        lambda: b'{"query_id": "0", "ranking": [1]}\n' + b"[]\n" * N,
        "json-line-wrong",
        N,
    ),
    "TREC lines without six columns": (lambda: b"0 Q0 1 1 1 me\n" + b"x y\n" * N, "trec-columns", N),
    "TREC ranks that are repeated": (lambda: b"0 Q0 1 1 1 me\n" * (N + 1), "rank-repeated", N),
}
"""What a file is full of -> its bytes, and the code and number of its problems."""


@pytest.mark.parametrize("what", FILES)
def test_a_million_problems_are_counted_within_half_of_what_a_check_may_take(what, tmp_path, circo):
    content, code, n_problems = FILES[what]
    path = tmp_path / "run"
    path.write_bytes(content())
    outcome = check_file(path, circo.public_root, tmp_path / "out.npz", limits=BOUNDS)
    assert outcome.status == "rejected", outcome.detail
    assert n_problems in [group["count"] for group in outcome.report["groups"] if group["code"] == code]
    assert sum(len(group["shown"]) for group in outcome.report["groups"]) <= 20 * len(outcome.report["groups"])
