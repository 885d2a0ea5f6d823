import json

import pytest

from evaluator.importers.bundle_writer import ImportSourceError, write_bundle
from evaluator.importers.genecis import TASKS, read_genecis
from evaluator.sealed.ground_truth import load_ground_truth
from tests.evaluator.small_sources import GENECIS_ENTRIES, write_genecis


@pytest.fixture
def source(tmp_path):
    return write_genecis(tmp_path / "genecis")


def test_each_query_has_a_gallery_of_its_own_that_begins_with_the_target(source, tmp_path):
    benchmark = write_bundle(tmp_path / "out", read_genecis(source, "change_object"))
    assert benchmark.query_ids == ("0", "1", "2")
    query = benchmark.queries[1]
    assert (query.reference_images, query.modification, query.gallery_id) == (("1",), "wall", "1")
    rows = benchmark.gallery_table.to_pylist()
    assert [row["image_id"] for row in rows if row["gallery_id"] == "1"] == [str(image) for image in range(110, 125)]
    judged = load_ground_truth(tmp_path / "out" / "sealed").judgements.to_pylist()
    assert [(row["query_id"], row["image_id"]) for row in judged] == [("0", "100"), ("1", "110"), ("2", "200")]


def test_the_whole_gallery_is_ordered_and_uploads_are_never_ranked(source):
    manifest = read_genecis(source, "change_object").manifest
    (protocol,) = manifest.protocols
    assert (protocol.list_length, protocol.full_gallery, protocol.ranks_uploads) == ((15, 15), True, False)
    assert manifest.resampling.axis == "reference"


@pytest.mark.parametrize("task", TASKS)
def test_the_task_is_part_of_the_benchmarks_name(tmp_path, task):
    manifest = read_genecis(write_genecis(tmp_path, task), task).manifest
    assert manifest.name == f"genecis-{task.replace('_', '-')}"
    assert manifest.name.isascii()


def test_an_image_that_stands_twice_in_a_gallery_is_told_apart(source, tmp_path):
    entry = {**GENECIS_ENTRIES[0], "gallery": [*GENECIS_ENTRIES[0]["gallery"][:13], {"val_image_id": 100}]}
    (source / "change_object.json").write_text(json.dumps([entry]))
    benchmark = write_bundle(tmp_path / "out", read_genecis(source, "change_object"))
    images = benchmark.gallery_table.column("image_id").to_pylist()
    assert (images[0], images[14]) == ("100", "100#2")


def test_attributes_are_boxes_in_images(tmp_path):
    def box(left):
        return {"image_id": 7, "instance_bbox": [left, 2.5, 30, 40.0]}

    entry = {"condition": "red", "reference": box(0), "target": box(1), "gallery": [box(2), box(3.25)]}
    (tmp_path / "change_attribute.json").write_text(json.dumps([entry]))
    parts = read_genecis(tmp_path, "change_attribute")
    assert parts.queries[0].reference_images == ("7_0_2.5_30_40",)
    assert parts.galleries.column("image_id").to_pylist() == ["7_1_2.5_30_40", "7_2_2.5_30_40", "7_3.25_2.5_30_40"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[", "is not JSON"),
        ("{}", "must be a list"),
        ("[1]", "is not GeneCIS's change_object"),
        (json.dumps([{**GENECIS_ENTRIES[0], "target": {"id": 1}}]), "is not GeneCIS's change_object"),
        (json.dumps([{key: GENECIS_ENTRIES[0][key] for key in ("reference", "target", "gallery")}]), "condition"),
    ],
)
def test_a_file_that_is_something_else_is_refused_with_its_name(source, content, message):
    (source / "change_object.json").write_text(content)
    with pytest.raises(ImportSourceError, match=message) as caught:
        read_genecis(source, "change_object")
    assert "change_object.json" in str(caught.value)


def test_a_missing_file_is_refused_with_the_remedy(tmp_path):
    with pytest.raises(ImportSourceError, match=r"focus_object\.json does not exist; get it from"):
        read_genecis(tmp_path, "focus_object")
