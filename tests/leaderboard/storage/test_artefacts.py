"""Artefacts are named by what they hold."""

import hashlib
import io
import os
import time
from pathlib import Path

import pytest

from leaderboard.storage import artefacts


def test_content_comes_back_under_its_digest() -> None:
    stored = artefacts.put(io.BytesIO(b"ranked"))
    assert stored == artefacts.Artefact(hashlib.sha256(b"ranked").hexdigest(), 6)
    with artefacts.open_artefact(stored.digest) as file:
        assert file.read() == b"ranked"


def test_the_same_content_is_kept_once(places: Path) -> None:
    first, second = artefacts.put_bytes(b"same"), artefacts.put_bytes(b"same")
    assert first == second
    assert [path.name for path in places.rglob("*") if path.is_file()] == [first.digest]


def test_a_damaged_artefact_is_healed_by_the_next_upload() -> None:
    digest = artefacts.put_bytes(b"whole").digest
    artefacts.path(digest).write_bytes(b"who")
    artefacts.put_bytes(b"whole")
    assert artefacts.path(digest).read_bytes() == b"whole"


def test_an_artefact_lies_two_folders_deep_and_is_closed_to_others(places: Path) -> None:
    digest = artefacts.put_bytes(b"x").digest
    path = artefacts.path(digest)
    assert path == places / "artefacts" / digest[:2] / digest[2:4] / digest
    assert path.stat().st_mode & 0o777 == 0o640


def test_too_much_content_leaves_nothing_behind(places: Path) -> None:
    with pytest.raises(artefacts.ContentTooLargeError):
        artefacts.put(io.BytesIO(b"12345"), limit_bytes=4)
    assert artefacts.put(io.BytesIO(b"1234"), limit_bytes=4).size_bytes == 4
    assert len([path for path in places.rglob("*") if path.is_file()]) == 1


def test_what_a_killed_process_left_behind_is_removed_once_it_is_old(places: Path) -> None:
    now = time.time()
    with artefacts.scratch_folder() as young, artefacts.incoming_file() as (upload, _):
        old = young.parent / "old"
        (old / "deeper").mkdir(parents=True)
        for touched in (old, upload):
            os.utime(touched, (now - 20, now - 20))
        assert artefacts.remove_leftovers(folders_after_s=10, files_after_s=60) == 1
        assert set((places / "artefacts" / artefacts.INCOMING).iterdir()) == {young, upload}
        assert artefacts.remove_leftovers(folders_after_s=10, files_after_s=10) == 1
        assert list((places / "artefacts" / artefacts.INCOMING).iterdir()) == [young]


class BrokenLine(io.BytesIO):
    def read(self, _size: int | None = -1, /) -> bytes:
        raise ConnectionResetError


def test_an_interrupted_upload_leaves_nothing_behind(places: Path) -> None:
    with pytest.raises(ConnectionResetError):
        artefacts.put(BrokenLine(b"half"))
    assert not [path for path in places.rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "../../etc/passwd",
        "/etc/passwd",
        "a" * 63,
        "a" * 65,
        "A" * 64,
        "a" * 64 + "\n",
        "../" + "a" * 61,
        "é" * 64,
    ],
)
def test_only_digests_name_artefacts(name: str) -> None:
    with pytest.raises(artefacts.NotADigestError):
        artefacts.path(name)


def test_what_was_never_stored_is_missing() -> None:
    with pytest.raises(artefacts.ArtefactMissingError):
        artefacts.path("0" * 64)
