"""Parquet tables: a row per image, or a row per query."""

import io
import re
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaluator.formats.limits import Limits

QUERIES = ("00001", "00002", "00004")


def parquet(table, **options):
    stream = io.BytesIO()
    pq.write_table(table, stream, **options)
    return stream.getvalue()


def long_table(images, first_rank=1, depth=4):
    rows = [(query, rank + first_rank, images[rank]) for query in QUERIES for rank in range(depth)]
    return pa.table(dict(zip(("query_id", "rank", "image_id"), map(list, zip(*rows, strict=True)), strict=True)))


@pytest.fixture
def digest(check, pinpoint, pinpoint_lists):
    return check(pinpoint_lists, pinpoint).run.digest


@pytest.mark.parametrize("first_rank", [0, 1])
@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int8(), pa.string())])
@pytest.mark.parametrize("rank", [pa.int8(), pa.uint32(), pa.int64()])
def test_a_row_per_image(check, pinpoint, images, digest, first_rank, kind, rank):
    table = long_table(images, first_rank).cast(pa.schema([("query_id", kind), ("rank", rank), ("image_id", kind)]))
    reading = check(parquet(table, row_group_size=5), pinpoint)
    assert reading.format == "parquet"
    assert reading.run.digest == digest


def test_rows_may_stand_in_any_order(check, pinpoint, images, digest):
    table = long_table(images)
    assert check(parquet(table.take([*range(11, -1, -2), *range(0, 12, 2)])), pinpoint).run.digest == digest


@pytest.mark.parametrize("kind", [pa.list_(pa.string()), pa.large_list(pa.large_string()), pa.list_(pa.string(), 4)])
def test_a_row_per_query_with_image_ids(check, pinpoint, images, digest, kind):
    table = pa.table({"query_id": QUERIES, "image_ids": pa.array([images[:4]] * 3, kind)})
    assert check(parquet(table), pinpoint).run.digest == digest


def test_a_row_per_query_with_positions(check, pinpoint, digest):
    table = pa.table({"query_id": QUERIES, "positions": pa.array([[0, 1, 2, 3]] * 3, pa.list_(pa.int32()))})
    assert check(parquet(table), pinpoint).run.digest == digest


def test_numbers_are_ids_where_ids_are_numbers(check, circo, circo_lists):
    table = pa.table({"query_id": [0, 1, 2], "image_ids": list(circo_lists.values())})
    assert check(parquet(table), circo).run.digest == check(circo_lists, circo).run.digest


@pytest.mark.parametrize(
    ("columns", "code"),
    [
        ({"query": ["a"]}, "format-wrong"),
        ({"query_id": [1.5], "image_ids": [["a"]]}, "column-type"),
        ({"query_id": ["00001"], "image_ids": ["a"]}, "column-type"),
        ({"query_id": ["00001"], "image_ids": [[1]]}, "column-type"),
        ({"query_id": ["00001"], "positions": [[0.5]]}, "column-type"),
        ({"query_id": ["00001"], "rank": [1.0], "image_id": ["a"]}, "column-type"),
        ({"query_id": ["00001"], "rank": [1], "image_id": [7]}, "column-type"),
        ({"query_id": ["00001", None], "image_ids": [["a"], ["b"]]}, "column-null"),
        ({"query_id": ["00001", "00002"], "image_ids": [["a"], None]}, "column-null"),
        ({"query_id": ["00001"], "image_ids": [["a", None]]}, "value-null"),
        ({"query_id": ["00001", "00001"], "image_ids": [["a"], ["b"]]}, "json-key-repeated"),
        ({"query_id": ["00001"], "rank": [-1], "image_id": ["a"]}, "rank-gap"),
        ({"query_id": ["00001", "00001"], "rank": [1, 1], "image_id": ["a", "b"]}, "rank-repeated"),
        ({"query_id": ["00001", "00001"], "rank": [1, 3], "image_id": ["a", "b"]}, "rank-gap"),
        ({"query_id": ["00001"], "positions": [[0, 12]]}, "position-outside"),
        ({"query_id": ["00001"], "positions": [[0, -1, 1]]}, "position-outside"),
    ],
)
def test_a_table_with_faults_is_refused_by_name(codes, pinpoint, columns, code):
    assert codes(parquet(pa.table(columns)), pinpoint)[code] >= 1


def test_an_open_gallery_has_no_positions(only, circo):
    assert "open" in only(parquet(pa.table({"query_id": ["0"], "positions": [[0]]})), circo).message


def test_a_table_that_unfolds_to_too_much_is_refused(only, pinpoint):
    n = 20_000_000
    columns = {"query_id": pa.repeat("00001", n), "rank": pa.repeat(1, n), "image_id": pa.repeat("a", n)}
    content = parquet(pa.table(columns))
    assert len(content) < 200_000
    assert only(content, pinpoint).code == "file-expands-too-much"


def test_lists_that_unfold_to_too_much_are_refused(only, pinpoint):
    table = pa.table({"query_id": ["00001"] * 30, "positions": [[0] * 100_000] * 30})
    problem = only(parquet(table), pinpoint, limits=replace(Limits(), ratio_floor_bytes=1 << 20, ratio=2))
    assert problem.code == "file-expands-too-much"


def test_metadata_that_lies_about_its_rows_is_refused(check, pinpoint, images):
    content = bytearray(parquet(long_table(images), compression="none", use_dictionary=False, write_statistics=False))
    footer = int.from_bytes(content[-8:-4], "little")
    start = len(content) - 8 - footer
    # Twelve rows are 0x18 as a zigzag number, behind the field's header 0x16.
    for place in [match.start() + 1 for match in re.finditer(rb"\x16\x18", bytes(content[start:]))]:
        lying = bytearray(content)
        lying[start + place] = 0x7E
        reading = check(bytes(lying), pinpoint)
        assert reading.run is None or reading.n_entries == 12


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
@given(st.binary(max_size=200))
def test_anything_behind_the_magic_gives_problems(codes, pinpoint, rest):
    assert codes(b"PAR1" + rest, pinpoint).keys() == {"table-damaged"}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
@given(st.data())
def test_a_table_with_a_changed_byte_gives_a_run_or_problems(check, pinpoint, images, data):
    content = bytearray(parquet(long_table(images)))
    place = data.draw(st.integers(4, len(content) - 1))
    content[place] = data.draw(st.integers(0, 255))
    reading = check(bytes(content), pinpoint)
    assert (reading.run is None) == bool(reading.problems.n_errors)
