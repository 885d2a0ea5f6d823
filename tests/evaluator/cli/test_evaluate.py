import io
import json
import zipfile

import numpy as np
import pytest
from click.testing import CliRunner

from evaluator.cli import main
from evaluator.public.run import run_from_lists, save_run
from tests.evaluator.small_bundle import IMAGES, write_small_bundle

LISTS = {f"q{number}": [image for image in IMAGES if image != f"i{number}"][:6] for number in range(4)}


@pytest.fixture
def bundle(tmp_path):
    write_small_bundle(tmp_path / "small")
    return tmp_path / "small"


@pytest.fixture
def run_file(tmp_path):
    path = tmp_path / "run.json"
    path.write_text(json.dumps({query: {"retrieved_items": images} for query, images in LISTS.items()}))
    return path


def npy():
    """One array, as NumPy saves it alone."""
    stream = io.BytesIO()
    np.save(stream, np.arange(3))
    return stream.getvalue()


def evaluate(*arguments):
    return CliRunner().invoke(main, ["evaluate", *map(str, arguments)])


def test_json_holds_metrics_slices_digests_and_warnings(bundle, run_file):
    result = evaluate(bundle, run_file, "--json")
    assert result.exit_code == 0
    report = json.loads(result.stdout)
    assert set(report["metrics"]["mAP@2"]) == {"value", "low", "high", "n"}
    assert report["slices"]["colour"]["red"]["mAP@2"]["n"] == 4
    assert set(report["digests"]) == {"run", "manifest", "queries", "gallery", "ground_truth"}
    assert {"code", "message"} == set(report["warnings"][0])
    assert report["rankable"]


def test_the_table_names_metrics_intervals_and_warnings(bundle, run_file):
    result = evaluate(bundle, run_file)
    assert result.exit_code == 0
    assert "Small val (version 1), protocol official" in result.stdout
    assert "linguistic_range" in result.stdout
    assert " to " in result.stdout
    assert "warning interval-rough" in result.stdout
    assert "would not be ranked" not in result.stdout


def test_another_protocol_can_be_named(bundle, run_file):
    assert json.loads(evaluate(bundle, run_file, "--json", "--protocol", "clean").stdout)["protocol"] == "clean"


def test_a_canonical_run_gives_the_same_report(bundle, run_file, tmp_path):
    canonical = tmp_path / "run.npz"
    save_run(canonical, run_from_lists(LISTS))
    one = json.loads(evaluate(bundle, run_file, "--json").stdout)
    other = json.loads(evaluate(bundle, canonical, "--json").stdout)
    for key in ("metrics", "slices", "digests", "bootstrap"):
        assert one[key] == other[key]


def test_a_refused_file_prints_its_problems_and_exits_1(bundle, run_file):
    run_file.write_text(json.dumps({"q0": {"retrieved_items": ["i1", "i1"]}}))
    result = evaluate(bundle, run_file)
    assert result.exit_code == 1
    assert "run.json cannot be scored" in result.stdout
    assert "[image-repeated]" in result.stdout
    assert "[query-missing]" in result.stdout


def test_a_refused_file_has_its_problems_as_json_too(bundle, run_file):
    run_file.write_text("{}")
    result = evaluate(bundle, run_file, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["problems"]["n_errors"] > 0


def test_leniency_scores_a_refused_file_and_says_that_it_is_not_ranked(bundle, run_file):
    run_file.write_text(json.dumps({"q0": {"retrieved_items": ["i4", "i4"]}}))
    result = evaluate(bundle, run_file, "--lenient")
    assert result.exit_code == 0
    assert "would not be ranked on mAP@2" in result.stdout


def test_a_canonical_run_that_breaks_a_rule_is_refused_in_one_line(bundle, tmp_path):
    canonical = tmp_path / "run.npz"
    save_run(canonical, run_from_lists({"q0": ["i1"]}))
    result = evaluate(bundle, canonical)
    assert result.exit_code == 1
    assert "3 queries have no list" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("content", [b"nothing of the kind", b"PK\x03\x04 no zip", b"\x93NUMPY\x01\x00", npy()])
def test_bytes_that_are_no_canonical_run_are_refused_in_one_line(bundle, tmp_path, content):
    canonical = tmp_path / "run.npz"
    canonical.write_bytes(content)
    result = evaluate(bundle, canonical)
    assert result.exit_code == 1
    assert "is not a canonical run" in result.stderr


def test_a_canonical_run_with_other_members_is_refused_in_one_line(bundle, tmp_path):
    canonical = tmp_path / "run.npz"
    with zipfile.ZipFile(canonical, "w") as archive:
        for name in ("query_text", "query_ends", "image_text", "image_ends", "offsets", "items"):
            archive.writestr(name, "text")
    result = evaluate(bundle, canonical)
    assert result.exit_code == 1
    assert "query_text is no array" in result.stderr


def test_a_bundle_without_its_sealed_side_is_refused_in_one_line(bundle, run_file):
    (bundle / "sealed" / "ground_truth.parquet").unlink()
    result = evaluate(bundle, run_file)
    assert result.exit_code == 2
    assert "no ground_truth.parquet" in result.stderr


def test_a_folder_that_is_no_bundle_is_refused_in_one_line(tmp_path, run_file):
    result = evaluate(tmp_path, run_file)
    assert result.exit_code == 2
    assert "benchmark.toml does not exist" in result.stderr


@pytest.mark.parametrize("arguments", [[], ["--protocol", "other"], ["--no-such-option"]])
def test_wrong_usage_exits_2(bundle, run_file, arguments):
    paths = [bundle, run_file] if arguments else [bundle]
    assert evaluate(*paths, *arguments).exit_code == 2


def test_a_missing_file_is_wrong_usage(bundle, tmp_path):
    assert evaluate(bundle, tmp_path / "absent.json").exit_code == 2
