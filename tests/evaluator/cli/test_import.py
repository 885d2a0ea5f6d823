import json

import pytest
from click.testing import CliRunner

from evaluator.cli import main
from evaluator.public.bundle import load_benchmark
from tests.evaluator.small_sources import write_cirr, write_fashioniq, write_genecis

ENTRY = {
    "reference_img_id": 10,
    "target_img_id": 20,
    "relative_caption": "is blue",
    "shared_concept": "a car",
    "gt_img_ids": [20],
    "id": 0,
    "semantic_aspects": [],
}


def import_(*arguments):
    return CliRunner().invoke(main, ["import", *map(str, arguments)])


@pytest.fixture
def source(tmp_path):
    folder = tmp_path / "source"
    folder.mkdir()
    without_truth = {key: value for key, value in ENTRY.items() if key != "gt_img_ids"}
    for split, entry in (("val", ENTRY), ("test", without_truth)):
        (folder / f"{split}.json").write_text(json.dumps([entry]))
    return folder


def test_circo_becomes_a_bundle_and_says_what_it_is(source, tmp_path):
    result = import_("circo", "--source", source, "--split", "val", "--out", tmp_path / "bundle")
    assert result.exit_code == 0
    assert "CIRCO val, 1 query, open gallery" in result.stdout
    assert load_benchmark(tmp_path / "bundle").query_ids == ("0",)


def test_importing_again_replaces_the_bundle(source, tmp_path):
    for _ in range(2):
        assert import_("circo", "--source", source, "--split", "val", "--out", tmp_path / "bundle").exit_code == 0


def test_external_ground_truth_is_said(source, tmp_path):
    result = import_("circo", "--source", source, "--split", "test", "--out", tmp_path / "bundle")
    assert "files can be checked here, not scored" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "write", "words"),
    [
        (["cirr", "--split", "val"], write_cirr, "CIRR val, 3 queries in 2 parts, 60 images."),
        (
            ["fashioniq", "--split", "val", "--gallery", "original"],
            write_fashioniq,
            "FashionIQ val-original, 9 queries, 180 images.",
        ),
        (
            ["fashioniq", "--split", "val", "--gallery", "val"],
            write_fashioniq,
            "FashionIQ val-val, 9 queries, 14 images.",
        ),
        (["genecis", "--task", "change_object"], write_genecis, "GeneCIS change object test, 3 queries, 40 images."),
    ],
)
def test_an_official_layout_becomes_a_bundle_and_says_what_it_is(arguments, write, words, tmp_path):
    result = import_(*arguments, "--source", write(tmp_path / "source"), "--out", tmp_path / "bundle")
    assert result.exit_code == 0, result.output
    assert words in result.stdout
    assert load_benchmark(tmp_path / "bundle").manifest.digests


@pytest.mark.parametrize(
    "benchmark",
    [
        ["circo", "--split", "val"],
        ["cirr", "--split", "test1"],
        ["fashioniq", "--split", "val", "--gallery", "val"],
        ["genecis", "--task", "focus_object"],
        ["pinpoint"],
    ],
)
def test_a_folder_without_the_files_is_refused_in_one_line(benchmark, tmp_path):
    result = import_(*benchmark, "--source", tmp_path, "--out", tmp_path / "bundle")
    assert result.exit_code == 1
    assert "get it from" in result.stderr
    assert not (tmp_path / "bundle").exists()


def test_a_folder_with_something_else_is_not_overwritten(source):
    result = import_("circo", "--source", source, "--split", "val", "--out", source)
    assert result.exit_code == 1
    assert "is not a bundle" in result.stderr
    assert (source / "val.json").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["circo", "--split", "train"],
        ["cirr", "--split", "test"],
        ["fashioniq", "--split", "val"],
        ["genecis", "--task", "change"],
        ["nothing"],
        ["mini"],
        ["pinpoint"],
    ],
)
def test_wrong_usage_exits_2(arguments):
    assert import_(*arguments).exit_code == 2
