"""The demo runs of the mini benchmark, in a small edition."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from evaluator.cli.demo_runs import demo_runs
from evaluator.formats.read import read_run
from evaluator.importers.mini.bundle import write_bundle
from evaluator.importers.mini.demo_runs import METHODS_FILE, DemoRunsError, write_demo_runs
from evaluator.importers.mini.sizes import Sizes
from evaluator.public.bundle import Benchmark, load_benchmark
from evaluator.public.manifest import write_manifest
from evaluator.report import Report
from evaluator.score import score

SMALL = Sizes(n_families=3, n_plain=4, n_per_modification=3, n_asked=3, n_look_alike_plain=1, n_unrelated=2)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_bundle(tmp_path_factory.mktemp("mini") / "bundle", seed=7, sizes=SMALL, n_processes=1)


@pytest.fixture(scope="module")
def benchmark(bundle: Path) -> Benchmark:
    return load_benchmark(bundle)


@pytest.fixture(scope="module")
def runs(bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs")
    write_demo_runs(bundle, out)
    return out


def described(runs: Path) -> list[dict[str, str]]:
    methods: list[dict[str, str]] = json.loads((runs / METHODS_FILE).read_text())
    return methods


def lists_of(path: Path) -> dict[str, list[str]]:
    content: dict[str, dict[str, list[str]]] = json.loads(path.read_text())
    return {query_id: entry["retrieved_items"] for query_id, entry in content.items()}


@pytest.fixture(scope="module")
def reports(runs: Path, benchmark: Benchmark, bundle: Path) -> dict[str, Report]:
    scored = {}
    for method in described(runs):
        reading = read_run(runs / method["file"], benchmark)
        assert reading.run is not None, reading.problems.to_json()
        scored[method["slug"]] = score(reading.run, benchmark, bundle / "sealed")
    return scored


def test_every_file_is_described_and_every_description_has_a_file(runs: Path) -> None:
    assert {path.name for path in runs.iterdir()} == {METHODS_FILE, *(method["file"] for method in described(runs))}
    assert 6 <= len(described(runs)) <= 8


def test_descriptions_fit_the_columns_they_go_to(runs: Path) -> None:
    for method in described(runs):
        assert 0 < len(method["name"]) <= 80
        assert 0 < len(method["description"]) <= 500
        assert len(method["backbone"]) <= 80


def test_whatever_reads_the_ground_truth_is_called_an_oracle(runs: Path) -> None:
    for method in described(runs):
        assert ("oracle" in method["name"].lower()) == ("ground truth" in method["backbone"])
        assert (method["paradigm"] == "baseline") == ("ground truth" not in method["backbone"])


def test_every_list_holds_fifty_images_of_its_own_gallery_once(runs: Path, benchmark: Benchmark) -> None:
    members: dict[str, set[str]] = {}
    for row in benchmark.gallery_table.to_pylist():
        members.setdefault(row["gallery_id"], set()).add(row["image_id"])
    gallery_of = {query.id: members[query.gallery_id] for query in benchmark.queries}
    for method in described(runs):
        lists = lists_of(runs / method["file"])
        assert set(lists) == set(benchmark.query_ids)
        for query_id, images in lists.items():
            assert len(images) == len(set(images)) == 50
            assert gallery_of[query_id].issuperset(images)


def test_the_same_bundle_gives_the_same_files(bundle: Path, runs: Path, tmp_path: Path) -> None:
    write_demo_runs(bundle, tmp_path)
    for path in runs.iterdir():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()


def test_the_validator_finds_nothing_to_say(runs: Path, benchmark: Benchmark) -> None:
    for method in described(runs):
        reading = read_run(runs / method["file"], benchmark)
        assert reading.run is not None
        assert list(reading.problems) == []


def test_scores_stand_in_the_expected_order(reports: dict[str, Report]) -> None:
    values = {slug: report.metrics["mAP@10"].value for slug, report in reports.items()}
    order = ["random-order", "text-oracle", "pixel-and-text-oracle", "noisy-oracle-60", "noisy-oracle-30"]
    measured: list[Any] = [values[slug] for slug in order]
    assert measured == sorted(measured)
    assert np.isfinite(measured).all()


def test_every_declared_metric_and_slice_has_a_value(reports: dict[str, Report], benchmark: Benchmark) -> None:
    report = reports["noisy-oracle-60"]
    assert tuple(report.metrics) == benchmark.manifest.protocol().metrics
    assert all(estimate.value is not None for estimate in report.metrics.values())
    assert report.rankable
    assert set(report.slices) == {axis.name for axis in benchmark.manifest.slice_axes}


def test_methods_without_words_are_deaf_to_paraphrases(reports: dict[str, Report]) -> None:
    assert reports["pixel-image-only"].metrics["linguistic_range"].value == 0
    assert (reports["text-oracle"].metrics["linguistic_range"].value or 0) > 0


def test_another_benchmark_is_refused(benchmark: Benchmark, tmp_path: Path) -> None:
    (tmp_path / "public").mkdir()
    write_manifest(tmp_path / "public" / "benchmark.toml", replace(benchmark.manifest, name="circo"))
    with pytest.raises(DemoRunsError, match="cirboard import mini"):
        write_demo_runs(tmp_path, tmp_path / "runs")


def test_a_bundle_without_its_sealed_side_is_refused(bundle: Path, tmp_path: Path) -> None:
    shutil.copytree(bundle / "public", tmp_path / "public")
    with pytest.raises(DemoRunsError, match="sealed"):
        write_demo_runs(tmp_path, tmp_path / "runs")


def test_the_command_writes_the_files(bundle: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(demo_runs, ["--bundle", str(bundle), "--out", str(tmp_path / "runs")])
    assert result.exit_code == 0, result.output
    assert METHODS_FILE in result.output
    assert (tmp_path / "runs" / METHODS_FILE).is_file()


def test_the_command_says_what_is_wrong_with_a_folder(tmp_path: Path) -> None:
    result = CliRunner().invoke(demo_runs, ["--bundle", str(tmp_path), "--out", str(tmp_path / "runs")])
    assert result.exit_code == 1
    assert "benchmark.toml" in result.output
