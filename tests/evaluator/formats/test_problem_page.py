"""docs/problems.md explains every code, and no other."""

import re
from pathlib import Path

import evaluator.formats
from evaluator.formats.kinds import KINDS

PAGE = Path(__file__).parents[3] / "docs" / "problems.md"
SOURCE = Path(evaluator.formats.__file__).parent


def test_the_page_has_one_section_for_each_code():
    assert re.findall(r"^### `([a-z0-9-]+)`", PAGE.read_text(encoding="utf-8"), re.MULTILINE) == list(KINDS)


def test_the_page_says_for_each_code_whether_it_refuses_the_file():
    sections = re.split(r"^### ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    for code, section in zip(KINDS, sections, strict=True):
        assert ("*Warning.*" in section) == (KINDS[code].severity == "warning"), code


def test_every_code_can_be_reported():
    source = "".join(path.read_text(encoding="utf-8") for path in SOURCE.glob("*.py") if path.name != "kinds.py")
    assert [code for code in KINDS if f'"{code}"' not in source] == []


def test_titles_count_in_words_that_fit():
    for code, kind in KINDS.items():
        assert kind.title(1)[0].isupper() or kind.title(1)[0].isdecimal(), code
        assert not kind.title(2).endswith("."), code
        assert kind.remedy.endswith("."), code
