"""Text that people write and others read: what is not seen in it could pass one name off as another."""

import unicodedata

from django.core.exceptions import ValidationError

# Control, format (bidirectional, zero width), surrogate, line and paragraph separators.
INVISIBLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}
LINE_SPACE = {"\t", "\n", "\r"}


def check_name(text: str) -> None:
    """Refuse invisible characters in a line of text.

    Raises:
        ValidationError: It names them.
    """
    found = sorted({character for character in text if unicodedata.category(character) in INVISIBLE})
    if found:
        codes = ", ".join(f"U+{ord(character):04X}" for character in found[:5])
        raise ValidationError(f"Control characters and invisible characters cannot be used here: {codes}.")


def check_lines(text: str) -> None:
    """Refuse invisible characters in text of several lines.

    Raises:
        ValidationError: It names them.
    """
    check_name("".join(character for character in text if character not in LINE_SPACE))
