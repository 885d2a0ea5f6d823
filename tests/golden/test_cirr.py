"""CIRR's two conventions on val and the server's denominator, number by number."""

import json

import pytest
from click.testing import CliRunner

from evaluator.cli import main
from evaluator.formats.read import read_run
from evaluator.public.bundle import load_benchmark
from evaluator.score import score

CASES = ["perfect_hard", "random_seed11"]
SERVER = "C_inferred_server_style_percent (hits/(N+2), 3 dp; NOT official code)"
FLOAT32 = 2e-7
"""How far a fraction may lie from a per cent that was printed from single precision."""


@pytest.fixture
def paths(cirr_cases):
    """Case name -> its two files."""
    return lambda name: [cirr_cases.folder / f"{name}.{metric}.json.gz" for metric in ("recall", "recall_subset")]


@pytest.fixture(scope="module")
def report_of(cirr_bundle, cirr_cases):
    """(case, protocol) -> report, each made once."""
    benchmark = load_benchmark(cirr_bundle)
    made = {}

    def report_of(name, protocol):
        if (name, protocol) not in made:
            files = [cirr_cases.folder / f"{name}.{metric}.json.gz" for metric in ("recall", "recall_subset")]
            reading = read_run(files, benchmark, protocol)
            assert not reading.problems.counts
            made[name, protocol] = score(reading.run, benchmark, cirr_bundle / "sealed", protocol)
        return made[name, protocol]

    return report_of


@pytest.fixture
def evaluate(cirr_bundle):
    """Run `cirboard evaluate ... --json` on some files."""

    def evaluate(*arguments):
        result = CliRunner().invoke(main, ["evaluate", str(cirr_bundle), *map(str, arguments), "--json"])
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)["metrics"]

    return evaluate


def test_these_are_all_cases(cirr_cases):
    assert sorted(cirr_cases.expected) == CASES
    files = {f"{name}.{metric}.json.gz" for name in CASES for metric in ("recall", "recall_subset")}
    assert {path.name for path in cirr_cases.folder.iterdir()} == {*files, "expected.json"}


@pytest.mark.parametrize("name", CASES)
def test_hard_labels_are_hits_of_queries_exactly(name, report_of, cirr_cases):
    expected = cirr_cases.expected[name]
    metrics = report_of(name, "hard").metrics
    hits = {f"{metric}@{k}": n for metric, of_k in expected["hard_hits"].items() for k, n in of_k.items()}
    assert {metric: found.value for metric, found in metrics.items()} == {
        metric: n / expected["queries"] for metric, n in hits.items()
    }
    assert {found.n for found in metrics.values()} == {expected["queries"]}


@pytest.mark.parametrize("name", CASES)
def test_hard_labels_are_the_official_per_cents(name, report_of, cirr_cases):
    metrics = report_of(name, "hard").metrics
    for official, percent in cirr_cases.expected[name]["A_searle_hard_label_percent"].items():
        metric = official.replace("cirr_group_recall_at", "recall_subset@").replace("cirr_recall_at", "recall@")
        assert metrics[metric].value == pytest.approx(percent / 100, abs=FLOAT32)


@pytest.mark.parametrize("name", CASES)
def test_soft_labels_are_the_official_fractions(name, report_of, cirr_cases):
    metrics = report_of(name, "soft").metrics
    n_checked = 0
    for official, fraction in cirr_cases.expected[name]["B_cirplant_soft_label_fraction"].items():
        part, k = official.removesuffix("_correct_composition").rsplit("_top", 1)
        metric = f"{ {'recall': 'recall', 'recall_inset': 'recall_subset'}[part] }@{k}"
        if metric in metrics:
            assert metrics[metric].value == pytest.approx(fraction, abs=1e-12)
            n_checked += 1
    assert n_checked == len(metrics)


@pytest.mark.parametrize("name", CASES)
def test_the_servers_denominator_gives_its_three_decimals(name, evaluate, paths, cirr_cases):
    metrics = evaluate(*paths(name), "--denominator", "server")
    for metric, of_k in cirr_cases.expected[name][SERVER].items():
        for k, percent in of_k.items():
            assert f"{100 * metrics[f'{metric}@{k}']['value']:.3f}" == f"{percent:.3f}"
    assert {found["n"] for found in metrics.values()} == {cirr_cases.expected[name]["queries"] + 2}


@pytest.mark.parametrize(("place", "metric"), [(0, "recall"), (1, "recall_subset")])
def test_either_file_alone_gives_its_own_numbers(place, metric, evaluate, paths, report_of):
    both = report_of("random_seed11", "hard").metrics
    alone = evaluate(paths("random_seed11")[place])
    for name, found in alone.items():
        is_given = name.startswith(f"{metric}@")
        assert found["value"] == (both[name].value if is_given else None)
        assert found["low"] == (both[name].low if is_given else None)


def test_intervals_draw_the_sets(report_of):
    report = report_of("random_seed11", "hard")
    assert (report.bootstrap["unit"], report.bootstrap["n_units"]) == ("img_set", 503)
    interval = report.metrics["recall_subset@1"]
    assert interval.low < interval.value < interval.high


def test_the_organisers_example_for_test1_is_accepted_there_and_refused_on_val(shared, cirr_bundle, cirr_test1_bundle):
    files = sorted((shared / "data" / "cirr" / "demo_files").iterdir())
    reading = read_run(files, load_benchmark(cirr_test1_bundle))
    assert not reading.problems.counts
    assert reading.run.n_queries == 2 * 4148
    assert set(read_run(files, load_benchmark(cirr_bundle)).problems.counts) == {"split-wrong"}


def test_a_run_on_val_is_refused_on_test1(cirr_test1_bundle, paths):
    reading = read_run(paths("random_seed11"), load_benchmark(cirr_test1_bundle))
    assert set(reading.problems.counts) == {"split-wrong"}
