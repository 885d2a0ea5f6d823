"""What a researcher reads about a faulty file of domain conversion rankings."""

import json

import pytest

from evaluator.formats.read import read_run
from evaluator.formats.write_official import official_files
from evaluator.importers.bundle_writer import write_bundle
from evaluator.importers.domain_conversion import read_domain_conversion

PATHS = ["a/1.jpg", "a/2.jpg", "a/3.jpg"]
RANKINGS = {"Today-->Archive": {"a/1.jpg": [2, 0, 1], "a/2.jpg": [0, 1, 2]}, "Archive-->Today": {"a/3.jpg": [1, 2, 0]}}


@pytest.fixture
def benchmark(tmp_path):
    source = tmp_path / "ltll"
    source.mkdir()
    (source / "full_files.csv").write_text("a/1.jpg New tower\na/2.jpg New tower\na/3.jpg Old tower\n")
    return write_bundle(tmp_path / "bundle", read_domain_conversion(source, "ltll"))


@pytest.fixture
def read(benchmark, tmp_path):
    def read_content(content):
        path = tmp_path / "run.json"
        path.write_text(json.dumps(content))
        return read_run(path, benchmark)

    return read_content


def named(rankings):
    return {pair: {path: [PATHS[row] for row in rows] for path, rows in of.items()} for pair, of in rankings.items()}


@pytest.mark.parametrize(
    "content", [{"note": "rows", "rankings": RANKINGS}, RANKINGS, {"rankings": named(RANKINGS)}, named(RANKINGS)]
)
def test_rows_or_paths_with_or_without_the_wrapper_are_one_run(read, content):
    reading = read(content)
    assert not reading.problems.counts
    assert reading.run.ranked(0) == ["a/3.jpg", "a/1.jpg", "a/2.jpg"]


def test_a_written_file_is_read_as_the_same_run(read, benchmark):
    run = read(RANKINGS).run
    ((_, pieces),) = official_files(run, benchmark).items()
    assert json.loads("".join(pieces)) == {"rankings": RANKINGS}


@pytest.mark.parametrize(
    ("pair", "path", "entries", "message"),
    [
        ("Today-->Archive", "a/1.jpg", [2, 0], "The list of query Today-->Archive|a/1.jpg has 2 entries; exactly 3 are required."),
        ("Today-->Archive", "a/1.jpg", [2, 0, 3], "Query Today-->Archive|a/1.jpg, rank 3: the gallery has no position 3."),
        ("Today-->Archive", "a/1.jpg", [2, 0, 0], "Query Today-->Archive|a/1.jpg, rank 3: a/1.jpg already stands at rank 2."),
        ("Today-->Archive", "a/1.jpg", [2, 0, True], "Query Today-->Archive|a/1.jpg, rank 3: the entry is true or false."),
        ("Today-->Archive", "a/1.jpg", None, "The list of query Today-->Archive|a/1.jpg is null."),
    ],
)  # fmt: skip
def test_a_fault_is_named_with_its_place(read, pair, path, entries, message):
    reading = read({**RANKINGS, pair: {**RANKINGS[pair], path: entries}})
    assert reading.run is None
    assert message in [problem.message for problem in reading.problems]


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        (True, "value-bool"),
        (None, "value-null"),
        ("a/9.jpg", "image-unknown"),
        (9, "position-outside"),
        ([1], "value-nested"),
    ],
)
def test_one_bad_entry_condemns_no_other(read, entry, code):
    problems = list(read({**RANKINGS, "Archive-->Today": {"a/3.jpg": [1, 2, entry]}}).problems)
    assert [problem.code for problem in problems] == [code]


@pytest.mark.parametrize(
    "content",
    [
        '{"Today-->Archive": {"a/1.jpg": [2, 0, 1], "a/1.jpg": [0, 1, 2], "a/2.jpg": [0, 1, 2]}, "Archive-->Today": {"a/3.jpg": [1, 2, 0]}}',
        '{"rankings": {"Archive-->Today": {"a/3.jpg": [1, 2, 0]}, "Today-->Archive": {"a/1.jpg": [0, 1, 2], "a/2.jpg": [0, 1, 2]}, "Archive-->Today": {"a/3.jpg": [1, 2, 0]}}}',
    ],
)  # fmt: skip
def test_a_key_that_stands_twice_is_reported_at_every_depth(benchmark, tmp_path, content):
    (tmp_path / "run.json").write_text(content)
    problems = list(read_run(tmp_path / "run.json", benchmark).problems)
    assert [problem.code for problem in problems] == ["json-key-repeated"]


def test_a_pair_without_paths_is_named(read):
    reading = read({**RANKINGS, "Archive-->Today": [1, 2, 0]})
    assert "The pair Archive-->Today has a list instead of an object" in next(iter(reading.problems)).message


def test_an_unknown_pair_is_an_unknown_query(read):
    problems = list(read({**RANKINGS, "Today-->Tomorrow": {"a/1.jpg": [0, 1, 2]}}).problems)
    assert [problem.code for problem in problems] == ["query-unknown"]


@pytest.mark.parametrize("entry", [-1, 9, 2**70, 0.0])
def test_a_number_that_is_no_row_is_named_as_that(read, entry):
    problems = list(read({**RANKINGS, "Archive-->Today": {"a/3.jpg": [1, 2, entry]}}).problems)
    assert [problem.code for problem in problems] == ["position-outside"]


def test_half_a_surrogate_pair_in_a_path_is_reported(benchmark, tmp_path):
    content = json.dumps({**RANKINGS, "Archive-->Today": {"a/\ud800.jpg": [1, 2, 0]}})
    (tmp_path / "run.json").write_text(content)
    codes = {problem.code for problem in read_run(tmp_path / "run.json", benchmark).problems}
    assert codes == {"encoding-surrogate", "group-missing"}


def test_what_stands_beside_the_rankings_is_said_to_be_ignored(read):
    reading = read({"note": "", "rankings": RANKINGS, "Today-->Archive": RANKINGS["Today-->Archive"]})
    assert [problem.code for problem in reading.problems] == ["list-key-unknown"]
    assert reading.run is not None
