"""The form of image ids: a regular expression that somebody else wrote, run over ids that a third person sent.

Python's `re` takes time that may double with each letter, so that ``(a+)+`` and forty letters would stop a worker. RE2
takes time that grows with the length alone and knows no look-around and no back references.
"""

import re
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

LONGEST_PATTERN: Final = 300
"""Letters. A repetition counts once here and up to a thousand times in the work for each letter of an id."""

_LARGE_REPETITION: Final = re.compile(r"\{[0-9]{0,4},?[0-9]{5}|\{[0-9]{5}")
"""RE2 would take braces with such numbers for letters."""


class IdPatternError(ValueError):
    """A text is no pattern that can be matched in linear time; the message says why."""


def check_id_pattern(pattern: str) -> None:
    """Check that ids can be matched against a pattern.

    Raises:
        IdPatternError: If they cannot.

    Example:
        >>> check_id_pattern("(?=a)b")
        Traceback (most recent call last):
        evaluator.public.id_patterns.IdPatternError: invalid perl operator: (?=
    """
    if len(pattern) > LONGEST_PATTERN:
        raise IdPatternError(f"it has {len(pattern):,} letters; at most {LONGEST_PATTERN} are allowed")
    if found := _LARGE_REPETITION.search(pattern):
        raise IdPatternError(f"too many repetitions: {found[0]}")
    try:
        # By itself first: in brackets, "a)|(b" would be one.
        pc.match_substring_regex(pa.array([""]), pattern)
        pc.match_substring_regex(pa.array([""]), _whole(pattern))
    except (pa.ArrowInvalid, UnicodeEncodeError) as error:
        raise IdPatternError(str(error).removeprefix("Invalid regular expression: ")) from None


def match_ids(pattern: str, ids: pa.Array) -> NDArray[np.bool_]:
    r"""Which ids match a pattern as a whole.

    Args:
        pattern: One that `check_id_pattern` accepts, in RE2's syntax: ``\w`` and ``\d`` are ASCII.
        ids: (U,) texts without nulls.

    Returns:
        (U,) bool.

    Example:
        >>> match_ids("0|[1-9][0-9]*", pa.array(["7", "07", "7x"]))
        array([ True, False, False])
    """
    matched = pc.match_substring_regex(ids.cast(pa.string()), _whole(pattern))
    return np.asarray(matched.to_numpy(zero_copy_only=False), np.bool_)


def _whole(pattern: str) -> str:
    return rf"\A(?:{pattern})\z"
