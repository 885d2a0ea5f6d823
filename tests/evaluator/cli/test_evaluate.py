import io
import json
import zipfile

import numpy as np
import pytest
from click.testing import CliRunner

from evaluator.cli import main
from evaluator.importers.bundle_writer import write_bundle
from evaluator.importers.cirr import read_cirr
from evaluator.public.run import run_from_lists, save_run
from tests.evaluator.small_bundle import IMAGES, write_small_bundle
from tests.evaluator.small_sources import cirr_run, write_cirr

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


def test_a_canonical_run_is_checked_like_any_file(bundle, tmp_path):
    canonical = tmp_path / "run.npz"
    save_run(canonical, run_from_lists({"q0": ["i1", "i1"]}))
    result = evaluate(bundle, canonical)
    assert result.exit_code == 1
    assert "[query-missing]" in result.stdout
    assert "[image-repeated]" in result.stdout


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"nothing of the kind", "json-invalid"),
        (b"PK\x03\x04 no zip", "archive-damaged"),
        (b"\x93NUMPY\x01\x00", "format-wrong"),
        (npy(), "format-wrong"),
    ],
)
def test_the_name_of_a_file_says_nothing_about_its_format(bundle, tmp_path, content, code):
    canonical = tmp_path / "run.npz"
    canonical.write_bytes(content)
    result = evaluate(bundle, canonical)
    assert result.exit_code == 1
    assert f"[{code}]" in result.stdout


def test_a_canonical_run_whose_members_are_no_arrays_is_refused(bundle, tmp_path):
    canonical = tmp_path / "run.npz"
    with zipfile.ZipFile(canonical, "w") as archive:
        for name in ("query_text", "query_ends", "image_text", "image_ends", "offsets", "items"):
            archive.writestr(f"{name}.npy", "text")
    result = evaluate(bundle, canonical)
    assert result.exit_code == 1
    assert "[npz-damaged]" in result.stdout


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


@pytest.fixture
def cirr(tmp_path):
    """A small CIRR: its bundle and the two files of a run."""
    write_bundle(tmp_path / "cirr", read_cirr(write_cirr(tmp_path / "source"), "val"))
    paths = []
    for metric, content in cirr_run().items():
        paths.append(tmp_path / f"{metric}.json")
        paths[-1].write_text(json.dumps(content))
    return tmp_path / "cirr", paths


def test_the_files_of_a_run_are_scored_together(cirr):
    bundle, paths = cirr
    metrics = json.loads(evaluate(bundle, *paths, "--json").stdout)["metrics"]
    assert metrics["recall@1"]["value"] == 1 / 3
    assert metrics["recall_subset@3"]["value"] == 2 / 3


def test_one_file_of_two_gives_its_part_and_says_what_is_left_out(cirr):
    bundle, paths = cirr
    result = evaluate(bundle, paths[1])
    assert result.exit_code == 0
    assert "There are no lists over the whole gallery" in result.stdout
    assert "would not be ranked on recall@1" in result.stdout


def test_refused_files_are_all_named(cirr):
    bundle, paths = cirr
    paths[1].write_text(json.dumps({**json.loads(paths[1].read_text()), "version": "rc1"}))
    result = evaluate(bundle, *paths)
    assert result.exit_code == 1
    assert "recall.json and recall_subset.json cannot be scored yet" in result.stdout
    assert 'File 2: The version is "rc1".' in result.stdout


def test_the_servers_denominator_counts_two_queries_more(cirr):
    bundle, paths = cirr
    report = json.loads(evaluate(bundle, *paths, "--denominator", "server", "--json").stdout)
    assert report["metrics"]["recall@1"] == {**report["metrics"]["recall@1"], "value": 1 / 5, "n": 5}
    assert "queries-added" in {warning["code"] for warning in report["warnings"]}


def test_soft_labels_have_no_servers_denominator(cirr):
    bundle, paths = cirr
    result = evaluate(bundle, *paths, "--denominator", "server", "--protocol", "soft")
    assert result.exit_code == 2
    assert "the server's is for CIRR's hard labels" in result.stderr.replace("\n", " ")


def test_other_benchmarks_have_no_servers_denominator(bundle, run_file):
    result = evaluate(bundle, run_file, "--denominator", "server")
    assert result.exit_code == 2
    assert "Small, protocol official" in result.stderr


def test_more_files_than_a_run_has_are_refused(bundle, run_file):
    result = evaluate(bundle, run_file, run_file)
    assert result.exit_code == 1
    assert "2 files were given." in result.stdout
