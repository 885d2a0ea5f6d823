import json

import pytest

from evaluator.importers.bundle_writer import ImportSourceError, write_bundle
from evaluator.importers.fashioniq import read_fashioniq
from evaluator.sealed.ground_truth import load_ground_truth
from tests.evaluator.small_sources import fashioniq_captions, fashioniq_images, write_fashioniq


@pytest.fixture
def source(tmp_path):
    return write_fashioniq(tmp_path / "fashioniq")


def test_a_query_is_called_by_category_and_position(source, tmp_path):
    benchmark = write_bundle(tmp_path / "out", read_fashioniq(source, "val", "original"))
    assert benchmark.query_ids[:3] == ("dress/0", "dress/1", "shirt/0")
    query = benchmark.queries[1]
    candidate = fashioniq_images("dress")[0]
    assert (query.reference_images, query.gallery_id, query.exclude) == ((candidate,), "dress", ())
    assert query.modification == "is dress 1 and longer"
    assert query.slices == {"category": ("dress",), "candidate": (f"dress/{candidate}",)}
    rows = load_ground_truth(tmp_path / "out" / "sealed").judgements.to_pylist()
    assert [row["image_id"] for row in rows[:2]] == [entry["target"] for entry in fashioniq_captions("dress")]


def test_candidates_are_drawn_within_categories_and_categories_weigh_equally(source):
    manifest = read_fashioniq(source, "val", "original").manifest
    assert (manifest.resampling.axis, manifest.resampling.strata) == ("candidate", "category")
    assert manifest.protocols[0].average_over == "category"


def test_the_gallery_is_part_of_the_names_of_split_and_protocol(source):
    for gallery in ("original", "val"):
        manifest = read_fashioniq(source, "val", gallery).manifest
        assert (manifest.split, manifest.protocols[0].name) == (f"val-{gallery}", f"{gallery}_split")


def test_the_original_gallery_is_the_image_split(source):
    rows = read_fashioniq(source, "val", "original").galleries.to_pylist()
    assert [row["image_id"] for row in rows if row["gallery_id"] == "shirt"] == fashioniq_images("shirt")


def test_the_val_gallery_is_what_captions_are_about(source):
    rows = read_fashioniq(source, "val", "val").galleries.to_pylist()
    images = fashioniq_images("shirt")
    expected = [images[0], images[10], images[11], images[1], images[12]]
    assert [row["image_id"] for row in rows if row["gallery_id"] == "shirt"] == expected


def test_test_holds_no_ground_truth(tmp_path):
    source = write_fashioniq(tmp_path / "fashioniq", "test")
    benchmark = write_bundle(tmp_path / "out", read_fashioniq(source, "test", "original"))
    assert benchmark.manifest.ground_truth == "external"
    assert load_ground_truth(tmp_path / "out" / "sealed").judgements.num_rows == 0


def test_test_has_no_val_gallery(tmp_path):
    with pytest.raises(ImportSourceError, match="use --gallery original"):
        read_fashioniq(tmp_path, "test", "val")


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        (1, "there is no candidate"),
        ({"candidate": 1, "captions": ["a", "b"], "target": "c"}, "there is no candidate"),
        ({"candidate": "a", "captions": "b", "target": "c"}, "there are no captions"),
        ({"candidate": "a", "captions": ["b", 1], "target": "c"}, "there are no captions"),
        ({"candidate": "a", "captions": ["b"]}, "there is no target"),
    ],
)
def test_captions_that_are_something_else_are_refused_with_file_and_position(source, entry, fault):
    path = source / "captions" / "cap.toptee.val.json"
    path.write_text(json.dumps([*fashioniq_captions("toptee"), entry]))
    with pytest.raises(ImportSourceError, match=rf"cap\.toptee\.val\.json, position 4: {fault}; .* get it from"):
        read_fashioniq(source, "val", "original")


def test_captions_with_targets_are_not_the_test_split(source):
    for category in ("dress", "shirt", "toptee"):
        captions = source / "captions"
        (captions / f"cap.{category}.val.json").rename(captions / f"cap.{category}.test.json")
    with pytest.raises(ImportSourceError, match="there is a target, as only the val split has"):
        read_fashioniq(source, "test", "original")


@pytest.mark.parametrize(("content", "message"), [("{", "is not JSON"), ("{}", "must be a list"), ("[1]", "image ids")])
def test_an_image_split_that_is_something_else_is_refused(source, content, message):
    (source / "image_splits" / "split.dress.val.json").write_text(content)
    with pytest.raises(ImportSourceError, match=message):
        read_fashioniq(source, "val", "original")


def test_a_missing_file_is_refused_with_the_remedy(tmp_path):
    with pytest.raises(ImportSourceError, match=r"cap\.dress\.val\.json does not exist; get it from"):
        read_fashioniq(tmp_path, "val", "original")
