import json

import pytest

from evaluator.importers.bundle_writer import ImportSourceError, write_bundle
from evaluator.importers.cirr import read_cirr
from evaluator.sealed.ground_truth import load_ground_truth
from tests.evaluator.small_sources import CIRR_ENTRIES, CIRR_IMAGES, CIRR_SETS, write_cirr


@pytest.fixture
def source(tmp_path):
    return write_cirr(tmp_path / "cirr")


def test_each_pair_becomes_two_queries(source, tmp_path):
    benchmark = write_bundle(tmp_path / "out", read_cirr(source, "val"))
    assert benchmark.query_ids == ("12", "13", "20", "12/subset", "13/subset", "20/subset")
    whole, subset = benchmark.queries[0], benchmark.queries[3]
    assert (whole.gallery_id, subset.gallery_id) == ("val", "set-7")
    assert whole.slices == {"part": ("recall",), "img_set": ("set-7",)}
    assert subset.slices == {"part": ("recall_subset",), "img_set": ("set-7",)}
    for query in (whole, subset):
        assert query.reference_images == query.exclude == (CIRR_IMAGES[0],)
        assert query.modification == "change 12"


def test_the_set_of_a_query_is_its_second_gallery(source):
    rows = read_cirr(source, "val").galleries.to_pylist()
    for number, members in CIRR_SETS.items():
        assert [row["image_id"] for row in rows if row["gallery_id"] == f"set-{number}"] == members
    assert [row["image_id"] for row in rows if row["gallery_id"] == "val"] == CIRR_IMAGES


def test_targets_are_positives_and_soft_labels_grades(source, tmp_path):
    write_bundle(tmp_path / "out", read_cirr(source, "val"))
    rows = load_ground_truth(tmp_path / "out" / "sealed").judgements.to_pylist()

    def judged(query):
        return [(row["image_id"], row["label"], row["weight"]) for row in rows if row["query_id"] == query]

    doubted, better, outside = CIRR_IMAGES[3], CIRR_IMAGES[4], CIRR_IMAGES[30]
    in_the_set = [(doubted, "positive", 1.0), (doubted, "graded", -1.0), (better, "graded", 0.5)]
    assert judged("13") == [*in_the_set, (outside, "graded", 0.2)]
    assert judged("13/subset") == in_the_set


def test_rules_are_the_two_of_the_val_split(source):
    hard, soft = read_cirr(source, "val").manifest.protocols
    assert (hard.name, hard.truth, soft.name, soft.truth) == ("hard", "as_listed", "soft", "graded")
    assert [(part.name, part.list_length) for part in hard.parts] == [("recall", (50, 50)), ("recall_subset", (3, 3))]
    assert hard.metrics == soft.metrics


def test_test1_has_no_ground_truth_and_a_protocol_like_the_servers(tmp_path):
    benchmark = write_bundle(tmp_path / "out", read_cirr(write_cirr(tmp_path / "cirr", "test1"), "test1"))
    assert benchmark.manifest.ground_truth == "external"
    assert load_ground_truth(tmp_path / "out" / "sealed").judgements.num_rows == 0
    assert not (tmp_path / "out" / "public" / "judgements.parquet").exists()
    server = benchmark.manifest.protocol("server")
    assert server.extra_queries == 2
    assert "an inference" in server.description


def test_captions_with_targets_are_not_the_test_split(source, tmp_path):
    write_cirr(tmp_path / "cirr", "test1")
    (source / "captions" / "cap.rc2.test1.json").write_text(json.dumps(CIRR_ENTRIES))
    with pytest.raises(ImportSourceError, match="have targets"):
        read_cirr(source, "test1")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[", "is not JSON"),
        ("{}", "must be a list"),
        ("[]", "must be a list"),
        ("[1]", "is not CIRR's val captions"),
        (json.dumps([{key: CIRR_ENTRIES[0][key] for key in CIRR_ENTRIES[0] if key != "target_hard"}]), "target_hard"),
        (json.dumps([{**CIRR_ENTRIES[0], "target_soft": [1]}]), "is not CIRR's val captions"),
        (json.dumps([{**CIRR_ENTRIES[0], "reference": CIRR_IMAGES[50]}]), "reference of pair 12 is not in its own set"),
    ],
)
def test_captions_that_are_something_else_are_refused_with_the_files_name(source, content, message):
    (source / "captions" / "cap.rc2.val.json").write_text(content)
    with pytest.raises(ImportSourceError, match=message) as caught:
        read_cirr(source, "val")
    assert "cap.rc2.val.json" in str(caught.value)


@pytest.mark.parametrize("content", ["[]", "{}", "1"])
def test_an_image_split_that_is_something_else_is_refused(source, content):
    (source / "image_splits" / "split.rc2.val.json").write_text(content)
    with pytest.raises(ImportSourceError, match=r"split\.rc2\.val\.json must be an object"):
        read_cirr(source, "val")


def test_a_missing_file_is_refused_with_the_remedy(tmp_path):
    with pytest.raises(ImportSourceError, match=r"cap\.rc2\.val\.json does not exist; get it from"):
        read_cirr(tmp_path, "val")
