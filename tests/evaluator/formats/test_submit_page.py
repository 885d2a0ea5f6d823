"""docs/submit.md shows every format, with an example that is read as what it is."""

import json
import re
from pathlib import Path

import pytest

from evaluator.formats.generic import GENERIC
from evaluator.formats.read import FORMATS
from evaluator.formats.shapes import look_at

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "submit.md").read_text(encoding="utf-8")
OFFICIAL, GENERAL = (
    PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0] for title in ("Official formats", "Formats for every benchmark")
)
EXAMPLES = dict(re.findall(r"^\*\*(.+?)\*\*:.*?^```json\n(.*?)^```$", OFFICIAL, re.MULTILINE | re.DOTALL))
OWN = "An organiser's own benchmark"


def test_every_official_format_has_an_example():
    families = {entry.family for entry in FORMATS.values()} - {"lists"}
    assert {title.lower() for title in EXAMPLES} == {family.lower() for family in families} | {OWN.lower()}


@pytest.mark.parametrize("title", [title for title in EXAMPLES if title != OWN])
def test_an_example_looks_like_its_benchmark(title):
    look = look_at(json.loads(EXAMPLES[title]))
    assert look is not None
    assert look.family.lower() == title.lower()


def test_every_benchmark_has_a_row_that_says_what_a_list_holds():
    rows = set(re.findall(r"^\| ([^|]+) \| [^|]+ \| [^|]+ \|$", OFFICIAL, re.MULTILINE))
    assert rows >= {entry.family for entry in FORMATS.values()} - {"lists"}


def test_every_format_for_all_is_shown():
    names = {"npz": "NumPy", "parquet": "Parquet", "jsonl": "JSON lines", "trec": "TREC run"}
    assert names.keys() == {entry.name for entry in GENERIC}
    assert all(f"**{name}" in GENERAL for name in names.values())


def test_the_examples_of_text_formats_are_told_from_their_content():
    examples = re.findall(r"^```(?:text|json)\n(.*?)^```$", GENERAL, re.MULTILINE | re.DOTALL)
    told = [next((entry.name for entry in GENERIC if entry.matches(text.encode())), None) for text in examples]
    assert {"trec", "jsonl"} <= set(told)


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page):
    text = page.read_text(encoding="utf-8")
    for target, _, anchor in (link.partition("#") for link in re.findall(r"\]\(([^):]*)\)", text)):
        other = (page.parent / target) if target else page
        assert other.exists(), target
        if anchor:
            titles = re.findall(r"^#+ (.+)$", other.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}, anchor
