"""Whatever is sent, the check ends in a reading: a run, or problems. Never a traceback, never a long wait."""

import gzip
import io
import json
import time

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaluator.formats.outcome import report_of
from evaluator.formats.read import read_run
from evaluator.formats.report_text import group_lines

_STREAM = io.BytesIO()
np.savez(_STREAM, ranking=np.zeros((3, 4), np.int32))
NPZ = _STREAM.getvalue()

QUICK = settings(max_examples=150, deadline=2000, suppress_health_check=[HealthCheck.function_scoped_fixture])

leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(10**40), 10**40)
    | st.floats()
    | st.text(st.characters(), max_size=12)
    | st.sampled_from(["1", " 1", "01", "1.0", "\u0661", "\uff11", "0" * 40, "=cmd", "\x1b[2J", "\ud800", "a" * 500])
)
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=8), inner, max_size=6),
    max_leaves=40,
)
keys = st.sampled_from(["0", "1", "2", "00001", "00002", "00004", "query_00001", "01", "note", ""]) | st.text(
    max_size=6
)
entries = st.lists(leaves, max_size=6) | values
files = st.dictionaries(keys, entries | st.fixed_dictionaries({"retrieved_items": entries}), max_size=6)


HEADS = (
    *(b"", b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"PK\x03\x04", b"{", b"["),
    *(b"PAR1", NPZ[:40], NPZ[:-40], b'{"query_id": "0", "ranking": [', b"0 Q0 1 1 0.5 me\n0 Q0 "),
)
"""How packed files and those of each format begin."""


def reading_of(folder, content, benchmark, *, lenient=False):
    path = folder / "run"
    path.write_bytes(content)
    reading = read_run(path, benchmark, lenient=lenient)
    assert (reading.run is None) == bool(reading.problems.n_errors)
    report = json.loads(json.dumps(report_of(reading), allow_nan=False))
    for group in report["groups"]:
        assert all(line.isprintable() for line in group_lines(group))
        assert all(problem["message"] for problem in group["shown"])
    return reading


@pytest.fixture(
    params=["circo", "pinpoint", "two_galleries", "cirr", "fashioniq", "genecis", "icir", "domain_conversion", "own"]
)
def benchmark(request):
    return request.getfixturevalue(request.param)


@QUICK
@given(
    content=st.binary(max_size=300),
    head=st.sampled_from(HEADS),
)
def test_any_bytes_are_read(tmp_path, benchmark, content, head):
    reading_of(tmp_path, head + content, benchmark)


@QUICK
@given(value=values | files, lenient=st.booleans())
def test_any_json_value_is_read(tmp_path, benchmark, value, lenient):
    reading_of(tmp_path, json.dumps(value).encode(), benchmark, lenient=lenient)


@QUICK
@given(data=st.data())
def test_a_valid_file_with_some_bytes_changed_is_read(tmp_path, benchmark, circo_lists, pinpoint_lists, data):
    lists = circo_lists if benchmark.manifest.run_format == "circo" else pinpoint_lists
    content = bytearray(json.dumps(lists).encode())
    if data.draw(st.booleans()):
        content = bytearray(gzip.compress(bytes(content), mtime=0))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    reading_of(tmp_path, bytes(content), benchmark)


@QUICK
@given(data=st.data())
def test_a_valid_file_with_one_entry_replaced_has_no_other_fault(tmp_path, circo, circo_lists, data):
    query, rank = data.draw(st.sampled_from("012")), data.draw(st.integers(0, 3))
    ranked = [*circo_lists[query][:rank], data.draw(values), *circo_lists[query][rank + 1 :]]
    reading = reading_of(tmp_path, json.dumps({**circo_lists, query: ranked}).encode(), circo)
    assert {problem.query for problem in reading.problems} <= {query}
    assert len(set(reading.problems.counts) - {"image-repeated", "reference-in-list"}) <= 1


@pytest.mark.parametrize(
    "content",
    [
        b"[" * 5_000_000,
        b'{"0": ' * 500_000,
        b'{"0": [' + b"1" * 5_000_000 + b"]}",
        b'{"0": [' + b"9" * 4000 + (b"," + b"9" * 4000) * 300 + b"]}",
        b'{"0": [1e' + b"9" * 100_000 + b"]}",
        b'{"0": ["' + b"\\u0030" * 500_000 + b'"]}',
        b'{"' + b"k" * 3_000_000 + b'": 1}',
        b"{" + b",".join(b'"%d": 1' % i for i in range(300_000)) + b"}",
        b"{" + b'"0": [1, 2, 3, 4],' * 100_000 + b'"1": []}',
        b'{"0": [' + b"null," * 1_000_000 + b"1]}",
        b'{"0": [' + b",".join(b'"x%d"' % i for i in range(300_000)) + b"]}",
        b'{"0": [' + b'"' + b"/" * 1_000_000 + b'"' + b"]}",
        b'{"0": [' + b'"' + b"a.jpg" * 200_000 + b'"' + b"]}",
        b'{"0": [' + b'"' + b"0" * 1_000_000 + b'x"' + b"]}",
        b'{"' + b" " * 1_000_000 + b'x": [1]}',
        ('{"0": ["' + "\u0323\u0300" * 200_000 + '"]}').encode(),
    ],
    ids=range(16),
)
def test_nothing_large_takes_long(tmp_path, benchmark, content):
    begun = time.process_time()
    reading_of(tmp_path, content, benchmark)
    assert time.process_time() - begun < 8


@QUICK
@given(
    lists=st.dictionaries(st.sampled_from(["12", "13", "20", " 12", "012"]) | st.text(max_size=6), entries, max_size=6),
    metric=st.sampled_from(["recall", "recall_subset"]),
    lenient=st.booleans(),
)
def test_any_entries_under_a_right_header_are_read(tmp_path, cirr, lists, metric, lenient):
    content = json.dumps({"version": "rc2", "metric": metric, **lists}).encode()
    reading_of(tmp_path, content, cirr, lenient=lenient)


@QUICK
@given(data=st.data(), lenient=st.booleans())
def test_any_list_of_entries_is_read(tmp_path, fashioniq, genecis, data, lenient):
    entry = st.fixed_dictionaries(
        {"candidate": st.sampled_from(["BD00000000", "BS00000000"]) | leaves},
        optional={"captions": st.lists(leaves, max_size=2) | values, "ranking": entries},
    )
    for benchmark, strategy in ((fashioniq, entry | values), (genecis, st.lists(st.integers(-1, 16)) | values)):
        content = json.dumps(data.draw(st.lists(strategy, max_size=5))).encode()
        reading_of(tmp_path, content, benchmark, lenient=lenient)
