"""A lenient check keeps what the official evaluators accept, with their meaning."""

import pytest


def lenient(check, content, benchmark, protocol=None):
    reading = check(content, benchmark, protocol, lenient=True)
    assert reading.problems.n_errors == 0
    return reading.run


def test_repeated_images_are_kept_and_types_made_equal(check, circo, circo_lists):
    run = lenient(check, {**circo_lists, "0": [1, "1", 1.25, 2]}, circo)
    assert run.ranked(0) == ["1", "1", "1", "2"]
    assert run.image_ids.to_pylist().count("1") == 1


def test_long_lists_are_cut_to_the_protocol(check, circo, circo_lists):
    assert lenient(check, {**circo_lists, "2": [9, 10, 11, 12, 13]}, circo).ranked(2) == ["9", "10", "11", "12"]


def test_images_that_only_the_cut_off_part_named_leave_the_vocabulary(check, circo, circo_lists):
    assert "13" not in lenient(check, {**circo_lists, "2": [9, 10, 11, 12, 13]}, circo).image_ids.to_pylist()


def test_missing_queries_are_absent_and_unknown_ones_dropped(check, pinpoint, pinpoint_lists):
    pinpoint_lists["note"] = {"retrieved_items": ["x"]}
    del pinpoint_lists["00002"]
    assert lenient(check, pinpoint_lists, pinpoint).query_ids == ("00001", "00004")


def test_unknown_images_are_kept_as_they_are(check, pinpoint, pinpoint_lists, images):
    ranked = ["not_in_index", images[0].upper(), images[1]]
    pinpoint_lists["00001"]["retrieved_items"] = ranked
    assert lenient(check, pinpoint_lists, pinpoint).ranked(0) == ranked


def test_a_missing_pinpoint_key_is_an_empty_list(check, pinpoint, pinpoint_lists):
    pinpoint_lists["00004"] = {}
    assert lenient(check, pinpoint_lists, pinpoint).ranked(2) == []


def test_the_last_of_repeated_keys_counts(check, circo):
    content = b'{"0": [1, 2, 3, 4], "1": [5, 6, 7, 8], "0": [4, 3, 2, 1], "2": [9, 10, 11, 12]}'
    assert lenient(check, content, circo).ranked(0) == ["4", "3", "2", "1"]


def test_spaced_and_padded_numbers_are_read_as_the_official_code_reads_them(check, circo, circo_lists):
    assert lenient(check, {**circo_lists, "0": ["01", " 2", 3.0, "4"]}, circo).ranked(0) == ["1", "2", "3", "4"]


@pytest.mark.parametrize("entry", ["null", "true", "[1]", "NaN"])
def test_what_no_evaluator_can_read_is_refused_all_the_same(check, circo, entry):
    content = f'{{"0": [1, 2, 3, {entry}], "1": [5, 6, 7, 8], "2": [9, 10, 11, 12]}}'.encode()
    assert check(content, circo, lenient=True).run is None


def test_everything_forgiven_is_still_reported_as_a_warning(check, circo, circo_lists):
    problems = check({**circo_lists, "0": [1, 1, 2, 3, 4]}, circo, lenient=True).problems
    assert {(problem.code, problem.severity) for problem in problems} == {
        ("image-repeated", "warning"),
        ("list-too-long", "warning"),
    }
