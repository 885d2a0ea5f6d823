"""What a researcher reads about a faulty file of i-CIR rankings."""

import json

import pytest

from evaluator.formats.read import read_run
from evaluator.formats.write_official import official_files
from evaluator.importers.bundle_writer import write_bundle
from evaluator.importers.icir import read_icir

TOWER, BRIDGE = ["d/t0.jpg", "d/t1.jpg", "d/t2.jpg"], ["d/b0.jpg", "d/b1.jpg"]
RUN = {"q/a.jpg|at night": TOWER, "q/b.jpg|at night": BRIDGE}


@pytest.fixture
def benchmark(tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    (source / "query_files.csv").write_text("q/a.jpg,at night,tower\nq/b.jpg,at night,bridge\n")
    rows = ["d/t0.jpg,at night,tower", "d/t1.jpg,hard negative,tower", "d/t2.jpg,by day,tower"]
    rows += ["d/b0.jpg,at night,bridge", "d/b1.jpg,by day,bridge"]
    (source / "database_files.csv").write_text("\n".join(rows) + "\n")
    return write_bundle(tmp_path / "bundle", read_icir(source))


@pytest.fixture
def read(benchmark, tmp_path):
    def read_lists(lists):
        path = tmp_path / "run.json"
        path.write_text(json.dumps(lists))
        return read_run(path, benchmark)

    return read_lists


def test_whole_rankings_become_a_run(read):
    reading = read(RUN)
    assert not reading.problems.counts
    assert [reading.run.ranked(0), reading.run.ranked(1)] == [TOWER, BRIDGE]


@pytest.mark.parametrize(
    ("lists", "messages"),
    [
        (
            {**RUN, "q/a.jpg|at night": TOWER[:2]},
            ["The list of query q/a.jpg|at night has 2 entries; exactly 3 are required."],
        ),
        (
            {**RUN, "q/a.jpg|at night": [*TOWER[:2], "d/b0.jpg"]},
            ["Query q/a.jpg|at night, rank 3: d/b0.jpg is not in the gallery of this query."],
        ),
        (
            {**RUN, "q/a.jpg|at night": [*TOWER[:2], "d/t9.jpg"]},
            ["Query q/a.jpg|at night, rank 3: d/t9.jpg is not in the gallery."],
        ),
        (
            {**RUN, "q/a.jpg|at night": [*TOWER[:2], "d/t0.jpg"]},
            ["Query q/a.jpg|at night, rank 3: d/t0.jpg already stands at rank 1."],
        ),
        (
            {**RUN, "q/b.jpg|at night": [*BRIDGE, "d/t0.jpg"]},
            [
                "The list of query q/b.jpg|at night has 3 entries; exactly 2 are required.",
                "Query q/b.jpg|at night, rank 3: d/t0.jpg is not in the gallery of this query.",
            ],
        ),
        ({"q/a.jpg|at night": TOWER}, ["Query q/b.jpg|at night has no list."]),
        (
            {**RUN, "q/a.jpg|by day": TOWER},
            ['The benchmark has no query "q/a.jpg|by day".'],
        ),
    ],
)
def test_a_fault_is_named_with_its_place(read, lists, messages):
    reading = read(lists)
    assert reading.run is None
    assert [problem.message for problem in reading.problems] == messages


def test_an_unknown_image_comes_with_the_nearest_one(read):
    (problem,) = read({**RUN, "q/a.jpg|at night": [*TOWER[:2], "d/t22.jpg"]}).problems
    assert problem.hint == "Did you mean d/t2.jpg?"


def test_a_written_file_is_read_as_the_same_run(read, benchmark):
    ((_, pieces),) = official_files(read(RUN).run, benchmark).items()
    assert json.loads("".join(pieces)) == RUN
