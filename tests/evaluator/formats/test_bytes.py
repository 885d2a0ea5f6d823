"""Packing, encoding and syntax: what happens before any list is looked at."""

import gzip
import io
import json
import time
import zipfile
from dataclasses import replace

import pyarrow as pa
import pytest

from evaluator.formats.limits import Limits

LISTS = b'{"0": [1, 2, 3, 4], "1": [5, 6, 7, 8], "2": [9, 10, 11, 12]}'


def zipped(*files: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return stream.getvalue()


def zstd(content: bytes) -> bytes:
    return pa.compress(content, codec="zstd", asbytes=True)


@pytest.mark.parametrize(
    ("packed", "compression"),
    [
        (LISTS, "none"),
        (gzip.compress(LISTS), "gzip"),
        (gzip.compress(LISTS[:20]) + gzip.compress(LISTS[20:]), "gzip"),
        (zstd(LISTS), "zstd"),
        (zstd(LISTS[:20]) + zstd(LISTS[20:]), "zstd"),
        (zipped(("run.json", LISTS)), "zip"),
        (zipped(("run.json", LISTS), method=zipfile.ZIP_STORED), "zip"),
        (zipped(("out/", b""), ("out/run.json", LISTS), ("__MACOSX/out/._run.json", b"x")), "zip"),
    ],
)
def test_every_packing_gives_the_same_run(check, circo, packed, compression):
    reading = check(packed, circo)
    assert reading.compression == compression
    assert reading.n_bytes == len(packed)
    assert reading.run.digest == check(LISTS, circo).run.digest


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "file-empty"),
        (b" \n\t ", "file-empty"),
        (gzip.compress(b""), "file-empty"),
        (gzip.compress(LISTS)[:-9], "archive-damaged"),
        (gzip.compress(LISTS)[:20] + b"\0" + gzip.compress(LISTS)[21:], "archive-damaged"),
        (zstd(LISTS)[:-3], "archive-damaged"),
        (b"\x28\xb5\x2f\xfdnonsense", "archive-damaged"),
        (zipped(("run.json", LISTS))[:-30], "archive-damaged"),
        (b"PK\x03\x04nonsense", "archive-damaged"),
        (zipped(), "archive-not-one-file"),
        (zipped(("a.json", LISTS), ("b.json", LISTS)), "archive-not-one-file"),
        (zipped(("a.json", LISTS)) + zipped(("b.json", LISTS)), "archive-not-one-file"),
        (zipped(("a.json", LISTS))[:200] + zipped(("b.json", LISTS)), "archive-not-one-file"),
        (zipped(*((f"{i}.json", b"") for i in range(2000))), "archive-not-one-file"),
        (zipped(("x.npy", b""), ("y.npy", b"")), "format-wrong"),
        (zipped(("run.json", LISTS), method=zipfile.ZIP_LZMA), "compression-unsupported"),
        (zipped(("run.json.gz", gzip.compress(LISTS))), "archive-nested"),
        (zipped(("run.zip", zipped(("run.json", LISTS)))), "archive-nested"),
        (gzip.compress(gzip.compress(LISTS)), "archive-nested"),
        (b"\xfd7zXZ\x00rest", "compression-unsupported"),
        (b"BZh91AY&SY", "compression-unsupported"),
        (b"\0" * 257 + b"ustar\x0000", "compression-unsupported"),
        (LISTS.decode().encode("utf-16"), "encoding-not-utf8"),
        (LISTS.decode().encode("utf-16-le"), "encoding-not-utf8"),
        (LISTS.decode().encode("utf-32"), "encoding-not-utf8"),
        (LISTS[:30] + b"\0" + LISTS[30:], "encoding-not-utf8"),
        (b'{"\xe9": [1]}', "encoding-not-utf8"),
        (b"[" * 100_000, "json-too-deep"),
        (b'{"a":' * 100_000, "json-too-deep"),
    ],
)
def test_content_that_cannot_be_read_is_refused_with_one_problem(only, circo, content, code):
    problem = only(content, circo)
    assert problem.code == code
    assert problem.message


def test_zero_bytes_are_said_in_words(only, circo):
    assert "0 bytes" in only(b"", circo).message


def test_an_encrypted_zip_is_refused(only, circo):
    packed = bytearray(zipped(("run.json", LISTS)))
    packed[6] |= 1
    packed[packed.index(b"PK\x01\x02") + 8] |= 1
    assert only(bytes(packed), circo).code == "archive-encrypted"


def test_a_byte_order_mark_is_a_warning(check, circo):
    reading = check(b"\xef\xbb\xbf" + LISTS, circo)
    assert dict(reading.problems.counts) == {"encoding-bom": 1}
    assert reading.run.digest == check(LISTS, circo).run.digest


@pytest.mark.parametrize(
    ("content", "place", "hint"),
    [
        (b'{"0": [1, 2,\n 3 4]}', "Line 2, column 4", ""),
        (b"{'0': [1]}", "Line 1, column 2", "json.dump"),
        (b'{"0": [None]}', "Line 1, column 8", "json.dump"),
        (b'{"0": [1, 2,]}', "Line 1, column 1", "comma"),
        (b'{"0": [1, 2', "Line 1, column 12", "cut short"),
        (b'{"0": [1, 2], "1', "Line 1, column 15", "cut short"),
        (b"{bad json", "Line 1, column 2", ""),
    ],
)
def test_invalid_json_is_told_with_line_column_and_hint(only, circo, content, place, hint):
    problem = only(content, circo)
    assert problem.code == "json-invalid"
    assert place in problem.message
    assert hint in problem.hint


BOMBS = {
    "gzip": gzip.compress(bytes(43_000_000)),
    "zstd": zstd(bytes(1 << 30)),
    "zip": zipped(("run.json", bytes(43_000_000))),
}


@pytest.mark.parametrize("kind", BOMBS)
def test_a_bomb_is_refused_before_it_unfolds(only, circo, kind):
    assert len(BOMBS[kind]) < 45_000
    begun = time.perf_counter()
    problem = only(BOMBS[kind], circo)
    assert problem.code == "file-expands-too-much"
    assert time.perf_counter() - begun < 1


def test_a_zip_that_lies_about_its_size_is_refused(only, circo):
    packed = bytearray(BOMBS["zip"])
    place = packed.index(b"PK\x01\x02") + 24
    packed[place : place + 4] = (100).to_bytes(4, "little")
    assert only(bytes(packed), circo).code == "archive-damaged"


def test_real_repetition_is_no_bomb(check, pinpoint, pinpoint_lists):
    content = json.dumps(pinpoint_lists).encode() + b" " * 3_000_000
    assert check(gzip.compress(content), pinpoint).run is not None


def test_the_size_as_sent_is_limited_before_it_is_read(only, circo):
    assert only(LISTS, circo, limits=replace(Limits(), packed_bytes=10)).code == "file-too-large"


def test_the_expanded_size_is_limited(only, circo):
    problem = only(gzip.compress(LISTS), circo, limits=replace(Limits(), expanded_bytes=20))
    assert problem.code == "file-expands-too-much"


def test_something_that_is_no_file_is_the_callers_fault(tmp_path, circo):
    from evaluator.formats.read import read_run

    with pytest.raises(OSError, match="not a regular file"):
        read_run(tmp_path, circo)
    with pytest.raises(FileNotFoundError):
        read_run(tmp_path / "absent", circo)
