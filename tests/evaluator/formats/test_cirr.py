"""CIRR's two files, and what is said about wrong ones."""

import gzip
import io
import json
import zipfile

import pytest

from evaluator.importers.bundle_writer import write_bundle
from evaluator.importers.cirr import read_cirr
from evaluator.score import score
from tests.evaluator.small_sources import CIRR_IMAGES, cirr_run, write_cirr

PART_MISSING = "There are no lists over the queries' sets (metric recall_subset)."


@pytest.fixture
def files():
    """A faultless run, metric -> file."""
    return cirr_run()


@pytest.fixture
def read(cirr, check_files):
    """Read the files of a run."""
    return lambda *contents, benchmark=cirr, **options: check_files(benchmark, *contents, **options)


@pytest.fixture
def said(read):
    """Code and message of every problem."""

    def said(*contents, **options):
        return [(problem.code, problem.message) for problem in read(*contents, **options).problems]

    return said


def zipped(files):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, json.dumps(content))
    return stream.getvalue()


def test_both_files_make_one_run_in_either_order(read, files):
    reading = read(files["recall"], files["recall_subset"])
    assert not reading.problems.counts
    assert reading.run.n_queries == 6
    assert reading.run.digest == read(files["recall_subset"], files["recall"]).run.digest


def test_one_zip_holds_both_whatever_their_names(read, files):
    content = zipped({"a.json": files["recall_subset"], "b.json": files["recall"]})
    assert read(content).run.digest == read(files["recall"], files["recall_subset"]).run.digest


def test_each_file_may_be_packed_on_its_own(read, files):
    packed = gzip.compress(json.dumps(files["recall"]).encode())
    assert read(packed, files["recall_subset"]).run.n_queries == 6


def test_one_file_alone_is_accepted_with_a_warning(read, said, files):
    reading = read(files["recall"])
    assert reading.run.query_ids == ("12", "13", "20")
    assert said(files["recall"]) == [("part-missing", PART_MISSING)]
    (problem,) = reading.problems
    assert problem.hint == "Left out: recall_subset@1, recall_subset@2, recall_subset@3."


def test_hard_and_soft_labels_are_scored_for_both_parts(read, cirr, files):
    run = read(files["recall"], files["recall_subset"]).run
    sealed = cirr.public_root.parent / "sealed"
    hard, soft = (score(run, cirr, sealed, name) for name in ("hard", "soft"))
    assert hard.metrics["recall@1"].value == pytest.approx(1 / 3)
    assert hard.metrics["recall@5"].value == pytest.approx(2 / 3)
    assert hard.metrics["recall_subset@3"].value == pytest.approx(2 / 3)
    # The lists of the second query hold images 1, 3, 4, ... and, in its set, 0, 1, 3: grades -1 and 0.5, and -1 alone.
    assert soft.metrics["recall@2"].value == pytest.approx((1 + 0 + 0) / 3)
    assert soft.metrics["recall@5"].value == pytest.approx((1 + 0.5 + 0) / 3)
    assert soft.metrics["recall@10"].value == pytest.approx((1 + 0.5 + 1) / 3)
    assert soft.metrics["recall_subset@3"].value == pytest.approx((1 + 0 + 0) / 3)
    assert hard.bootstrap["unit"] == "img_set"
    assert hard.bootstrap["n_units"] == 2


@pytest.mark.parametrize(
    ("key", "value", "code", "message"),
    [
        ("version", None, "version-wrong", 'The file has no "version".'),
        ("version", "rc1", "version-wrong", 'The version is "rc1".'),
        ("metric", "subset", "metric-wrong", 'The metric is "subset".'),
        ("metric", None, "metric-wrong", 'The file has no "metric".'),
        ("metric", ["recall"], "metric-wrong", 'The metric is ["recall"].'),
    ],
)
def test_a_wrong_header_is_shown(read, files, key, value, code, message):
    if value is None:
        del files["recall"][key]
    else:
        files["recall"][key] = value
    (problem,) = (problem for problem in read(files["recall"]).problems if problem.severity == "error")
    assert (problem.code, problem.message) == (code, message)
    right = {"version": '"version": "rc2"', "metric": '"metric": "recall" or "metric": "recall_subset"'}
    assert problem.expected == right[key]


def test_of_two_files_the_faulty_one_is_named(said, files):
    del files["recall_subset"]["version"]
    assert said(files["recall"], files["recall_subset"]) == [("version-wrong", 'File 2: The file has no "version".')]
    assert said(b"{", files["recall_subset"])[0][1].startswith("File 1: Line 1, column 2: ")


def test_the_same_metric_twice_is_refused(said, files):
    assert said(files["recall"], files["recall"]) == [
        ("part-repeated", 'Two files have the metric "recall".'),
        ("part-missing", PART_MISSING),
    ]


def test_three_files_are_too_many(said, files):
    assert said(*[files["recall"]] * 3) == [("files-too-many", "3 files were given.")]


@pytest.mark.parametrize(("split", "other", "prefix"), [("val", "test1", "test1-"), ("test1", "val", "dev-")])
def test_a_run_on_the_other_split_is_said_once(read, said, files, tmp_path, split, other, prefix):
    benchmark = write_bundle(tmp_path / "bundle", read_cirr(write_cirr(tmp_path / "source", split), split))
    text = json.dumps(files["recall"]).replace("dev-", prefix)
    assert said(text.encode(), benchmark=benchmark) == [
        ("split-wrong", f"The images are named {prefix}…, as those of the split {other} are.")
    ]
    (problem,) = read(text.encode(), benchmark=benchmark).problems
    assert problem.hint == f"Send this run to the split {other}, or make a run on {split}."


def test_an_image_outside_a_querys_set_is_named_with_the_file(said, files):
    files["recall_subset"]["12"][1] = CIRR_IMAGES[9]
    assert said(files["recall_subset"])[0] == (
        "image-outside-gallery",
        "Query 12 (recall_subset), rank 2: dev-9-0-img0 is not in the gallery of this query.",
    )


@pytest.mark.parametrize("metric", ["recall", "recall_subset"])
def test_the_reference_may_not_be_returned(read, files, metric):
    files[metric]["12"][2] = CIRR_IMAGES[0]
    (problem,) = read(files["recall"], files["recall_subset"]).problems
    assert (problem.code, problem.severity) == ("image-excluded", "error")
    assert problem.query == f"12 ({metric})"
    assert problem.message == (
        f"Query 12 ({metric}), rank 3: dev-0-0-img0 is the reference image of this query, which may not be returned."
    )
    assert problem.hint == "Remove it: the official files leave it out."


@pytest.mark.parametrize(
    ("metric", "ranked", "code", "message"),
    [
        ("recall", CIRR_IMAGES[1:50], "list-too-short", "has 49 entries; exactly 50 are required."),
        ("recall", CIRR_IMAGES[1:52], "list-too-long", "has 51 entries; exactly 50 are required."),
        ("recall_subset", CIRR_IMAGES[1:3], "list-too-short", "has 2 entries; exactly 3 are required."),
        ("recall_subset", CIRR_IMAGES[1:5], "list-too-long", "has 4 entries; exactly 3 are required."),
        ("recall_subset", [], "list-too-short", "is empty; exactly 3 are required."),
    ],
)
def test_a_list_of_another_length_is_named_with_the_file(said, files, metric, ranked, code, message):
    files[metric]["12"] = ranked
    expected = (code, f"The list of query 12 ({metric}) {message}")
    assert said(files["recall"], files["recall_subset"]) == [expected]


@pytest.mark.parametrize(
    ("entry", "code", "message"),
    [
        (None, "list-null", "Query 13 (recall_subset) has null instead of a list."),
        ("a", "list-wrong-type", "Query 13 (recall_subset) has text instead of a list."),
    ],
)
def test_an_entry_that_is_no_list_is_named_with_the_file(said, files, entry, code, message):
    files["recall_subset"]["13"] = entry
    assert said(files["recall"], files["recall_subset"]) == [(code, message)]


def test_queries_are_missing_and_unknown_by_file(said, files):
    files["recall_subset"]["99"] = files["recall_subset"].pop("13")
    assert said(files["recall"], files["recall_subset"]) == [
        ("query-unknown", 'The benchmark has no query "99 (recall_subset)".'),
        ("query-missing", "Query 13 (recall_subset) has no list."),
    ]


@pytest.mark.parametrize("key", ["12/subset", "12/recall", "12/subset/recall"])
def test_a_key_cannot_pass_for_a_query_of_the_other_file(read, files, key):
    files["recall"][key] = CIRR_IMAGES[1:4]
    reading = read(files["recall"], files["recall_subset"])
    assert reading.problems.counts == {"query-unknown": 1}


def test_a_file_name_of_an_image_is_told_how_to_be_written(read, files):
    files["recall"]["12"][0] = "./dev/dev-1-0-img0.png"
    (problem, _) = read(files["recall"]).problems
    assert (problem.code, problem.expected) == ("image-id-form", "dev-1-0-img0")


def test_another_benchmarks_file_is_said_to_be_one(said):
    circo = {"0": [1, 2], "1": [3, 4]}
    assert said(circo)[0] == (
        "benchmark-wrong",
        "This looks like a CIRCO result file (a list of image numbers for each query number).",
    )
    assert said([[0, 1]])[0][0] == "format-wrong"


def test_a_repeated_key_is_not_lost(said, files):
    text = json.dumps(files["recall"])[:-1] + ', "12": []}'
    assert ("json-key-repeated", "The key 12 occurs more than once.") in said(text.encode())


def test_leniency_keeps_what_the_official_code_scores(read, files):
    files["recall"]["12"] = CIRR_IMAGES[:55]
    reading = read(files["recall"], lenient=True)
    assert not reading.problems.n_errors
    assert reading.run.lengths.tolist() == [50, 50, 50]
