"""Golden result files through every format: the run stays the same, and so does the official file's content."""

import gzip
import json

import pytest

from evaluator.formats.read import read_run
from evaluator.formats.write import TARGETS, write_run
from evaluator.public.bundle import load_benchmark


@pytest.mark.parametrize("target", TARGETS)
def test_pinpoint_survives_every_format(pinpoint_bundle, pinpoint_cases, tmp_path, target):
    benchmark = load_benchmark(pinpoint_bundle)
    run = read_run(pinpoint_cases.path("random_seed31"), benchmark).run
    assert read_run(write_run(run, benchmark, target, tmp_path / "run"), benchmark).run.digest == run.digest


@pytest.mark.parametrize("target", [target for target in TARGETS if target != "npz"])
def test_circo_survives_every_format(circo_bundle, circo_cases, tmp_path, target):
    benchmark = load_benchmark(circo_bundle)
    run = read_run(circo_cases.path("official_example"), benchmark).run
    assert read_run(write_run(run, benchmark, target, tmp_path / "run"), benchmark).run.digest == run.digest


def test_circo_is_written_as_it_was(circo_bundle, circo_cases, tmp_path):
    benchmark = load_benchmark(circo_bundle)
    run = read_run(circo_cases.path("official_example"), benchmark).run
    (path,) = write_run(run, benchmark, "official", tmp_path / "run")
    assert json.loads(path.read_bytes()) == circo_cases.content("official_example")


def test_cirr_is_written_as_it_was(shared, cirr_bundle, tmp_path):
    benchmark = load_benchmark(cirr_bundle)
    golden = [shared / "golden" / "cirr" / f"random_seed11.{name}.json.gz" for name in ("recall", "recall_subset")]
    run = read_run(golden, benchmark).run
    written = write_run(run, benchmark, "official", tmp_path / "run")
    for path, source in zip(written, golden, strict=True):
        assert json.loads(path.read_bytes()) == json.loads(gzip.decompress(source.read_bytes()))


def test_fashioniq_is_written_as_it_was_but_for_the_targets(shared, fashioniq_bundles, tmp_path):
    benchmark = load_benchmark(fashioniq_bundles["val_split"])
    golden = sorted((shared / "golden" / "fashioniq").glob("random_seed21.val_split.*.json.gz"))
    run = read_run(golden, benchmark).run
    written = write_run(run, benchmark, "official", tmp_path / "run")
    for path, source in zip(written, golden, strict=True):
        entries = json.loads(gzip.decompress(source.read_bytes()))
        pairs = list(zip(json.loads(path.read_bytes()), entries, strict=True))
        assert all(own[key] == entry[key] for own, entry in pairs for key in ("candidate", "ranking"))
        assert all(" and ".join(own["captions"]) == " and ".join(entry["captions"]) for own, entry in pairs)


def test_genecis_is_written_as_it_was(shared, genecis_bundles, tmp_path):
    benchmark = load_benchmark(genecis_bundles["focus_object"])
    source = shared / "golden" / "genecis" / "focus_object.random_seed71.ranking.json.gz"
    run = read_run(source, benchmark).run
    (path,) = write_run(run, benchmark, "official", tmp_path / "run")
    assert json.loads(path.read_bytes()) == json.loads(gzip.decompress(source.read_bytes()))
