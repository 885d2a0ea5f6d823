"""Which list belongs to which query, and files that are for something else."""

import json

import pytest


def test_missing_queries_are_all_named(check, circo, circo_lists):
    del circo_lists["0"], circo_lists["2"]
    problems = list(check(circo_lists, circo).problems)
    assert [(problem.code, problem.query) for problem in problems] == [("query-missing", "0"), ("query-missing", "2")]


def test_an_empty_object_lacks_every_query(codes, circo):
    assert codes({}, circo) == {"query-missing": 3}


def test_an_unknown_query_comes_with_the_range_of_ids(only, circo, circo_lists):
    problem = only({**circo_lists, "3": [1, 2, 3, 4]}, circo)
    assert (problem.code, problem.query) == ("query-unknown", "3")
    assert "0 to 2" in problem.expected


def test_the_list_of_an_unknown_query_is_not_held_against_the_file(codes, pinpoint, pinpoint_lists):
    assert codes({**pinpoint_lists, "note": {"retrieved_items": []}}, pinpoint) == {"query-unknown": 1}


@pytest.mark.parametrize("key", ["query_1", "01", " 1", "1.0", "q1", "Query 1"])
def test_a_query_id_in_disguise_is_told_how_to_be_written(only, circo, circo_lists, key):
    circo_lists[key] = circo_lists.pop("1")
    problem = only(circo_lists, circo)
    assert (problem.code, problem.query, problem.expected) == ("query-id-form", key, '"1"')


def test_a_prefix_is_named_as_what_to_drop(only, pinpoint, pinpoint_lists):
    pinpoint_lists["query_00004"] = pinpoint_lists.pop("00004")
    assert only(pinpoint_lists, pinpoint).hint == 'Drop the prefix "query_".'


def test_a_padded_number_without_its_zeros_is_recognised(only, pinpoint, pinpoint_lists):
    pinpoint_lists["4"] = pinpoint_lists.pop("00004")
    assert only(pinpoint_lists, pinpoint).expected == '"00004"'


def test_two_ways_to_write_one_query_are_a_repetition(codes, circo, circo_lists):
    assert codes({**circo_lists, "01": [1, 2, 3, 4]}, circo) == {"query-id-form": 1, "query-repeated": 1}


def test_a_repeated_key_is_not_lost(only, circo):
    content = b'{"0": [1, 2, 3, 4], "1": [5, 6, 7, 8], "0": [4, 3, 2, 1], "2": [9, 10, 11, 12]}'
    problem = only(content, circo)
    assert (problem.code, problem.query) == ("json-key-repeated", "0")


def test_a_repeated_key_within_a_query_is_named_with_the_query(only, pinpoint, images):
    ranked = json.dumps(images[:4])
    entry = f'{{"retrieved_items": {ranked}}}'
    twice = f'{{"retrieved_items": [], "retrieved_items": {ranked}}}'
    problem = only(f'{{"00001": {entry}, "00002": {twice}, "00004": {entry}}}'.encode(), pinpoint)
    assert (problem.code, problem.query, problem.value) == ("json-key-repeated", "00002", "retrieved_items")


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        (None, "list-null"),
        (5, "list-wrong-type"),
        ("1, 2, 3, 4", "list-wrong-type"),
        ({"1": 2}, "list-wrong-type"),
        ({"retrieved_items": [5, 6, 7, 8]}, "list-wrapped"),
    ],
)
def test_a_circo_entry_that_is_no_list_is_named(only, circo, circo_lists, entry, code):
    problem = only({**circo_lists, "1": entry}, circo)
    assert (problem.code, problem.query) == (code, "1")


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        (None, "list-null"),
        (5, "list-wrong-type"),
        ({}, "list-key-missing"),
        ({"retrieved_items": None}, "list-null"),
        ({"retrieved_items": "abc"}, "list-wrong-type"),
    ],
)
def test_a_pinpoint_entry_without_a_list_is_named(only, pinpoint, pinpoint_lists, entry, code):
    problem = only({**pinpoint_lists, "00002": entry}, pinpoint)
    assert (problem.code, problem.query) == (code, "00002")


def test_a_bare_list_is_told_to_be_wrapped_and_checked_all_the_same(codes, pinpoint, pinpoint_lists, images):
    lists = {query: entry["retrieved_items"] for query, entry in pinpoint_lists.items()}
    lists["00001"] = [images[0], images[0]]
    assert codes(lists, pinpoint) == {"list-unwrapped": 3, "list-short": 1, "image-repeated": 1}


def test_another_key_beside_the_list_is_a_warning(only, pinpoint, pinpoint_lists):
    pinpoint_lists["00001"]["scores"] = [0.9, 0.8, 0.7, 0.6]
    problem = only(pinpoint_lists, pinpoint)
    assert (problem.code, problem.severity, problem.value) == ("list-key-unknown", "warning", "scores")


def test_the_other_split_of_circo_is_recognised(only, shared, tmp_path):
    from evaluator.importers.bundle_writer import write_bundle
    from evaluator.importers.circo import read_circo

    benchmark = write_bundle(tmp_path / "val", read_circo(shared / "data/circo", "val"))
    problem = only((shared / "data/circo/submission_examples/submission_test.json").read_bytes(), benchmark)
    assert problem.code == "split-wrong"
    assert "test split" in problem.message
    assert "220" in problem.expected


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"version": "rc2", "metric": "recall", "12063": ["a", "b"]}, "CIRR"),
        ([{"candidate": "a", "captions": ["b"], "ranking": ["c"]}], "FashionIQ"),
        ([list(range(15)), list(range(14, -1, -1))], "GeneCIS"),
        ({"a.jpg|at night": ["b.jpg"]}, "i-CIR"),
        ({"00001": {"retrieved_items": ["x"]}}, "PinPoint"),
    ],
)
def test_a_file_for_another_benchmark_is_recognised_by_its_shape(only, circo, content, words):
    problem = only(content, circo)
    assert problem.code == "benchmark-wrong"
    assert words in problem.message


def test_a_circo_file_sent_to_pinpoint_is_recognised(only, pinpoint, circo_lists):
    problem = only(circo_lists, pinpoint)
    assert problem.code == "benchmark-wrong"
    assert "CIRCO" in problem.message


@pytest.mark.parametrize("content", [[[1, 2], [3, 4]], [], 5, "text", None, True, [1, 2]])
def test_json_without_an_object_of_queries_has_the_wrong_shape(only, circo, content):
    problem = only(content, circo)
    assert problem.code == "format-wrong"
    assert "355099" in problem.expected


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"0": [1]}\n{"1": [2]}\n', "JSON lines"),
        (b"query,image,rank\n0,355099,1\n", "CSV"),
        (b"\x80\x04\x95\x10\x00", "pickle"),
        (b"\x93NUMPY\x01\x00", "NumPy"),
        (b"<!DOCTYPE html><title>Log in</title>", "web page"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\n", "Git LFS"),
        (b"\x89PNG\r\n\x1a\n", "image"),
    ],
)
def test_a_file_that_is_no_json_is_recognised(only, circo, content, words):
    problem = only(content, circo)
    assert problem.code == "format-wrong"
    assert words in problem.message
