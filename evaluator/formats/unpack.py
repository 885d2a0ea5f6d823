"""First step of a check: the file's bytes, unpacked. The packing is told from the first bytes, never from the name."""

import errno
import gzip
import io
import stat
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from evaluator.formats.limits import MIB, Limits, in_words
from evaluator.formats.problems import ProblemLog

CHUNK_BYTES = MIB
ZIP_DIRECTORY_BYTES = 64 * 1024
"""A zip's table of contents is read as a whole; that of one file has about a hundred bytes."""

GZIP, ZSTD, ZIP = "gzip", "zstd", "zip"
MAGIC = ((b"\x1f\x8b", GZIP), (b"\x28\xb5\x2f\xfd", ZSTD), (b"PK\x03\x04", ZIP), (b"PK\x05\x06", ZIP))
OTHER_PACKINGS = (
    (b"\xfd7zXZ\x00", "xz"),
    (b"BZh", "bzip2"),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip"),
    (b"Rar!", "rar"),
    (b"\x04\x22\x4d\x18", "lz4"),
    (b"\x1f\x9d", "compress"),
)
TAR_MAGIC_AT = 257


@dataclass(frozen=True, slots=True)
class Packing:
    """How a file was sent.

    Attributes:
        compression: "none", "gzip", "zstd" or "zip".
        n_bytes: Size of the file as sent.
    """

    compression: str
    n_bytes: int


class _Refused(Exception):  # noqa: N818 - carries a code to the one place that reports it
    def __init__(self, code: str, message: str, expected: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.expected, self.hint = code, message, expected, hint


def unpack(
    path: Path, log: ProblemLog, limits: Limits, most_files: int = 1
) -> tuple[list[bytes | bytearray] | None, Packing]:
    """Read and unpack a file within the limits.

    Args:
        most_files: How many files a zip may hold.

    Returns:
        The unpacked bytes of each file in it, or None if a problem was reported; and how the file was sent.

    Raises:
        OSError: If there is no regular file there that can be read.
    """
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    compression = "none"
    contents: list[bytes | bytearray] | None = None
    try:
        packed = _read(path, status.st_size, limits)
        compression = _packing(packed)
        contents = _unpacked(packed, compression, limits.expanded_cap(len(packed)), most_files)
    except _Refused as refusal:
        log.report(refusal.code, refusal.message, expected=refusal.expected, hint=refusal.hint)
    return contents, Packing(compression, status.st_size)


def _unpacked(packed: bytes, compression: str, cap: int, most_files: int) -> list[bytes | bytearray]:
    if compression == "none" or (compression == ZIP and is_npz(packed)):
        return [packed]
    contents: list[bytes | bytearray] = []
    if compression == ZIP:
        contents += _unzip(packed, cap, most_files)
    else:
        contents.append(_UNPACKERS[compression](packed, cap))
    for content in contents:
        _refuse_nested(content)
    return contents


def is_npz(content: bytes | bytearray) -> bool:
    """Whether these are the bytes of a NumPy archive: a zip that starts with an array."""
    name_length = int.from_bytes(content[26:28], "little")
    return content.startswith(b"PK\x03\x04") and content[30 : 30 + name_length].endswith(b".npy")


def _read(path: Path, size: int, limits: Limits) -> bytes:
    if size > limits.packed_bytes:
        raise _Refused(
            "file-too-large",
            f"The file has {in_words(size)}; at most {in_words(limits.packed_bytes)} are read.",
            expected=f"at most {in_words(limits.packed_bytes)}",
        )
    packed = path.read_bytes()
    if not packed:
        raise _Refused("file-empty", "The file is empty: 0 bytes.", hint="Did the program that wrote it finish?")
    return packed


def _packing(head: bytes) -> str:
    for magic, name in MAGIC:
        if head.startswith(magic):
            return name
    if other := _other_packing(head):
        raise _Refused("compression-unsupported", f"This is a {other} archive.", expected="plain, gzip, zstd, or zip")
    return "none"


def _other_packing(head: bytes | bytearray) -> str | None:
    if head[TAR_MAGIC_AT : TAR_MAGIC_AT + 5] == b"ustar":
        return "tar"
    return next((name for magic, name in OTHER_PACKINGS if head.startswith(magic)), None)


def _refuse_nested(content: bytes | bytearray) -> None:
    if is_npz(content):
        return
    inner = next((name for magic, name in MAGIC if content.startswith(magic)), None) or _other_packing(content)
    if inner:
        raise _Refused("archive-nested", f"After unpacking, the content is itself packed ({inner}).")
    if not content:
        raise _Refused("file-empty", "The file is empty: it unpacks to 0 bytes.")


def _ungzip(packed: bytes, cap: int) -> bytearray:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(packed)) as stream:
            return _drain(stream.read, cap, len(packed))
    except EOFError:
        raise _Refused("archive-damaged", "The gzip data ends too early.") from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise _Refused("archive-damaged", f"The gzip data is damaged: {error}.") from None


def _unzstd(packed: bytes, cap: int) -> bytearray:
    try:
        # pyarrow's stream says when the last frame is cut short; python-zstandard's reader just ends.
        with pa.CompressedInputStream(pa.BufferReader(packed), "zstd") as stream:
            return _drain(stream.read, cap, len(packed))
    except OSError as error:
        raise _Refused("archive-damaged", f"The zstd data is damaged: {error}.") from None


def _unzip(packed: bytes, cap: int, most_files: int) -> list[bytes | bytearray]:
    _check_zip_directory(packed, most_files)
    contents: list[bytes | bytearray] = []
    try:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            _refuse_bytes_in_front(archive)
            for member in _members(archive, most_files):
                left = cap - sum(map(len, contents))
                if member.file_size > left:
                    raise _too_much(cap, len(packed))
                with archive.open(member) as stream:
                    contents.append(_drain(stream.read, left, len(packed)))
    except EOFError:
        raise _Refused("archive-damaged", "The zip ends too early.") from None
    except (zipfile.BadZipFile, zlib.error, ValueError, NotImplementedError, OSError) as error:
        raise _Refused("archive-damaged", f"The zip is damaged: {error}.") from None
    return contents


def _check_zip_directory(packed: bytes, most_files: int) -> None:
    end = packed.rfind(b"PK\x05\x06", max(0, len(packed) - 65_557))
    if end < 0:
        raise _Refused("archive-damaged", "The zip ends too early: its table of contents is missing.")
    if int.from_bytes(packed[end + 12 : end + 16], "little") > ZIP_DIRECTORY_BYTES:
        raise _Refused("archive-not-one-file", "The zip holds very many files.", expected=_allowed(most_files))


def _refuse_bytes_in_front(archive: zipfile.ZipFile) -> None:
    """Of two zips end to end, readers see the last alone: which results are meant would depend on the reader."""
    if archive.infolist() and min(entry.header_offset for entry in archive.infolist()) > 0:
        message = "Bytes stand before the zip's first file, as when two archives are put end to end."
        raise _Refused("archive-not-one-file", message, expected="one archive with exactly one file")


def _members(archive: zipfile.ZipFile, most_files: int) -> list[zipfile.ZipInfo]:
    members = [entry for entry in archive.infolist() if not entry.is_dir() and not _is_clutter(entry.filename)]
    if not 1 <= len(members) <= most_files:
        names = ", ".join(entry.filename[:80] for entry in members[:5]) + (", …" if len(members) > 5 else "")
        message = f"The zip holds {len(members)} files: {names}." if members else "The zip holds no file."
        raise _Refused("archive-not-one-file", message, expected=_allowed(most_files))
    for member in members:
        if member.flag_bits & 1:
            raise _Refused("archive-encrypted", f"{member.filename[:80]} in the zip needs a password.")
        if member.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
            raise _Refused(
                "compression-unsupported", "The zip uses a rare method.", expected="deflate, the usual method"
            )
    return members


def _allowed(most_files: int) -> str:
    return "exactly one file, for this benchmark" if most_files == 1 else f"one to {most_files} files"


def _is_clutter(name: str) -> bool:
    return name.startswith("__MACOSX/") or name.rsplit("/", 1)[-1] == ".DS_Store"


def _drain(read: Callable[[int], bytes], cap: int, n_packed: int) -> bytearray:
    content = bytearray()
    while chunk := read(CHUNK_BYTES):
        content += chunk
        if len(content) > cap:
            raise _too_much(cap, n_packed)
    return content


def _too_much(cap: int, n_packed: int) -> _Refused:
    return _Refused(
        "file-expands-too-much",
        f"The file has {in_words(n_packed)} and expands to more than {in_words(cap)}.",
        expected=f"at most {in_words(cap)} after unpacking a file of this size",
    )


_UNPACKERS: dict[str, Callable[[bytes, int], bytearray]] = {GZIP: _ungzip, ZSTD: _unzstd}
