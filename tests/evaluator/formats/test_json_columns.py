"""The reader in columns agrees with the json module on every file that it takes, and takes no file that is anything else."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.formats import json_columns, json_regular, spans
from evaluator.formats.json_columns import read_columns

INNER = "retrieved_items"
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters='"\\', exclude_categories=["Cc"]), max_size=12)
LISTS = st.dictionaries(TEXTS, st.lists(TEXTS, min_size=1, max_size=6), min_size=1, max_size=6)
ONE_LENGTH = st.dictionaries(
    TEXTS, st.lists(st.text('abé]["', min_size=3, max_size=3), min_size=1, max_size=6), min_size=1, max_size=6
).map(lambda lists: {key: [text.replace('"', "c") for text in texts] for key, texts in lists.items()})


def unpacked(columns):
    texts = columns.texts.to_pylist()
    bounds = zip(columns.offsets[:-1], columns.offsets[1:], strict=True)
    lists = [[texts[code] for code in columns.codes[begin:end]] for begin, end in bounds]
    return dict(zip(columns.keys, lists, strict=True))


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Blocks of a few pieces, so that short files span many."""
    monkeypatch.setattr(spans, "BLOCK", 3)
    monkeypatch.setattr(json_columns, "BLOCK", 3)
    monkeypatch.setattr(json_regular, "BLOCK", 3)
    monkeypatch.setattr(json_columns, "_BLOCK_BYTES", 7)


@given(lists=LISTS | ONE_LENGTH, indent=st.sampled_from([None, 0, 2]), spaces=st.booleans())
def test_lists_of_plain_texts_are_read_as_json_reads_them(lists, indent, spaces):
    separators = (", ", ": ") if spaces else (",", ":")
    content = json.dumps(lists, indent=indent, separators=separators, ensure_ascii=False).encode()
    assert unpacked(read_columns(content)) == lists


@given(lists=LISTS | ONE_LENGTH, indent=st.sampled_from([None, 2]))
def test_lists_within_objects_are_read_as_json_reads_them(lists, indent):
    wrapped = {key: {INNER: ranked} for key, ranked in lists.items()}
    content = json.dumps(wrapped, indent=indent, ensure_ascii=False).encode()
    assert unpacked(read_columns(content, INNER)) == lists
    assert read_columns(content) is None


@given(
    content=st.lists(
        st.sampled_from(['"', "a", ",", ":", "[", "]", "{", "}", " ", INNER, "\\", "\t", "é"]), max_size=30
    )
)
def test_what_is_taken_is_json_of_this_shape(content):
    text = "".join(["{", *content, "}"])
    for inner in (None, INNER):
        columns = read_columns(text.encode(), inner)
        if columns is not None:
            value = json.loads(text, strict=True, object_pairs_hook=no_repeats)
            assert unpacked(columns) == {key: entry[inner] if inner else entry for key, entry in value.items()}


def no_repeats(pairs):
    assert len(dict(pairs)) == len(pairs)
    return dict(pairs)


@given(lists=LISTS | ONE_LENGTH, place=st.integers(0, 10_000), byte=st.integers(0, 255))
def test_one_changed_byte_is_never_read_otherwise_than_json_reads_it(lists, place, byte):
    content = bytearray(json.dumps(lists, ensure_ascii=False).encode())
    content[place % len(content)] = byte
    columns = read_columns(content)
    if columns is not None:
        assert unpacked(columns) == json.loads(content.decode(), object_pairs_hook=no_repeats)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b'{"a"}',
        b'{"a": []}',
        b'{"a": ["x",]}',
        b'{"a": ["x"],}',
        b'{"a": ["x"]}}',
        b'{"a": ["x"]} x',
        b'{"a": ["x"], "a": ["y"]}',
        b'{"a": ["x\ty"]}',
        b'{"a": ["x\xff"]}',
        b'{"a": ["\\u0061"]}',
        b'{"a": "b": ["x"]}',
        b'{"a": [["x"]]}',
        b'{"a": ["x" "y"]}',
        b'{"a": ["x", 5]}',
        b'{"a": ["x"], "b": 5}',
        b'\xef\xbb\xbf{"a": ["x"]}',
        b'{"a": ["' + b"x" * 5000 + b'"]}',
        b'{"a": ["x", "yy"],' + b" " * 5000 + b'"b": ["x"]}',
        b'{"a":\x0b["x"]}',
        b'{"a": ["x"]\x0c}',
    ],
)
def test_any_other_file_is_left_to_the_careful_reader(content):
    assert read_columns(content) is None


def test_the_key_within_must_be_the_asked_one_everywhere():
    content = b'{"a": {"retrieved_items": ["x"]}, "b": {"retrieved": ["x"]}}'
    assert read_columns(content, INNER) is None


def test_ids_are_encoded_once_each():
    columns = read_columns(b'{"a": ["x", "y"], "b": ["y", "x", "zz"]}')
    assert sorted(columns.texts.to_pylist()) == ["x", "y", "zz"]
    assert columns.codes.dtype == np.int32


@given(
    lists=st.dictionaries(TEXTS, st.lists(st.text("ab", min_size=3, max_size=3), min_size=1), min_size=1, max_size=5),
    place=st.integers(0, 10_000),
    piece=st.sampled_from([b'"', b"]", b"[", b", ", b",", b" ", b"}", b"a", b"\n", b'", "']),
    n_replaced=st.integers(0, 3),
)
def test_a_file_of_one_length_with_something_slipped_in_is_never_read_otherwise(lists, place, piece, n_replaced):
    content = bytearray(json.dumps(lists, ensure_ascii=False).encode())
    place %= len(content)
    content[place : place + n_replaced] = piece
    columns = read_columns(content)
    if columns is not None:
        assert unpacked(columns) == json.loads(content.decode(), object_pairs_hook=no_repeats)
