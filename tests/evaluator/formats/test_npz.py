"""NumPy archives: canonical runs and gallery positions, and archives that lie."""

import io
import time
import zipfile

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.lib import format as npy

from evaluator.public.run import run_from_lists, save_run

QUERIES = np.array(["00001", "00002", "00004"])
RANKING = np.tile(np.arange(4, dtype=np.int32), (3, 1))


def npz(**arrays):
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)
    return stream.getvalue()


def with_header(shape, descr="<i4", body=b"", order=False):
    """An npz whose one member's header says anything."""
    member, stream = io.BytesIO(), io.BytesIO()
    npy.write_array_header_1_0(member, {"descr": descr, "fortran_order": order, "shape": shape})
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("ranking.npy", member.getvalue() + body)
    return stream.getvalue()


def with_header_text(text):
    """An npz whose one member's header is any text."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("ranking.npy", b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text)
    return stream.getvalue()


HEADER = b"{'descr': '<i4', 'fortran_order': False, 'shape': (3, 4), }\n"


@pytest.mark.parametrize(
    "text",
    [
        HEADER.replace(b"4), }", b"4), "),
        HEADER.replace(b"(3, 4)", b"(3, 4"),
        HEADER.replace(b"'<i4'", b"'''<i4'"),
        HEADER.replace(b"3", b"03"),
        HEADER.replace(b"3", b"9" * 5000),
        HEADER.replace(b"(3, 4)", b"(" * 300),
        HEADER.replace(b"'shape'", b"{}"),
        HEADER.replace(b"'shape'", b"3"),
        HEADER.replace(b"3", b"\x00"),
    ],
    ids=range(9),
)
def test_a_header_that_is_no_python_literal_is_damage(only, pinpoint, text):
    assert only(with_header_text(text), pinpoint).code == "npz-damaged"


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    place=st.integers(0, len(HEADER)),
    cut=st.integers(0, 8),
    text=st.binary(max_size=4) | st.sampled_from([b"(", b")", b"[", b"'", b"{}", b"\n", b"None", b"-1", b"1e9", b"L"]),
)
def test_a_header_with_a_change_ends_in_a_verdict(check, pinpoint, place, cut, text):
    assert check(with_header_text(HEADER[:place] + text + HEADER[place + cut :]), pinpoint).run is None


@pytest.fixture
def digest(check, pinpoint, pinpoint_lists):
    return check(pinpoint_lists, pinpoint).run.digest


@pytest.mark.parametrize(
    "arrays",
    [
        {"ranking": RANKING},
        {"ranking": RANKING.astype(np.int64)},
        {"ranking": RANKING.astype(">i2")},
        {"ranking": np.asfortranarray(RANKING), "query_ids": QUERIES},
        {"ranking": np.pad(RANKING, ((0, 0), (0, 3)), constant_values=-1)},
        {"ranking": RANKING, "query_ids": np.char.encode(QUERIES[::-1])},
        {"offsets": np.array([0, 4, 8, 12]), "items": RANKING.ravel()},
        {"offsets": np.array([0, 4, 8, 12]), "items": RANKING.ravel(), "query_ids": QUERIES, "note": np.ones(3)},
    ],
)
def test_positions_may_come_in_any_layout(check, pinpoint, digest, arrays):
    reading = check(npz(**arrays), pinpoint)
    assert reading.format == "npz"
    assert reading.run.digest == digest


def test_positions_are_those_of_the_querys_own_gallery(check, two_galleries, images):
    reading = check(npz(ranking=np.array([[0, 5], [0, 7]])), two_galleries)
    assert [reading.run.ranked(row) for row in (0, 1)] == [[images[0], images[5]], [images[4], images[11]]]
    problem = next(iter(check(npz(ranking=np.array([[0, 6], [0, 7]])), two_galleries).problems))
    assert (problem.code, problem.query, problem.rank, problem.expected) == ("position-outside", "00001", 2, "0 to 5")


def test_a_canonical_run_is_checked_like_any_file(check, codes, pinpoint, pinpoint_lists, digest, images, tmp_path):
    lists = {query: entry["retrieved_items"] for query, entry in pinpoint_lists.items()}
    save_run(tmp_path / "run", run_from_lists(lists))
    assert check((tmp_path / "run").read_bytes(), pinpoint).run.digest == digest
    save_run(tmp_path / "run", run_from_lists({"00001": [images[0], images[0]], "7": ["x"]}))
    found = codes((tmp_path / "run").read_bytes(), pinpoint)
    assert found.keys() >= {"image-repeated", "query-missing", "query-unknown"}


def test_an_open_gallery_has_no_positions(only, circo):
    assert "open" in only(npz(ranking=RANKING), circo).message


@pytest.mark.parametrize(
    ("arrays", "code"),
    [
        ({"x": RANKING}, "format-wrong"),
        ({"items": RANKING}, "format-wrong"),
        ({"ranking": RANKING / 1.0}, "npz-dtype"),
        ({"ranking": RANKING > 0}, "npz-dtype"),
        ({"ranking": np.array([["a"]])}, "npz-dtype"),
        ({"ranking": np.array([[None, {}]], object)}, "npz-dtype"),
        ({"ranking": RANKING.astype(np.uint64) + np.uint64(2**63)}, "npz-dtype"),
        ({"ranking": RANKING.ravel()}, "npz-shape"),
        ({"ranking": RANKING[:2]}, "npz-shape"),
        ({"ranking": RANKING, "query_ids": QUERIES[:2]}, "npz-shape"),
        ({"ranking": RANKING, "query_ids": QUERIES[[0, 0, 1]]}, "npz-shape"),
        ({"ranking": RANKING, "query_ids": np.ones(3)}, "npz-dtype"),
        ({"ranking": RANKING, "query_ids": np.array([b"\xff", b"a", b"b"])}, "npz-dtype"),
        ({"ranking": RANKING, "query_ids": QUERIES.astype(object)}, "npz-dtype"),
        ({"offsets": np.array([0, 8, 4, 12]), "items": RANKING.ravel()}, "npz-shape"),
        ({"offsets": np.array([0, 4, 8, 13]), "items": RANKING.ravel()}, "npz-shape"),
        ({"offsets": np.array([], np.int64), "items": RANKING.ravel()}, "npz-shape"),
        ({"ranking": RANKING + 9}, "position-outside"),
        ({"ranking": RANKING - 1}, "position-outside"),
    ],
)
def test_arrays_with_faults_are_refused_by_name(codes, pinpoint, arrays, code):
    assert codes(npz(**arrays), pinpoint)[code] >= 1


@pytest.mark.parametrize("part", ["query_text", "query_ends", "image_text", "image_ends", "offsets", "items"])
@pytest.mark.parametrize("value", [np.array([], np.uint8), np.array([9, -3, 2**40]), np.array(5), np.array(["a"])])
def test_a_canonical_run_with_a_wrong_part_is_refused(codes, pinpoint, images, tmp_path, part, value):
    save_run(tmp_path / "run", run_from_lists({str(query): images[:3] for query in QUERIES}))
    arrays = dict(np.load(io.BytesIO((tmp_path / "run").read_bytes())))
    assert codes(npz(**{**arrays, part: value}), pinpoint).keys() == {"npz-shape"}


@pytest.mark.parametrize(
    "content",
    [
        with_header((2**40, 2**20)),
        with_header((3, 4), body=b"\0" * 40),
        with_header((3, 4), body=b"\0" * 50),
        with_header((-3, -4), body=b"\0" * 48),
        with_header((3, 4), descr="|O", body=b"\x80\x04K\x01."),
        with_header((2**62, 0)),
        with_header((0, 2**62), order=True),
        with_header((3, 4), descr="nonsense", body=b"\0" * 48),
        npz(ranking=RANKING)[:-30],
    ],
)
def test_an_archive_that_lies_is_refused(codes, pinpoint, content):
    assert codes(content, pinpoint).keys() <= {"npz-damaged", "npz-dtype", "npz-shape"}


def test_a_bomb_is_refused_before_it_unfolds(only, pinpoint):
    content = npz(ranking=np.zeros((3, 100_000_000), np.int8))
    assert len(content) < 400_000
    begun = time.perf_counter()
    assert only(content, pinpoint).code == "file-expands-too-much"
    assert time.perf_counter() - begun < 1


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=200)
@given(st.data())
def test_an_archive_with_changed_bytes_gives_a_run_or_problems(check, pinpoint, data):
    content = bytearray(npz(ranking=RANKING, query_ids=QUERIES))
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    reading = check(bytes(content), pinpoint)
    assert (reading.run is None) == bool(reading.problems.n_errors)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=100)
@given(st.binary(max_size=200))
def test_anything_behind_the_magic_gives_problems(codes, pinpoint, rest):
    assert codes(b"PK\x03\x04" + b"\0" * 22 + b"\x05\0\0\0x.npy" + rest, pinpoint).keys() == {"npz-damaged"}
