import json

import pytest

from evaluator.formats.read import read_run
from tests.evaluator.small_bundle import write_small_bundle

LISTS = {f"q{number}": ["i4", "i8"] for number in range(4)}


@pytest.fixture
def benchmark(tmp_path):
    return write_small_bundle(tmp_path / "bundle", run_format="lists")


def reading(content, benchmark, tmp_path):
    (tmp_path / "run.json").write_text(json.dumps(content))
    return read_run(tmp_path / "run.json", benchmark)


def test_an_object_of_lists_is_a_run(benchmark, tmp_path):
    found = reading(LISTS, benchmark, tmp_path)
    assert found.run is not None
    assert found.run.ranked(0) == ["i4", "i8"]


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        (None, "list-null"),
        ("i4", "list-wrong-type"),
        ({"images": ["i4"]}, "list-wrong-type"),
        ({"retrieved_items": ["i4"]}, "list-wrapped"),
        (["i4", "i99"], "image-unknown"),
        (["i4", " i4 "], "image-repeated"),
        ([4], "value-number"),
    ],
)
def test_an_entry_that_is_no_list_of_ids_is_reported(entry, code, benchmark, tmp_path):
    assert code in reading({**LISTS, "q1": entry}, benchmark, tmp_path).problems.counts


def test_ids_with_folders_and_endings_are_taken_as_they_are(tmp_path):
    open_gallery = write_small_bundle(
        tmp_path / "bundle", run_format="lists", gallery_policy="open", image_id_pattern=r"[\w./-]+"
    )
    found = reading({query: ["shoes/1.jpg", "i4"] for query in LISTS}, open_gallery, tmp_path)
    assert found.run is not None
    assert found.run.ranked(0) == ["shoes/1.jpg", "i4"]
