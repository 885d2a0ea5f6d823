"""Runs written in every format, and read back."""

from collections import defaultdict
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaluator.formats.read import read_run
from evaluator.formats.write import TARGETS, NotWritableError, write_run
from evaluator.formats.write_official import NoOfficialFormatError
from evaluator.public.requirements import requirements
from evaluator.public.run import run_from_lists
from tests.evaluator.formats.conftest import PINPOINT_LIKE, make

ODD_IDS = (
    "a b",
    "100%",
    "{x}",
    "[",
    "é\u00a0e\u0301",
    "tab\there",
    "line\nbreak",
    "%20",
    '"q"',
    "a|b c",
    "#",
    "\u2028",
)


def written(folder, run, benchmark, target, **options):
    return write_run(run, benchmark, target, folder / f"out-{target}", **options)


def round_trip(folder, run, benchmark, target, **options):
    reading = read_run(written(folder, run, benchmark, target, **options), benchmark)
    assert reading.run is not None, list(reading.problems)
    assert reading.format == {"official": benchmark.manifest.run_format, "canonical": "npz"}.get(target, target)
    return reading.run.digest


@pytest.fixture(scope="session")
def odd(tmp_path_factory):
    """Query and image ids that have to be escaped in some format, and two galleries."""
    manifest = replace(PINPOINT_LIKE, name="odd", image_id_pattern="(?s:.*)")
    references = dict.fromkeys(ODD_IDS, "plain")
    galleries = {"one": ODD_IDS, "two": (*ODD_IDS[::-1], "more")}
    return make(tmp_path_factory.mktemp("odd"), manifest, references, galleries)


def lists_for(queries, images):
    ranked = st.lists(st.sampled_from(images), min_size=1, max_size=4, unique=True)
    return st.fixed_dictionaries(dict.fromkeys(queries, ranked))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)
@given(lists=lists_for(ODD_IDS, ODD_IDS), target=st.sampled_from(TARGETS), compress=st.booleans())
def test_what_is_written_is_read_back(tmp_path, odd, lists, target, compress):
    run = run_from_lists(lists)
    assert round_trip(tmp_path, run, odd, target, compress=compress) == run.digest


@pytest.mark.parametrize("target", [target for target in TARGETS if target != "npz"])
def test_an_open_gallery_with_numbers_is_written_and_read_back(tmp_path, check, circo, circo_lists, target):
    run = check(circo_lists, circo).run
    assert round_trip(tmp_path, run, circo, target) == run.digest


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("compress", [False, True])
def test_the_same_run_gives_the_same_bytes(tmp_path, odd, target, compress):
    lists = dict.fromkeys(ODD_IDS, ODD_IDS[:3])
    (path,) = written(tmp_path, run_from_lists(lists), odd, target, compress=compress)
    first = path.read_bytes()
    (path,) = written(tmp_path, run_from_lists(lists), odd, target, compress=compress)
    assert path.read_bytes() == first


def test_an_open_gallery_has_no_positions(tmp_path, check, circo, circo_lists):
    with pytest.raises(NotWritableError, match="canonical"):
        written(tmp_path, check(circo_lists, circo).run, circo, "npz")
    assert not (tmp_path / "out-npz").exists()


def test_lists_of_very_different_lengths_are_written_without_pads(tmp_path, pinpoint, images):
    run = run_from_lists({"00001": images[:4], "00002": images[:1], "00004": images[:1]})
    assert round_trip(tmp_path, run, pinpoint, "npz") == run.digest


def test_a_format_that_is_not_written_is_named(tmp_path, pinpoint, images):
    other = replace(pinpoint, manifest=replace(pinpoint.manifest, run_format="other"))
    with pytest.raises(NoOfficialFormatError, match="cannot be written as other"):
        written(tmp_path, run_from_lists({"00001": images}), other, "official")


def whole_run(benchmark):
    """A list of the longest allowed length for each query, from its own gallery, without its excluded images."""
    asked = requirements(benchmark, benchmark.manifest.protocol())
    rows = zip(*(benchmark.gallery_table.column(name).to_pylist() for name in ("gallery_id", "image_id")), strict=True)
    members = defaultdict(list)
    for gallery, image in rows:
        members[gallery].append(image)
    return run_from_lists(
        {
            query.id: [image for image in members[query.gallery_id][::-1] if image not in query.exclude][:most]
            for query, most in zip(benchmark.queries, asked.most.tolist(), strict=True)
        }
    )


@pytest.mark.parametrize("name", ["cirr", "fashioniq", "genecis"])
@pytest.mark.parametrize("target", [target for target in TARGETS if target != "official"])
def test_other_benchmarks_are_written_and_read_back(request, tmp_path, name, target):
    benchmark = request.getfixturevalue(name)
    run = whole_run(benchmark)
    assert round_trip(tmp_path, run, benchmark, target) == run.digest


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("cirr", ["recall.json.gz", "recall_subset.json.gz"]),
        ("fashioniq", ["dress.val.pred.json.gz", "shirt.val.pred.json.gz", "toptee.val.pred.json.gz"]),
        ("genecis", ["out-official"]),
    ],
)
def test_official_files_are_as_many_as_the_benchmark_has(request, tmp_path, name, files):
    benchmark = request.getfixturevalue(name)
    run = whole_run(benchmark)
    paths = written(tmp_path, run, benchmark, "official", compress=True)
    assert [path.name for path in paths] == files
    reading = read_run(paths, benchmark)
    assert reading.run is not None, list(reading.problems)
    assert reading.run.digest == run.digest


def test_a_part_that_was_left_out_is_not_written(tmp_path, cirr):
    run = whole_run(cirr)
    of_part = run_from_lists({q: run.ranked(row) for row, q in enumerate(run.query_ids) if q.endswith("/subset")})
    assert [path.name for path in written(tmp_path, of_part, cirr, "official")] == ["recall_subset.json"]


def test_a_format_without_query_ids_cannot_leave_one_out(tmp_path, genecis):
    run = whole_run(genecis)
    with pytest.raises(NoOfficialFormatError, match="tells queries by position"):
        written(tmp_path, run_from_lists({run.query_ids[1]: run.ranked(1)}), genecis, "official")
    assert not (tmp_path / "out-official").exists()
