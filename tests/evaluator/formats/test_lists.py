"""Lists, their lengths and their entries."""

import pytest


def test_a_faultless_file_becomes_a_run_in_ranked_order(check, circo, circo_lists):
    reading = check(circo_lists, circo)
    assert not reading.problems.counts
    assert reading.run.query_ids == ("0", "1", "2")
    assert reading.run.ranked(1) == ["5", "6", "7", "8"]
    assert (reading.n_queries, reading.n_entries, reading.format, reading.compression) == (3, 12, "circo", "none")


def test_texts_that_are_exactly_an_id_make_the_same_run(check, circo, circo_lists):
    texts = {query: [str(image) for image in ranked] for query, ranked in circo_lists.items()}
    assert check(texts, circo).run.digest == check(circo_lists, circo).run.digest


def test_numbers_and_texts_may_be_mixed(check, circo, circo_lists):
    mixed = {**circo_lists, "0": ["1", 2, "3", 4]}
    assert check(mixed, circo).run.digest == check(circo_lists, circo).run.digest


def test_the_order_of_queries_changes_nothing(check, pinpoint, pinpoint_lists):
    turned = dict(reversed(pinpoint_lists.items()))
    assert check(turned, pinpoint).run.digest == check(pinpoint_lists, pinpoint).run.digest


def test_white_space_and_line_breaks_change_nothing(check, circo, circo_lists):
    spaced = b'\r\n { "0":[1,2,3,4] ,\n"1":[5,6,7,8],\t"2":[9,10,11,12]}\n\n'
    assert check(spaced, circo).run.digest == check(circo_lists, circo).run.digest


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ("null", "value-null"),
        ("true", "value-bool"),
        ("false", "value-bool"),
        ("NaN", "value-not-finite"),
        ("-Infinity", "value-not-finite"),
        ("1e400", "value-not-finite"),
        ("5.0", "value-fraction"),
        ("355099.25", "value-fraction"),
        ("[5]", "value-nested"),
        ('{"id": 5}', "value-nested"),
        ('"\\ud800"', "encoding-surrogate"),
        ("-5", "image-ill-formed"),
        ("9" * 30, "image-ill-formed"),
        ("9" * 9_000, "image-ill-formed"),
        ('"cat"', "image-ill-formed"),
        ('""', "image-ill-formed"),
        ('"05"', "image-id-form"),
        ('" 5"', "image-id-form"),
        ('"5.0"', "image-id-form"),
        ('"\uff15"', "image-id-form"),
        ('"000000000005.jpg"', "image-id-form"),
    ],
)
def test_an_entry_that_is_no_id_is_named_with_query_and_rank(only, circo, entry, code):
    problem = only(f'{{"0": [1, 2, 3, 4], "1": [6, 7, {entry}, 8], "2": [9, 10, 11, 12]}}'.encode(), circo)
    assert (problem.code, problem.query, problem.rank) == (code, "1", 3)
    assert problem.value
    assert problem.expected


def test_the_right_way_to_write_an_id_is_given(only, circo, circo_lists):
    assert only({**circo_lists, "1": [6, 7, "val/000000000005.jpg", 8]}, circo).expected == "5"
    assert only({**circo_lists, "1": [6, 7, 5.0, 8]}, circo).expected == "5"


def test_numbers_are_no_ids_where_ids_are_texts(codes, pinpoint, pinpoint_lists):
    pinpoint_lists["00001"]["retrieved_items"] = [5, 5.5, 10**5000 // 10**4990, 6]
    assert codes(pinpoint_lists, pinpoint) == {"value-number": 4}


@pytest.mark.parametrize("again", [1, "1", "01", " 1", "1.0"])
def test_a_repeated_image_is_found_however_it_is_written(check, circo, circo_lists, again):
    reading = check({**circo_lists, "0": [1, 2, 3, again]}, circo)
    repeated = reading.problems.kept["image-repeated"]
    assert [(problem.query, problem.rank) for problem in repeated] == [("0", 4)]
    assert "rank 1" in repeated[0].message
    assert reading.run is None


def test_every_repetition_is_counted_in_file_order(check, circo, circo_lists):
    problems = check({**circo_lists, "2": [9, 9, 10, 9], "0": [1, 2, 2, 3]}, circo).problems
    assert [(problem.query, problem.rank) for problem in problems] == [("0", 3), ("2", 2), ("2", 4)]


def test_capital_letters_do_not_hide_a_repetition(codes, pinpoint, pinpoint_lists, images):
    pinpoint_lists["00002"]["retrieved_items"] = [images[0], images[0].upper()]
    assert codes(pinpoint_lists, pinpoint) == {"list-short": 1, "image-id-form": 1, "image-repeated": 1}


def test_an_unknown_image_of_a_closed_gallery_comes_with_the_nearest_one(only, pinpoint, pinpoint_lists, images):
    slip = images[3][:-1] + ("0" if images[3][-1] != "0" else "1")
    pinpoint_lists["00004"]["retrieved_items"][1] = slip
    problem = only(pinpoint_lists, pinpoint)
    assert (problem.code, problem.query, problem.rank, problem.value) == ("image-unknown", "00004", 2, slip)
    assert problem.hint == f"Did you mean {images[3]}?"


@pytest.mark.parametrize("position", [0, 15, 31])
def test_the_nearest_image_is_found_wherever_a_letter_is_missing(only, pinpoint, pinpoint_lists, images, position):
    pinpoint_lists["00004"]["retrieved_items"][1] = images[7][:position] + images[7][position + 1 :]
    assert images[7] in only(pinpoint_lists, pinpoint).hint


def test_an_unknown_number_is_fine_where_the_gallery_is_open(codes, circo, circo_lists):
    assert codes({**circo_lists, "0": [999999999, 2, 3, 4]}, circo) == {}


def test_too_short_and_too_long_lists_are_counted_apart(codes, circo):
    assert codes({"0": [1, 2, 3], "1": [], "2": [9, 10, 11, 12, 13]}, circo) == {
        "list-too-short": 2,
        "list-too-long": 1,
    }


def test_short_lists_that_are_allowed_give_one_warning_that_names_the_lost_metrics(
    only, pinpoint, pinpoint_lists, images
):
    for query in ("00001", "00004"):
        pinpoint_lists[query]["retrieved_items"] = list(images[: 2 if query == "00001" else 3])
    problem = only(pinpoint_lists, pinpoint)
    assert (problem.code, problem.severity, problem.value) == ("list-short", "warning", "2")
    assert "2 of 3 lists" in problem.message
    assert problem.hint == "Left out: mAP@4, mAP@1_without_negatives."


def test_an_empty_list_is_too_short_even_where_short_ones_are_allowed(codes, pinpoint, pinpoint_lists):
    pinpoint_lists["00001"]["retrieved_items"] = []
    assert codes(pinpoint_lists, pinpoint) == {"list-too-short": 1}


def test_the_named_protocol_decides_on_the_length(codes, pinpoint, pinpoint_lists):
    assert codes(pinpoint_lists, pinpoint, "pairs") == {"list-too-long": 3}


def test_a_reference_image_is_a_warning_in_both_formats(only, circo, circo_lists, pinpoint, pinpoint_lists, images):
    problem = only({**circo_lists, "1": [5, 101, 7, 8]}, circo)
    assert (problem.code, problem.severity, problem.query, problem.rank) == ("reference-in-list", "warning", "1", 2)
    pinpoint_lists["00002"]["retrieved_items"][3] = images[10]
    assert only(pinpoint_lists, pinpoint).code == "reference-in-list"


def test_another_querys_reference_image_is_nothing_special(codes, circo, circo_lists):
    assert codes({**circo_lists, "1": [5, 100, 102, 8]}, circo) == {}


def test_an_excluded_image_is_an_error(only, two_galleries, images):
    lists = {"00001": {"retrieved_items": list(images[:4])}, "00002": {"retrieved_items": list(images[4:8])}}
    problem = only(lists, two_galleries)
    assert (problem.code, problem.query, problem.rank, problem.value) == ("image-excluded", "00001", 2, images[1])


def test_an_image_of_another_querys_gallery_is_an_error(codes, two_galleries, images):
    lists = {"00001": {"retrieved_items": [images[0], images[4], images[7], images[2]]}}
    lists["00002"] = {"retrieved_items": [images[4], images[11], images[0], images[5]]}
    assert codes(lists, two_galleries) == {"image-outside-gallery": 2}


def test_all_problems_are_found_at_once(codes, circo):
    content = b'{"0": [1, 1, null, true], "1": [5, 6], "9": [1, 2, 3, 4], "9": [1.5, "x", [2], 101]}'
    assert codes(content, circo) == {
        "json-key-repeated": 1,
        "query-unknown": 1,
        "query-missing": 1,
        "value-null": 1,
        "value-bool": 1,
        "list-too-short": 1,
        "image-repeated": 1,
    }
