"""FashionIQ's three files, of which the position is all that names a query."""

import io
import json
import zipfile

import pytest

from evaluator.formats.read import read_run
from evaluator.score import score
from tests.evaluator.small_sources import fashioniq_images, fashioniq_run


@pytest.fixture
def files():
    """A faultless run, category -> file."""
    return fashioniq_run()


@pytest.fixture
def read(fashioniq, check_files):
    """Read the files of a run."""
    return lambda *contents, **options: check_files(fashioniq, *contents, **options)


@pytest.fixture
def errors(read):
    """Code, message and hint of every error; the warnings about candidates in lists left out."""

    def errors(*contents):
        return [(p.code, p.message, p.hint) for p in read(*contents).problems if p.severity == "error"]

    return errors


def zipped(contents):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for number, content in enumerate(contents):
            archive.writestr(f"{number}.json", json.dumps(content))
    return stream.getvalue()


def test_categories_are_told_from_what_the_files_hold(read, files):
    reading = read(files["toptee"], files["dress"], files["shirt"])
    assert not reading.problems.n_errors
    assert reading.run.n_queries == 9
    assert reading.run.digest == read(*files.values()).run.digest
    assert reading.run.digest == read(zipped(reversed(files.values()))).run.digest


def test_the_target_in_an_entry_is_ignored(read, files):
    files["dress"][0]["target"] = "anything"
    assert not read(*files.values()).problems.n_errors


def test_the_candidate_in_a_list_is_a_warning(read, files):
    reading = read(*files.values())
    assert reading.problems.counts == {"reference-in-list": 9}
    assert next(iter(reading.problems)).hint == "The official evaluator does not remove it."


def test_categories_weigh_equally_and_are_slices(read, fashioniq, files):
    files["toptee"][0]["ranking"] = list(reversed(fashioniq_images("toptee")[:50]))
    files["toptee"][1]["ranking"] = [*fashioniq_images("toptee")[11:60], "BT00000000"]
    report = score(read(*files.values()).run, fashioniq, fashioniq.public_root.parent / "sealed")
    assert report.metrics["recall@10"].value == pytest.approx((0 + 0 + 1 / 4) / 3)
    assert report.metrics["recall@50"].value == pytest.approx(1.0)
    by_category = {name: found["recall@10"].value for name, found in report.slices["category"].items()}
    assert by_category == {"dress": 0.0, "shirt": 0.0, "toptee": 0.25}


def test_an_entry_at_another_place_is_shown_with_both_sides_and_where_it_belongs(errors, files):
    files["shirt"][0], files["shirt"][2] = files["shirt"][2], files["shirt"][0]
    assert errors(*files.values()) == [
        (
            "entry-mismatch",
            'Query shirt/0: the candidate is "BS00000001", where the benchmark has "BS00000000".',
            "What this entry asks is query shirt/2.",
        ),
        (
            "entry-mismatch",
            'Query shirt/2: the candidate is "BS00000000", where the benchmark has "BS00000001".',
            "What this entry asks is query shirt/0.",
        ),
    ]


def test_other_captions_are_shown_with_both_sides(read, files):
    files["shirt"][1]["captions"] = ["is red", "longer"]
    (problem,) = (problem for problem in read(*files.values()).problems if problem.severity == "error")
    assert (problem.code, problem.query) == ("entry-mismatch", "shirt/1")
    assert problem.message == (
        'Query shirt/1: the captions are "is red and longer", where the benchmark has "is shirt 1 and longer".'
    )
    assert (problem.value, problem.expected) == ('"is red and longer"', '"is shirt 1 and longer"')


@pytest.mark.parametrize("captions", [None, "is red", ["is red", 1]])
def test_captions_that_are_none_are_a_mismatch(errors, files, captions):
    files["shirt"][1]["captions"] = captions
    ((code, message, _),) = errors(*files.values())
    assert code == "entry-mismatch"
    assert message == 'Query shirt/1: the captions are "", where the benchmark has "is shirt 1 and longer".'


def test_an_entry_without_candidate_is_a_mismatch(errors, files):
    del files["dress"][1]["candidate"]
    assert errors(*files.values()) == [
        ("entry-mismatch", 'Query dress/1: the candidate is null, where the benchmark has "BD00000000".', "")
    ]


def test_missing_categories_are_named_once_each(errors, files):
    assert errors(files["shirt"]) == [
        ("group-missing", "Nothing is given for dress: none of its 2 queries has a list.", ""),
        ("group-missing", "Nothing is given for toptee: none of its 4 queries has a list.", ""),
    ]


def test_a_lenient_check_takes_one_category_alone(read, fashioniq, files):
    run = read(files["shirt"], lenient=True).run
    report = score(run, fashioniq, fashioniq.public_root.parent / "sealed", lenient=True)
    assert set(report.slices["category"]) == {"shirt"}
    assert report.slices["category"]["shirt"]["recall@50"].value == 1.0


def test_the_same_category_twice_is_refused(errors, files):
    found = errors(files["dress"], files["shirt"], files["dress"])
    assert ("part-repeated", "Two files hold the category dress.", "") in found


def test_four_files_are_too_many(errors, files):
    ((code, message, _),) = errors(*[files["dress"]] * 4)
    assert (code, message) == ("files-too-many", "4 files were given.")


def test_entries_too_few_or_too_many_are_named_by_position(errors, files):
    files["dress"].pop()
    files["shirt"].append(files["shirt"][0])
    found = [(code, message) for code, message, _ in errors(*files.values())]
    assert found == [
        ("query-unknown", 'The benchmark has no query "shirt/3".'),
        ("query-missing", "Query dress/1 has no list."),
    ]


@pytest.mark.parametrize(
    ("change", "code", "message"),
    [
        (lambda entry: entry.pop("ranking"), "ranking-missing", 'Query shirt/1 has no "ranking".'),
        (
            lambda entry: entry.update(ranking=None),
            "list-null",
            "The ranking of query shirt/1 is null instead of a list.",
        ),
        (
            lambda entry: entry.update(ranking="a"),
            "list-wrong-type",
            "The ranking of query shirt/1 is text instead of a list.",
        ),
        (
            lambda entry: entry["ranking"].pop(),
            "list-too-short",
            "The list of query shirt/1 has 49 entries; exactly 50 are required.",
        ),
        (
            lambda entry: entry["ranking"].append("BS00000055"),
            "list-too-long",
            "The list of query shirt/1 has 51 entries; exactly 50 are required.",
        ),
        (
            lambda entry: entry["ranking"].__setitem__(4, "BD00000001"),
            "image-outside-gallery",
            "Query shirt/1, rank 5: BD00000001 is not in the gallery of this query.",
        ),
        (
            lambda entry: entry["ranking"].__setitem__(4, "bs00000058.jpg"),
            "image-id-form",
            'Query shirt/1, rank 5: "bs00000058.jpg" stands for BS00000058.',
        ),
    ],
)
def test_a_faulty_ranking_is_named_by_category_and_position(errors, files, change, code, message):
    change(files["shirt"][1])
    ((found_code, found_message, _),) = errors(*files.values())
    assert (found_code, found_message) == (code, message)


def test_an_entry_that_is_no_object_is_named(errors, files):
    files["shirt"][1] = ["BS00000000"]
    assert errors(*files.values()) == [
        ("list-wrong-type", "Query shirt/1 has a list instead of an object with a ranking.", "")
    ]


def test_captions_of_another_split_are_said_so(errors, files):
    text = json.dumps(files["shirt"]).replace("BS", "XS")
    assert errors(text.encode()) == [
        (
            "split-wrong",
            "No candidate of this file is asked about in this split.",
            "Make the run from the caption files of this split.",
        )
    ]


def test_the_caption_file_itself_has_no_rankings(errors, files):
    for entries in files.values():
        for entry in entries:
            del entry["ranking"]
    assert {code for code, _, _ in errors(*files.values())} == {"ranking-missing"}


@pytest.mark.parametrize(
    ("content", "code", "message"),
    [
        ([], "format-wrong", "The file holds an empty list."),
        (5, "format-wrong", "The file holds a number, where a list with one entry per query is expected."),
        ({"a": 1}, "format-wrong", "The file holds an object, where a list with one entry per query is expected."),
        ([1, 2], "split-wrong", "No candidate of this file is asked about in this split."),
        (
            {"00001": {"retrieved_items": []}},
            "benchmark-wrong",
            "This looks like a PinPoint result file (retrieved_items for each query).",
        ),
        ([[1, 0]], "format-wrong", None),
    ],
)
def test_a_file_that_is_something_else_is_said_so(errors, content, code, message):
    ((found_code, found_message, _),) = errors(content)
    if message is not None:
        assert (found_code, found_message) == (code, message)


def test_a_file_for_fashioniq_is_recognised_by_other_benchmarks(only, circo, genecis, files):
    assert only(files["dress"], circo).message.endswith("a FashionIQ result file (captions with a ranking each).")
    for entry in files["dress"]:
        del entry["ranking"]
    for benchmark in (circo, genecis):
        problem = only(files["dress"], benchmark)
        assert problem.code == "benchmark-wrong"
        assert problem.message == "This looks like FashionIQ's caption file, without rankings."


def test_a_key_that_stands_twice_in_an_entry_is_reported(fashioniq, tmp_path, files):
    content = json.dumps(next(iter(files.values())))
    (tmp_path / "run.json").write_text(content.replace('"ranking"', '"ranking": [], "ranking"', 1))
    problems = read_run(tmp_path / "run.json", fashioniq).problems
    assert "json-key-repeated" in {problem.code for problem in problems}
