"""Every fault that a check promises to name, and the sentence that a researcher reads for it."""

import gzip
import io
import json
import zipfile
from typing import Any

import pytest

from tests.evaluator.formats.conftest import IMAGES
from tests.evaluator.small_sources import cirr_run

LISTS: dict[str, list[Any]] = {"0": [1, 2, 3, 4], "1": [5, 6, 7, 8], "2": [9, 10, 11, 12]}
TEXT = json.dumps(LISTS).encode()
WRAPPED = {query: {"retrieved_items": list(IMAGES[:4])} for query in ("00001", "00002", "00004")}
SIGNATURE = IMAGES[0]
CIRR = cirr_run()


def first(*entries: Any) -> dict[str, list[Any]]:
    """A CIRCO run that is faultless but for its first list."""
    return {**LISTS, "0": list(entries)}


def zipped(*names: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in names:
            archive.writestr(name, TEXT)
    return stream.getvalue()


def subset(**lists: Any) -> dict[str, Any]:
    return {**CIRR["recall_subset"], **lists}


def trec(*lines: str) -> bytes:
    rest = [f"{query} Q0 {entry} {rank} {9 - rank} me" for query in "12" for rank, entry in enumerate(LISTS[query])]
    return "\n".join([*lines, *rest, ""]).encode()


FAULTS: dict[str, tuple[str, Any, str, str]] = {
    "not the format at all, and which it looks like": (
        "circo",
        b"query,image\n0,1\n",
        "format-wrong",
        "This looks like a CSV table.",
    ),
    "a list where an object is expected": (
        "circo",
        [[1, 2], [3, 4]],
        "format-wrong",
        "The file holds a list of 2 lists without query ids, where an object with one list per query is expected.",
    ),
    "a pickle": (
        "circo",
        b"\x80\x04\x95\x00",
        "format-wrong",
        "This looks like a Python pickle, which is never opened here.",
    ),
    "a log-in page": (
        "circo",
        b"<!DOCTYPE html><html>",
        "format-wrong",
        "This looks like a web page; a download may have needed a log-in.",
    ),
    "UTF-16": ("circo", TEXT.decode().encode("utf-16"), "encoding-not-utf8", "The file looks like UTF-16."),
    "Latin-1": (
        "circo",
        b'{"0": ["\xe9"]}',
        "encoding-not-utf8",
        "Byte 9 (E9, line 1) is not UTF-8: invalid continuation byte.",
    ),
    "a NUL byte": (
        "circo",
        TEXT[:30] + b"\0" + TEXT[30:],
        "encoding-not-utf8",
        "Byte 31 is NUL, which no text file holds.",
    ),
    "a byte order mark": (
        "circo",
        b"\xef\xbb\xbf" + TEXT,
        "encoding-bom",
        "The file starts with the three bytes EF BB BF, which were skipped.",
    ),
    "half a surrogate pair": (
        "circo",
        first("\ud800", 2, 3, 4),
        "encoding-surrogate",
        "Query 0, rank 1: the entry holds half of a surrogate pair.",
    ),
    "half a surrogate pair in a key": (
        "circo",
        {**LISTS, "\ud800": [1, 2, 3, 4]},
        "query-unknown",
        'The benchmark has no query "\\ud800".',
    ),
    "a repeated key": (
        "circo",
        TEXT[:-1] + b', "0": [1, 2, 3, 4]}',
        "json-key-repeated",
        "The key 0 occurs more than once.",
    ),
    "a repeated key within a query": (
        "pinpoint",
        json.dumps(WRAPPED)
        .replace('{"retrieved_items": [', '{"retrieved_items": [], "retrieved_items": [', 1)
        .encode(),
        "json-key-repeated",
        "In query 00001, the key retrieved_items occurs more than once.",
    ),
    "a file that is cut short": (
        "circo",
        TEXT[:30],
        "json-invalid",
        "Line 1, column 31: a comma or a closing bracket is expected.",
    ),
    "deep nesting": ("circo", b"[" * 100_000, "json-too-deep", "Lists or objects are nested hundreds of levels deep."),
    "a missing query": ("circo", {"0": LISTS["0"], "1": LISTS["1"]}, "query-missing", "Query 2 has no list."),
    "an unknown query": ("circo", {**LISTS, "3": [1, 2, 3, 4]}, "query-unknown", 'The benchmark has no query "3".'),
    "a query in another form": (
        "pinpoint",
        {**{k: v for k, v in WRAPPED.items() if k != "00001"}, "query_1": WRAPPED["00001"]},
        "query-id-form",
        'The query id "query_1" stands for 00001.',
    ),
    "a query in unicode digits": (
        "circo",
        {**{k: v for k, v in LISTS.items() if k != "0"}, "\u0660": LISTS["0"]},
        "query-id-form",
        'The query id "\u0660" stands for 0.',
    ),
    "a query that stands twice, written differently": (
        "circo",
        {**LISTS, "00": [1, 2, 3, 4]},
        "query-repeated",
        "Query 0 has a second list, under 00.",
    ),
    "an unknown image, with the nearest": (
        "pinpoint",
        {**WRAPPED, "00001": {"retrieved_items": [SIGNATURE[:-1] + "0"]}},
        "image-unknown",
        "Query 00001, rank 1: 93b885adfe0da089cdf634904fd59f70 is not in the gallery.",
    ),
    "a repeated image": ("circo", first(5, 5, 6, 7), "image-repeated", "Query 0, rank 2: 5 already stands at rank 1."),
    "a repeated image as text": (
        "circo",
        first(5, "5", 6, 7),
        "image-repeated",
        "Query 0, rank 2: 5 already stands at rank 1.",
    ),
    "a repeated image as a float": (
        "circo",
        first(5, 5.0, 6, 7),
        "image-repeated",
        "Query 0, rank 2: 5 already stands at rank 1.",
    ),
    "an id with a decimal point": (
        "circo",
        first(5.0, 2, 3, 4),
        "value-fraction",
        "Query 0, rank 1: the entry is a number with a decimal point.",
    ),
    "a repeated image as the text of a float": (
        "circo",
        first(5, "5.0", 6, 7),
        "image-repeated",
        'Query 0, rank 2: "5.0" already stands at rank 1, written "5".',
    ),
    "a repeated image after a blank": (
        "circo",
        first(5, " 5", 6, 7),
        "image-repeated",
        'Query 0, rank 2: " 5" already stands at rank 1, written "5".',
    ),
    "a repeated image with a leading zero": (
        "circo",
        first(5, "05", 6, 7),
        "image-repeated",
        'Query 0, rank 2: "05" already stands at rank 1, written "5".',
    ),
    "a repeated image in unicode digits": (
        "circo",
        first(5, "\uff15", 6, 7),
        "image-repeated",
        'Query 0, rank 2: "\uff15" already stands at rank 1, written "5".',
    ),
    "an image in unicode digits": (
        "circo",
        first("\u0665", 2, 3, 4),
        "image-id-form",
        'Query 0, rank 1: "\u0665" stands for 5.',
    ),
    "a list too short": (
        "circo",
        first(1, 2),
        "list-too-short",
        "The list of query 0 has 2 entries; exactly 4 are required.",
    ),
    "an empty list": ("circo", first(), "list-too-short", "The list of query 0 is empty; exactly 4 are required."),
    "a list too long": (
        "circo",
        first(1, 2, 3, 4, 5, 6),
        "list-too-long",
        "The list of query 0 has 6 entries; exactly 4 are required.",
    ),
    "null for an image": ("circo", first(1, None, 3, 4), "value-null", "Query 0, rank 2: the entry is null."),
    "null for a list": ("circo", {**LISTS, "0": None}, "list-null", "The list of query 0 is null."),
    "NaN": (
        "circo",
        first(1, float("nan"), 3, 4),
        "value-not-finite",
        "Query 0, rank 2: the entry is not a finite number.",
    ),
    "Infinity": (
        "circo",
        first(1, float("-inf"), 3, 4),
        "value-not-finite",
        "Query 0, rank 2: the entry is not a finite number.",
    ),
    "a bool": ("circo", first(True, 2, 3, 4), "value-bool", "Query 0, rank 1: the entry is true or false."),
    "a nested list": ("circo", first([1, 0.9], 2, 3, 4), "value-nested", "Query 0, rank 1: the entry is a list."),
    "a huge integer": (
        "circo",
        TEXT.replace(b"[1,", b"[" + b"9" * 5000 + b","),
        "image-ill-formed",
        'Query 0, rank 1: "9999999999999999999999999999999999999999\u2026999999999999999999999999999999999999999" cannot be an image id.',
    ),
    "the reference image, which is allowed": (
        "circo",
        first(100, 2, 3, 4),
        "reference-in-list",
        "Query 0, rank 1: 100 is the reference image of this query.",
    ),
    "the reference image, which is not": (
        "cirr",
        {**CIRR["recall"], "12": ["dev-0-0-img0", *CIRR["recall"]["12"][1:]]},
        "image-excluded",
        "Query 12 (recall), rank 1: dev-0-0-img0 is the reference image of this query, which may not be returned.",
    ),
    "an excluded image": (
        "two_galleries",
        {"00001": {"retrieved_items": [IMAGES[1]]}, "00002": {"retrieved_items": [IMAGES[6]]}},
        "image-excluded",
        "Query 00001, rank 1: 55a54008ad1ba589aa210d2629c1df41 is excluded for this query.",
    ),
    "another gallery's image": (
        "two_galleries",
        {"00001": {"retrieved_items": [IMAGES[7]]}, "00002": {"retrieved_items": [IMAGES[6]]}},
        "image-outside-gallery",
        "Query 00001, rank 1: 89e74e640b8c46257a29de0616794d5d is not in the gallery of this query.",
    ),
    "an image outside the query's subset": (
        "cirr",
        subset(**{"12": ["dev-50-0-img0", *CIRR["recall_subset"]["12"][1:]]}),
        "image-outside-gallery",
        "Query 12 (recall_subset), rank 1: dev-50-0-img0 is not in the gallery of this query.",
    ),
    "another split": (
        "cirr",
        {"version": "rc2", "metric": "recall", "12": ["test1-1-0-img0"] * 50},
        "split-wrong",
        "The images are named test1-\u2026, as those of the split test1 are.",
    ),
    "another version": ("cirr", {**CIRR["recall"], "version": "rc1"}, "version-wrong", 'The version is "rc1".'),
    "no version": (
        "cirr",
        {k: v for k, v in CIRR["recall"].items() if k != "version"},
        "version-wrong",
        'The file has no "version".',
    ),
    "another metric": ("cirr", {**CIRR["recall"], "metric": "Recall"}, "metric-wrong", 'The metric is "Recall".'),
    "a TREC rank that contradicts its score": (
        "circo",
        trec("0 Q0 1 1 0.5 me", "0 Q0 2 2 0.7 me", "0 Q0 3 3 0.4 me", "0 Q0 4 4 0.3 me"),
        "trec-rank-score",
        "Query 0: rank 2 has score 0.7, above the 0.5 of rank 1.",
    ),
    "an empty file": ("circo", b"", "file-empty", "The file is empty: 0 bytes."),
    "a file of blanks": ("circo", b" \r\n ", "file-empty", "The file holds nothing but white space."),
    "a file for another benchmark": (
        "circo",
        CIRR["recall"],
        "benchmark-wrong",
        "This looks like a CIRR result file (version, metric and lists of image names).",
    ),
    "queries of another benchmark": (
        "pinpoint",
        {f"chair/left{n}": WRAPPED["00001"] for n in range(4)},
        "benchmark-wrong",
        'None of the file\'s 4 queries, such as "chair/left0", is a query of Small PinPoint.',
    ),
    "an archive that is cut short": (
        "circo",
        gzip.compress(TEXT)[:-9],
        "archive-damaged",
        "The gzip data ends too early.",
    ),
    "a zip of several files": (
        "circo",
        zipped("a.json", "b.json"),
        "archive-not-one-file",
        "The zip holds 2 files: a.json, b.json.",
    ),
    "an archive within an archive": (
        "circo",
        gzip.compress(gzip.compress(TEXT)),
        "archive-nested",
        "After unpacking, the content is itself packed (gzip).",
    ),
    "a packing that is not read": ("circo", b"BZh91AY&SY", "compression-unsupported", "This is a bzip2 archive."),
    "a zip bomb": (
        "circo",
        gzip.compress(bytes(43_000_000)),
        "file-expands-too-much",
        "The file has 41.8 kB and expands to more than 16.7 MB.",
    ),
}
"""Fault -> a benchmark, a file, and the code and message of its problem."""


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_told_in_a_sentence(fault, request, check):
    benchmark, content, code, message = FAULTS[fault]
    problems = check(content, request.getfixturevalue(benchmark)).problems
    assert [problem.message for problem in problems if problem.code == code][:1] == [message]
