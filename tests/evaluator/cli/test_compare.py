import json

import pytest
from click.testing import CliRunner

from evaluator.cli import main
from evaluator.public.run import run_from_lists, save_run
from tests.evaluator.small_bundle import OFFICIAL, write_small_bundle
from tests.evaluator.test_comparison import GOOD, POOR


@pytest.fixture
def bundle(tmp_path):
    write_small_bundle(tmp_path / "small")
    return tmp_path / "small"


def written(path, lists):
    path.write_text(json.dumps({query: {"retrieved_items": images} for query, images in lists.items()}))
    return path


@pytest.fixture
def good(tmp_path):
    return written(tmp_path / "good.json", GOOD)


@pytest.fixture
def poor(tmp_path):
    return written(tmp_path / "poor.json", POOR)


def compare(*arguments):
    return CliRunner().invoke(main, ["compare", *map(str, arguments)])


def test_the_table_has_both_runs_every_metric_and_a_sentence_on_the_primary_one(bundle, good, poor):
    result = compare(bundle, good, poor)
    assert result.exit_code == 0
    assert "A  good.json  run " in result.stdout
    assert "B  poor.json  run " in result.stdout
    for metric in OFFICIAL.metrics:
        assert f"\n{metric} " in result.stdout
    assert "No significant difference on mAP@2 (difference " in result.stdout
    assert "Whole units are drawn and flipped: need, 3 of them." in result.stdout
    assert "warning interval-rough: fewer than 50 units" in result.stdout


def test_chosen_metrics_alone_are_shown_each_with_its_sentence(bundle, good, poor):
    result = compare(bundle, good, poor, "--metric", "recall@6", "--metric", "mAP@2")
    assert "on recall@6" in result.stdout
    assert "on mAP@2" in result.stdout
    assert "negative_recall" not in result.stdout


def test_json_holds_files_digests_and_differences_at_full_precision(bundle, good, poor):
    content = json.loads(compare(bundle, good, poor, "--json", "--metric", "mAP@2").stdout)
    (found,) = content["differences"]
    assert found["value"] == found["a"] - found["b"]
    assert {"low", "high", "p", "n", "unit", "n_units", "is_exploratory"} <= set(found)
    assert (content["a"]["file"], content["b"]["file"]) == ("good.json", "poor.json")
    assert len(content["a"]["digest"]) == 64
    assert content["benchmark"] == {"name": "small", "version": "1", "split": "val"}


def test_a_run_compared_with_itself_does_not_differ(bundle, good):
    result = compare(bundle, good, good)
    assert result.exit_code == 0
    assert "The runs do not differ on mAP@2." in result.stdout


def test_another_protocol_can_be_named(bundle, good, poor):
    assert json.loads(compare(bundle, good, poor, "--protocol", "clean", "--json").stdout)["protocol"] == "clean"


def test_canonical_runs_compare_as_the_files_do(bundle, good, poor, tmp_path):
    canonical = tmp_path / "good.npz"
    save_run(canonical, run_from_lists(GOOD))
    files, runs = (json.loads(compare(bundle, path, poor, "--json").stdout) for path in (good, canonical))
    assert files["differences"] == runs["differences"]


@pytest.mark.parametrize("is_first", [True, False])
def test_a_file_with_errors_is_refused_with_its_problems(bundle, good, tmp_path, is_first):
    bad = written(tmp_path / "bad.json", {"q0": ["i4", "i4"]})
    result = compare(bundle, *((bad, good) if is_first else (good, bad)))
    assert result.exit_code == 1
    assert "bad.json cannot be scored" in result.stdout
    assert "[query-missing]" in result.stdout


def test_leniency_compares_the_queries_that_both_answer_and_says_so(bundle, good, tmp_path):
    few = written(tmp_path / "few.json", {query: POOR[query] for query in ("q0", "q2")})
    result = compare(bundle, good, few, "--lenient")
    assert result.exit_code == 0
    assert "warning queries-common" in result.stdout
    assert "compared on 2 queries that both answer" in result.stdout


def test_runs_without_a_common_query_are_refused_in_one_line(bundle, tmp_path):
    paths = [written(tmp_path / f"{query}.json", {query: POOR[query]}) for query in ("q0", "q1")]
    result = compare(bundle, *paths, "--lenient")
    assert result.exit_code == 1
    assert "no query is answered by both runs" in result.stderr


@pytest.mark.parametrize("option", [("--protocol", "other"), ("--metric", "mAP@3")])
def test_unknown_names_are_wrong_usage_and_the_known_ones_are_listed(bundle, good, poor, option):
    result = compare(bundle, good, poor, *option)
    assert result.exit_code == 2
    assert ("clean" if option[0] == "--protocol" else "mAP@2, mAP@6") in result.stderr


def test_a_bundle_without_its_sealed_side_cannot_be_used(bundle, good, poor):
    (bundle / "sealed" / "ground_truth.parquet").unlink()
    result = compare(bundle, good, poor)
    assert result.exit_code == 2
    assert "no ground_truth.parquet" in result.stderr
