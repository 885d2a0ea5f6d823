"""`cirboard convert`: any format to any other."""

import json

import pytest
from click.testing import CliRunner

from evaluator.cli import main
from evaluator.formats.read import read_run
from evaluator.formats.write import TARGETS
from evaluator.public.bundle import load_benchmark
from evaluator.public.run import load_run, run_from_lists
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


def convert(*arguments):
    return CliRunner().invoke(main, ["convert", *map(str, arguments)])


@pytest.mark.parametrize("target", TARGETS)
def test_every_format_is_written_and_can_be_evaluated(bundle, run_file, tmp_path, target):
    out = tmp_path / "converted"
    result = convert(bundle, run_file, "--to", target, "--out", out, "--gzip")
    assert result.exit_code == 0, result.output
    assert run_from_lists(LISTS).digest in result.stdout
    reports = [
        json.loads(CliRunner().invoke(main, ["evaluate", str(bundle), str(path), "--json"]).stdout)
        for path in (run_file, out)
    ]
    assert reports[0]["metrics"] == reports[1]["metrics"]
    assert reports[0]["digests"] == reports[1]["digests"]


def test_a_canonical_run_is_what_other_commands_load(bundle, run_file, tmp_path):
    convert(bundle, run_file, "--to", "canonical", "--out", tmp_path / "run.npz")
    assert load_run(tmp_path / "run.npz").digest == run_from_lists(LISTS).digest


def test_a_refused_run_is_not_written(bundle, run_file, tmp_path):
    run_file.write_text(json.dumps({"q0": {"retrieved_items": ["i1", "i1"]}}))
    result = convert(bundle, run_file, "--to", "trec", "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert "[image-repeated]" in result.stdout
    assert not (tmp_path / "out").exists()


def test_a_file_for_another_server_says_where_to_send_it(tmp_path, run_file):
    write_small_bundle(tmp_path / "external", ground_truth="external", homepage="https://example.org/server")
    result = convert(tmp_path / "external", run_file, "--to", "official", "--out", tmp_path / "out.json")
    assert result.exit_code == 0
    assert "https://example.org/server" in result.stdout
    reading = read_run(tmp_path / "out.json", load_benchmark(tmp_path / "external"))
    assert reading.run.digest == run_from_lists(LISTS).digest


@pytest.mark.parametrize("arguments", [[], ["--to", "xml", "--out", "x"], ["--to", "trec"]])
def test_wrong_usage_exits_2(bundle, run_file, arguments):
    assert convert(bundle, run_file, *arguments).exit_code == 2


def test_an_output_that_cannot_be_written_exits_2(bundle, run_file, tmp_path):
    result = convert(bundle, run_file, "--to", "trec", "--out", tmp_path / "absent" / "run.trec")
    assert result.exit_code == 2
    assert "Traceback" not in result.output


def test_an_open_gallery_gives_no_positions(tmp_path, run_file):
    write_small_bundle(tmp_path / "open", gallery_policy="open")
    result = convert(tmp_path / "open", run_file, "--to", "npz", "--out", tmp_path / "out.npz")
    assert result.exit_code == 1
    assert "no positions" in result.stderr
