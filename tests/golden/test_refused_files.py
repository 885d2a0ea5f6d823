"""Every golden result file against the validator: what is refused, with exactly which codes."""

from collections.abc import Callable
from pathlib import Path

import pytest

from evaluator.formats.read import read_run
from evaluator.importers.bundle_writer import write_bundle
from evaluator.importers.circo import read_circo
from evaluator.importers.pinpoint import read_pinpoint
from evaluator.public.bundle import Benchmark

REFERENCE = {"reference-in-list"}

CIRCO: dict[str, set[str]] = {
    "bad_duplicate_prediction_q3.json.gz": {"image-repeated"},
    "bad_empty_object.json": {"query-missing"},
    "bad_extra_query_220.json.gz": {"query-unknown"},
    "bad_invalid_json.json": {"json-invalid"},
    "bad_missing_query_5.json.gz": {"query-missing"},
    "bad_null_prediction_q0.json.gz": {"value-null"},
    "bad_top_level_list.json.gz": {"format-wrong"},
    "odd_100_predictions.json.gz": {"list-too-long"},
    "odd_empty_lists.json": {"list-too-short"},
    "odd_first_100_queries_only.json": {"query-missing"},
    "odd_mixed_type_duplicates_q0.json.gz": {"image-repeated", "value-fraction"},
    "odd_reference_image_first_q0.json.gz": REFERENCE,
    "odd_string_ids.json.gz": set(),
    "odd_unknown_id_q0.json.gz": set(),
    "official_example.json.gz": REFERENCE,
    "perfect.json": set(),
    "random_seed20240501.json.gz": REFERENCE,
}
PINPOINT: dict[str, set[str]] = {
    "bad_empty_object.json.gz": {"query-missing"},
    "bad_null_list.json.gz": {"list-null"},
    "bad_plain_lists.json.gz": {"list-unwrapped"} | REFERENCE,
    "bad_prefixed_ids.json.gz": {"query-id-form"} | REFERENCE,
    "mini_300_noisy_oracle.json.gz": {"query-missing"},
    "odd_duplicate_positive_x50.json.gz": {"image-repeated"} | REFERENCE,
    "odd_empty_lists.json.gz": {"list-too-short"},
    "odd_extra_and_unknown.json.gz": {"image-unknown", "query-unknown"} | REFERENCE,
    "odd_key_missing.json.gz": {"list-key-missing"},
    "odd_missing_half.json.gz": {"query-missing"} | REFERENCE,
    "odd_top10_only.json.gz": {"list-short"} | REFERENCE,
    "perfect.json.gz": REFERENCE,
    "random_seed31.json.gz": REFERENCE,
}
NO_RESULTS = {"expected.json", "needs.json"}
WARNINGS = REFERENCE | {"list-short"}
UNREADABLE = {
    "bad_invalid_json.json",
    "bad_null_list.json.gz",
    "bad_null_prediction_q0.json.gz",
    "bad_plain_lists.json.gz",
    "bad_prefixed_ids.json.gz",
    "bad_top_level_list.json.gz",
}
"""What even a lenient check refuses, as the official evaluators do."""

CASES = [("circo", name) for name in CIRCO] + [("pinpoint", name) for name in PINPOINT]
EXPECTED = {"circo": CIRCO, "pinpoint": PINPOINT}


@pytest.fixture(scope="module")
def benchmark_of(shared, tmp_path_factory) -> Callable[[str], Benchmark]:
    """The benchmark of a golden folder, imported once."""
    folder = tmp_path_factory.mktemp("bundles")
    made: dict[str, Benchmark] = {}

    def benchmark_of(name: str) -> Benchmark:
        if name not in made:
            source = shared / "data" / name
            parts = read_circo(source, "val") if name == "circo" else read_pinpoint(source)
            made[name] = write_bundle(folder / name, parts)
        return made[name]

    return benchmark_of


@pytest.fixture
def file_of(shared) -> Callable[[str, str], Path]:
    """The path of a golden file."""
    return lambda folder, name: shared / "golden" / folder / name


@pytest.mark.parametrize(("folder", "name"), CASES)
def test_a_golden_file_has_exactly_these_problems(benchmark_of, file_of, folder, name):
    reading = read_run(file_of(folder, name), benchmark_of(folder))
    assert set(reading.problems.counts) == EXPECTED[folder][name]
    assert (reading.run is not None) == (EXPECTED[folder][name] <= WARNINGS)


@pytest.mark.parametrize(("folder", "name"), CASES)
def test_a_lenient_check_refuses_only_what_the_official_code_cannot_read(benchmark_of, file_of, folder, name):
    reading = read_run(file_of(folder, name), benchmark_of(folder), lenient=True)
    assert (reading.run is None) == (name in UNREADABLE)
    assert reading.problems.n_warnings == sum(reading.problems.counts.values()) or name in UNREADABLE


@pytest.mark.parametrize("folder", EXPECTED)
def test_no_golden_file_is_left_out(shared, folder):
    assert {path.name for path in (shared / "golden" / folder).iterdir()} - NO_RESULTS == set(EXPECTED[folder])


def test_numbers_of_problems_are_those_of_the_files_making(benchmark_of, file_of):
    def count(folder: str, name: str, code: str) -> int:
        return read_run(file_of(folder, name), benchmark_of(folder)).problems.counts[code]

    assert count("pinpoint", "odd_duplicate_positive_x50.json.gz", "image-repeated") == 7635 * 49
    assert count("pinpoint", "odd_missing_half.json.gz", "query-missing") == 7635 - 3818
    assert count("pinpoint", "odd_extra_and_unknown.json.gz", "image-unknown") == 7635
    assert count("pinpoint", "bad_prefixed_ids.json.gz", "query-id-form") == 7635
    assert count("circo", "odd_first_100_queries_only.json", "query-missing") == 120
    assert count("circo", "odd_100_predictions.json.gz", "list-too-long") == 220
