"""NumPy archives of strangers: nothing is unpickled, and no array is made before its size was compared with its bytes."""

import io
import math
import tokenize
import warnings
import zipfile
import zlib
from collections.abc import Callable
from typing import IO, Any, Final

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from evaluator.formats.limits import in_words
from evaluator.formats.result_format import Content

SUFFIX: Final = ".npy"
MOST_MEMBERS: Final = 64
_HEADERS: Final = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
_DAMAGE: Final = (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, OSError, RuntimeError)
"""What zipfile and NumPy raise on bytes that are something else; a member with a password is a RuntimeError."""


_HEADER_DAMAGE: Final = (tokenize.TokenError, SyntaxError, TypeError, MemoryError)
"""What NumPy's reader of headers raises beside `_DAMAGE`; its parser calls brackets nested too deep a lack of memory."""

Header = tuple[tuple[int, ...], bool, np.dtype[Any]]
"""Shape, whether columns come first, and type."""


class ArchiveError(ValueError):
    """An archive that is refused.

    Attributes:
        code: Of the problem to report.
        expected: What would have been right.
    """

    def __init__(self, code: str, message: str, expected: str = "") -> None:
        super().__init__(message)
        self.code, self.expected = code, expected


def read_members(content: Content, wanted: set[str], cap: int) -> tuple[dict[str, NDArray[Any]], list[str]]:
    """Read those arrays of an archive that are wanted.

    Args:
        content: The bytes of an npz.
        wanted: Names without their ending.
        cap: Most bytes that all arrays together may have.

    Returns:
        The arrays that are there, and the names of all members.

    Raises:
        ArchiveError: If the archive is damaged, too large, or holds Python objects where an array is wanted.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = archive.infolist()
            _check_sizes(members, cap)
            chosen = {m.filename.removesuffix(SUFFIX): m for m in members if m.filename.endswith(SUFFIX)}
            arrays = {name: _read_one(archive, member) for name, member in chosen.items() if name in wanted}
    except ArchiveError:
        raise
    except _DAMAGE as error:
        raise ArchiveError("npz-damaged", f"The NumPy archive cannot be read: {error}.") from None
    return arrays, [member.filename for member in members]


def _check_sizes(members: list[zipfile.ZipInfo], cap: int) -> None:
    if len(members) > MOST_MEMBERS or len({member.filename for member in members}) != len(members):
        message = f"The NumPy archive has {len(members):,} members, or two of one name."
        raise ArchiveError("npz-damaged", message, f"at most {MOST_MEMBERS}, each once")
    if sum(member.file_size for member in members) > cap:
        message = f"The NumPy archive expands to more than {in_words(cap)}."
        raise ArchiveError("file-expands-too-much", message, f"at most {in_words(cap)} for a file of this size")


def _header(read: Callable[[IO[bytes]], Header], stream: IO[bytes], name: str) -> Header:
    try:
        with warnings.catch_warnings():
            # Python 2 wrote 3L for 3, of which NumPy warns.
            warnings.simplefilter("ignore", UserWarning)
            return read(stream)
    except _HEADER_DAMAGE as error:
        raise ArchiveError("npz-damaged", f"The header of {name} cannot be read: {error}.") from None


def _read_one(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> NDArray[Any]:
    name = member.filename
    with archive.open(member) as stream:
        read_header = _HEADERS.get(npy.read_magic(stream))
        if read_header is None:
            raise ArchiveError("npz-damaged", f"{name} has a rare version of the format.", "1.0 or 2.0")
        shape, by_columns, dtype = _header(read_header, stream, name)
        if not all(type(n) is int for n in shape):
            raise ArchiveError("npz-damaged", f"The header of {name} cannot be read: {shape} is no shape.")
        if dtype.hasobject:
            message = f"{name} holds Python objects, which are never opened here."
            raise ArchiveError("npz-dtype", message, "integers, or ids as text")
        n_bytes = math.prod(shape) * dtype.itemsize
        if n_bytes != member.file_size - stream.tell():
            message = (
                f"The header of {name} promises {n_bytes:,} bytes, and {member.file_size - stream.tell():,} follow."
            )
            raise ArchiveError("npz-damaged", message)
        values = np.frombuffer(stream.read(), dtype) if n_bytes else np.empty(0, dtype)
    return values.reshape(shape, order="F" if by_columns else "C")
