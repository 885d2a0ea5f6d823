import json

import pytest

from evaluator.importers.bundle_writer import ImportSourceError, write_bundle
from evaluator.importers.circo import read_circo
from evaluator.sealed.ground_truth import load_ground_truth

ENTRY = {
    "reference_img_id": 10,
    "target_img_id": 20,
    "relative_caption": "is blue",
    "shared_concept": "a car",
    "gt_img_ids": [20, 30],
    "id": 0,
    "semantic_aspects": ["negation", "viewpoint"],
}


@pytest.fixture
def source(tmp_path):
    folder = tmp_path / "circo" / "annotations"
    folder.mkdir(parents=True)
    (folder / "val.json").write_text(json.dumps([ENTRY]))
    hidden = {key: ENTRY[key] for key in ("reference_img_id", "relative_caption", "shared_concept", "id")}
    (folder / "test.json").write_text(json.dumps([hidden]))
    return folder.parent


def test_val_becomes_a_bundle_with_targets_positives_and_aspects(source, tmp_path):
    benchmark = write_bundle(tmp_path / "out", read_circo(source, "val"))
    (query,) = benchmark.queries
    assert (query.id, query.reference_images, query.modification) == ("0", ("10",), "is blue")
    assert query.slices == {"aspect": ("negation", "viewpoint")}
    rows = load_ground_truth(tmp_path / "out" / "sealed").judgements.to_pylist()
    judged = [(row["image_id"], row["label"], row["multiplicity"]) for row in rows]
    assert judged == [("20", "positive", 1), ("30", "positive", 1), ("20", "target", 1)]
    assert benchmark.manifest.gallery_policy == "open"
    assert benchmark.manifest.ground_truth == "public"
    assert (tmp_path / "out" / "public" / "judgements.parquet").exists()


def test_annotations_are_found_without_their_folder(source):
    assert len(read_circo(source / "annotations", "val").queries) == 1


def test_test_holds_no_ground_truth(source, tmp_path):
    benchmark = write_bundle(tmp_path / "out", read_circo(source, "test"))
    assert benchmark.manifest.ground_truth == "external"
    assert benchmark.manifest.slice_axes == ()
    assert load_ground_truth(tmp_path / "out" / "sealed").judgements.num_rows == 0
    assert not (tmp_path / "out" / "public" / "judgements.parquet").exists()


def test_a_gallery_list_closes_the_gallery(source, tmp_path):
    gallery = tmp_path / "image_info_unlabeled2017.json"
    gallery.write_text(json.dumps({"images": [{"id": image} for image in (10, 20, 30)]}))
    benchmark = write_bundle(tmp_path / "out", read_circo(source, "val", gallery))
    assert benchmark.manifest.gallery_policy == "closed"
    assert benchmark.image_ids.to_pylist() == ["10", "20", "30"]


def test_a_gallery_list_that_lacks_a_judged_image_is_refused(source, tmp_path):
    gallery = tmp_path / "image_info_unlabeled2017.json"
    gallery.write_text(json.dumps({"images": [{"id": 10}, {"id": 20}]}))
    with pytest.raises(ImportSourceError, match="'30' is judged but is in no gallery"):
        write_bundle(tmp_path / "out", read_circo(source, "val", gallery))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[", "is not JSON"),
        ("{}", "must be a list"),
        ("[]", "must be a list"),
        ("[1]", "is not CIRCO's val annotations"),
        (json.dumps([{**ENTRY, "gt_img_ids": ["x"]}]), "is not CIRCO's val annotations"),
        (json.dumps([{key: ENTRY[key] for key in ENTRY if key != "target_img_id"}]), "target_img_id"),
    ],
)
def test_a_file_that_is_something_else_is_refused_with_its_name(source, content, message):
    (source / "annotations" / "val.json").write_text(content)
    with pytest.raises(ImportSourceError, match=message) as caught:
        read_circo(source, "val")
    assert "val.json" in str(caught.value)


def test_a_missing_file_is_refused_with_the_remedy(tmp_path):
    with pytest.raises(ImportSourceError, match=r"annotations/val.json under .* get it from"):
        read_circo(tmp_path, "val")


@pytest.mark.parametrize("content", ["{}", '{"images": [{}]}', "[]"])
def test_a_gallery_file_that_is_something_else_is_refused(source, tmp_path, content):
    gallery = tmp_path / "gallery.json"
    gallery.write_text(content)
    with pytest.raises(ImportSourceError, match="image_info_unlabeled2017"):
        read_circo(source, "val", gallery)


def test_a_query_that_occurs_twice_is_refused(source, tmp_path):
    (source / "annotations" / "val.json").write_text(json.dumps([ENTRY, ENTRY]))
    with pytest.raises(ImportSourceError, match="'0' occurs more than once"):
        write_bundle(tmp_path / "out", read_circo(source, "val"))


def test_annotations_with_ground_truth_are_not_the_test_split(source):
    (source / "annotations" / "test.json").write_text(json.dumps([ENTRY]))
    with pytest.raises(ImportSourceError, match="have ground truth"):
        read_circo(source, "test")
