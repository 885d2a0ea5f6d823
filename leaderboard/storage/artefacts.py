"""Files by content: a file's name is the SHA-256 of its bytes.

An artefact is written once and never changed, so it may be read without a lock, and the same content is kept once.
Only digests are names: nothing that a user wrote ever becomes part of a path.
"""

import hashlib
import io
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from django.conf import settings

CHUNK_BYTES = 1024 * 1024
FILE_MODE = 0o640
FOLDER_MODE = 0o750
# Uploads on their way in lie beside the artefacts, so that moving them into place is one rename.
INCOMING = "incoming"
_DIGEST = re.compile(r"[0-9a-f]{64}")


class Readable(Protocol):
    """Anything with a ``read`` that gives bytes, an upload or a file."""

    def read(self, size: int, /) -> bytes: ...


class ArtefactError(Exception):
    """Something about stored content."""


class NotADigestError(ArtefactError, ValueError):
    """A name that is no SHA-256 digest, and so names no artefact."""


class ArtefactMissingError(ArtefactError):
    """There is no artefact of that digest: it was removed, or another volume is mounted."""


class ContentTooLargeError(ArtefactError):
    """The stream holds more than it may; nothing was kept."""

    def __init__(self, limit_bytes: int) -> None:
        super().__init__(f"the content is larger than {limit_bytes} bytes")
        self.limit_bytes = limit_bytes


@dataclass(frozen=True, slots=True)
class Artefact:
    """Stored content."""

    digest: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Staged:
    """Content that has arrived whole and is hashed, but is stored only if `keep` is called."""

    artefact: Artefact
    file: Path

    def keep(self) -> None:
        """Store it."""
        _move_into_place(self.file, self.artefact.digest)


@contextmanager
def staged(stream: Readable, limit_bytes: int | None = None) -> Iterator[Staged]:
    """Take in what the stream holds, so that somebody may decide whether it is kept.

    Raises:
        ContentTooLargeError: As `copy`.
    """
    with incoming_file() as (path, file):
        artefact = copy(stream, file, limit_bytes)
        file.flush()
        os.fsync(file.fileno())
        yield Staged(artefact, path)


def put(stream: Readable, limit_bytes: int | None = None) -> Artefact:
    """Store what the stream holds, hashing it on the way; it is there whole, or not at all."""
    with staged(stream, limit_bytes) as content:
        content.keep()
    return content.artefact


def put_bytes(content: bytes) -> Artefact:
    """Store bytes that are already in memory."""
    return put(io.BytesIO(content))


def put_file(source: Path) -> Artefact:
    """Store a copy of a file."""
    with source.open("rb") as stream:
        return put(stream)


def path(digest: str) -> Path:
    """Where the artefact of that digest lies.

    Raises:
        NotADigestError: If the name is no digest.
        ArtefactMissingError: If it is not stored.
    """
    place = _place(digest)
    if not place.is_file():
        raise ArtefactMissingError(f"artefact {digest} is not stored")
    return place


def open_artefact(digest: str) -> IO[bytes]:
    """Open the artefact of that digest for reading; errors as `path`."""
    return path(digest).open("rb")


@contextmanager
def incoming_file() -> Iterator[tuple[Path, IO[bytes]]]:
    """A new file beside the artefacts, removed at the end unless it was moved into place."""
    descriptor, name = tempfile.mkstemp(dir=_incoming())
    try:
        with os.fdopen(descriptor, "w+b") as file:
            yield Path(name), file
    finally:
        Path(name).unlink(missing_ok=True)


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder on the artefacts' volume for files that are being made, removed at the end."""
    with tempfile.TemporaryDirectory(dir=_incoming()) as name:
        yield Path(name)


def remove_leftovers(*, folders_after_s: float, files_after_s: float) -> int:
    """Remove what killed processes left half-made; returns how many files and folders."""
    return sum(_removed(entry, folders_after_s, files_after_s) for entry in _incoming().iterdir())


def _removed(entry: Path, folder_after_s: float, file_after_s: float) -> bool:
    """Remove what was last touched longer ago; False also if somebody else did so meanwhile."""
    with suppress(FileNotFoundError):
        status = entry.lstat()
        is_folder = stat.S_ISDIR(status.st_mode)
        if status.st_mtime < time.time() - (folder_after_s if is_folder else file_after_s):
            shutil.rmtree(entry) if is_folder else entry.unlink()
            return True
    return False


def copy(stream: Readable, file: IO[bytes], limit_bytes: int | None = None) -> Artefact:
    """Copy a stream into a file and say what it held.

    Raises:
        ContentTooLargeError: As soon as more than ``limit_bytes`` were read.
    """
    state, size_bytes = hashlib.sha256(), 0
    while chunk := stream.read(CHUNK_BYTES):
        size_bytes += len(chunk)
        if limit_bytes is not None and size_bytes > limit_bytes:
            raise ContentTooLargeError(limit_bytes)
        state.update(chunk)
        file.write(chunk)
    return Artefact(state.hexdigest(), size_bytes)


def _incoming() -> Path:
    folder: Path = settings.ARTEFACTS_ROOT / INCOMING
    folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    return folder


def _place(digest: str) -> Path:
    if not _DIGEST.fullmatch(digest):
        raise NotADigestError(f"{digest!r} is not a SHA-256 digest")
    root: Path = settings.ARTEFACTS_ROOT
    return root / digest[:2] / digest[2:4] / digest


def _move_into_place(source: Path, digest: str) -> None:
    """Rename over whatever is there: the same content, unless the disk damaged it."""
    place = _place(digest)
    place.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    source.chmod(FILE_MODE)
    source.replace(place)
    for folder in (place.parent, place.parent.parent, place.parent.parent.parent):
        _sync_folder(folder)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
