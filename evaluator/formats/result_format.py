"""What an official result format is: how to read its lists, and how it writes ids."""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evaluator.formats.problems import ProblemLog
from evaluator.formats.shapes import Look
from evaluator.public.bundle import Benchmark


@dataclass(frozen=True, slots=True)
class RawLists:
    """Lists as a file gives them, before any id is looked at.

    Attributes:
        keys: (L,) query ids as the file writes them.
        lists: (L,) entries of any JSON type, best first; None where no list could be read and that was reported.
        look: What the file as a whole looks like, where that can be told.
    """

    keys: list[str]
    lists: list[list[Any] | None]
    look: Look | None = None


@dataclass(frozen=True, slots=True)
class RawColumns:
    """The same for lists of texts alone, in columns, so that millions of entries cost no Python object each.

    Attributes:
        keys: (L,) query ids as the file writes them.
        offsets: (L + 1,) int64, where each list begins in ``codes``.
        codes: (N,) int32 positions in ``texts``.
        texts: (U,) different image ids as the file writes them.
        look: What the file as a whole looks like, where that can be told.
    """

    keys: list[str]
    offsets: NDArray[np.int64]
    codes: NDArray[np.int32]
    texts: pa.Array
    look: Look | None = None


Content = bytes | bytearray
"""What one file held, unpacked."""

Read = Callable[[Sequence[Content], Benchmark, ProblemLog], RawLists | RawColumns | None]
"""(files, benchmark, log) -> lists, or None when an error that ends the check was reported."""


@dataclass(frozen=True, slots=True)
class ResultFormat:
    """One official result format.

    Attributes:
        name: As manifests write it in run_format.
        family: As people call it.
        example: The shape in one line.
        ids_are_numbers: Whether image ids are JSON numbers; else they are texts.
        read: Reads the files of one run.
        official_id: Image id as a file writes it -> the id that the official evaluator takes it for.
        bare_id: Image id in any common disguise -> the way in which the benchmark writes it.
        splits: Number of queries of each split whose ids count from 0, where splits can be mistaken.
        reference_note: What the benchmark makes of a reference image in a list.
        most_files: How many files one run may have; they come one by one or in one zip.
        query_name: Query id -> how messages name the query; the id itself where files write it.
    """

    name: str
    family: str
    example: str
    ids_are_numbers: bool
    read: Read
    official_id: Callable[[str], str]
    bare_id: Callable[[str], str]
    reference_note: str
    splits: Mapping[str, int] = field(default_factory=dict)
    most_files: int = 1
    query_name: Callable[[str], str] = str


LONGEST_DISGUISE = 300
"""Longer texts are no ids; folding a long run of accents takes time that grows with its square."""

_DISGUISE = re.compile(r"(?:.*[/\\])?(.*?)(?:\.(?:jpe?g|png|webp|gif))?", re.DOTALL | re.IGNORECASE)


def ascii_digits(text: str) -> str:
    """The same with digits of any script as those of ASCII, for which Python's `int` takes them too.

    Example:
        >>> ascii_digits("\u0664\u0662.jpg")
        '42.jpg'
    """
    if text.isascii():
        return text
    return "".join(str(unicodedata.decimal(letter)) if letter.isdecimal() else letter for letter in text)


def undisguised(text: str) -> str:
    """An id without white space, look-alike letters, folders and an image file's ending.

    Example:
        >>> undisguised(" val2017/000000355099.jpg")
        '000000355099'
    """
    if len(text) > LONGEST_DISGUISE:
        return text
    folded = ascii_digits(unicodedata.normalize("NFKC", text)).strip()
    match = _DISGUISE.fullmatch(folded)
    return match[1] if match else folded
