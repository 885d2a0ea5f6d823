"""Pages of benchmarks whose runs have several files, parts, or whole galleries say what these ask and give."""

import gzip
import html
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings

from evaluator.importers.bundle_writer import BundleParts, write_bundle
from evaluator.importers.cirr import read_cirr
from evaluator.importers.domain_conversion import read_domain_conversion
from evaluator.importers.fashioniq import read_fashioniq
from evaluator.importers.genecis import read_genecis
from evaluator.importers.icir import read_icir
from leaderboard.models import Split, Submission
from leaderboard.web.examples import example_of
from tests.cast import Cast
from tests.evaluator.small_sources import (
    CIRR_ENTRIES,
    cirr_run,
    fashioniq_run,
    write_cirr,
    write_fashioniq,
    write_genecis,
)
from tests.leaderboard.really_scored import scored_file

READ: dict[str, Callable[[Path], BundleParts]] = {
    "cirr": lambda folder: read_cirr(write_cirr(folder), "val"),
    "fashioniq": lambda folder: read_fashioniq(write_fashioniq(folder), "val", "original"),
    "genecis": lambda folder: read_genecis(write_genecis(folder), "change_object"),
}
Installed = Callable[[str], Split]
Scored = Callable[[Split, str, list[str]], Submission]


@pytest.fixture
def installed(db: None, places: Path, settings: Settings, signing_key: Path) -> Installed:  # noqa: ARG001 - as in conftest
    """Install a benchmark made of small official files."""
    return lambda name: put_in(READ[name](places / "source"), places, settings)


@pytest.fixture
def scored(cast: Cast, places: Path) -> Scored:
    """Score a run of these files' contents and make it public."""

    def score(split: Split, name: str, contents: list[str]) -> Submission:
        files = [places / f"{number}.json" for number in range(len(contents))]
        for file, content in zip(files, contents, strict=True):
            file.write_text(content)
        return scored_file(cast, split, places / "bundle", files, name, public=True)

    return score


def page(address: str) -> str:
    """The text of a page, blanks made one."""
    response = Client().get(address)
    assert response.status_code == 200, address
    text = re.sub(r"<svg.*?</svg>|<[^>]+>", " ", response.content.decode(), flags=re.DOTALL)
    return re.sub(r"\s+", " ", html.unescape(text))


def test_cirr_counts_pairs_and_says_both_lengths(installed: Installed) -> None:
    split = installed("cirr")
    assert split.n_queries == len(CIRR_ENTRIES)
    said = page("/b/cirr/how-to-submit/")
    assert "All 3 queries in 2 parts: lists over the whole gallery (metric recall): exactly 50 images each" in said
    assert "exactly 3 images each" in said
    assert "up to 2 files in one zip" in said
    assert "cirboard submit cirr run.zip --split val" in said
    assert "not allowed in the lists of their queries" in page("/b/cirr/protocol/")


def test_an_example_of_cirr_is_both_files_without_the_reference(installed: Installed) -> None:
    first, second = example_of(installed("cirr")).content.split("\n\n")
    assert '"metric": "recall",' in first
    assert '"metric": "recall_subset",' in second
    for file in (first, second):
        assert '"12": [' in file
        assert f'"{CIRR_ENTRIES[0]["reference"]}"' not in file


def test_an_example_of_fashioniq_is_the_first_entry_of_each_category(installed: Installed) -> None:
    example = example_of(installed("fashioniq"))
    assert example.content.count('"candidate"') == 3
    assert [line for line in example.content.splitlines() if line.endswith(":")] == ["dress:", "shirt:", "toptee:"]
    assert example.rule == "All 9 queries, exactly 50 images each, best first, each image once."


def test_an_example_of_genecis_is_an_order_that_does_not_put_the_target_first(installed: Installed) -> None:
    example = example_of(installed("genecis"))
    order = json.loads(example.content.splitlines()[0].removeprefix("[ ").rstrip(","))
    assert sorted(order) == list(range(len(order)))
    assert order[0] != 0
    assert "each list orders its query's whole gallery" in example.rule


def test_a_run_without_a_part_has_no_zero_in_its_place(installed: Installed, scored: Scored) -> None:
    split = installed("cirr")
    run = {metric: json.dumps(content) for metric, content in cirr_run().items()}
    scored(split, "whole", list(run.values()))
    subset = scored(split, "subset", [run["recall_subset"]])
    table = json.loads(Client().get("/b/cirr/leaderboard.json").content)["rows"]
    assert [(row["method"], row["rank"]) for row in table] == [("whole", 1), ("subset", None)]
    assert table[1]["metrics"]["recall@1"]["value"] is None
    assert table[1]["not_ranked_because"].startswith("There are no lists over the whole gallery")
    said = page(f"/s/{subset.pk}/")
    assert "No R@1 can be given for these lists. This row is shown without a rank." in said
    assert "Intervals draw whole units anew: set of similar images (2)." in said
    assert "n/a R@1" in page("/")
    assert "n/a R@1 %" not in page("/")


def test_a_run_without_the_other_part_is_ranked_and_last_where_it_has_no_value(
    installed: Installed, scored: Scored
) -> None:
    split = installed("cirr")
    run = {metric: json.dumps(content) for metric, content in cirr_run().items()}
    scored(split, "alone", [run["recall"]])
    scored(split, "whole", list(run.values()))
    for sort in ("-recall_subset_at_1", "recall_subset_at_1"):
        table = json.loads(Client().get(f"/b/cirr/leaderboard.json?sort={sort}").content)["rows"]
        assert [(row["method"], row["rank"]) for row in table] == [("whole", 1), ("alone", 1)]


def test_an_uploaded_order_of_genecis_is_shown_below_and_never_ranked(installed: Installed, scored: Scored) -> None:
    split = installed("genecis")
    example = json.loads(example_of(split).content.splitlines()[0].removeprefix("[ ").rstrip(","))
    scored(split, "order", [json.dumps([example] * split.n_queries)])
    said = page(f"/b/{split.version.benchmark.slug}/")
    assert "Shown, not ranked: The right answer can be read off the benchmark's own files" in said
    assert "No row is ranked." in said
    assert "Uploaded results are shown without a rank" in page("/")


def test_fashioniqs_protocol_is_named_and_its_slices_have_addresses(installed: Installed, scored: Scored) -> None:
    split = installed("fashioniq")
    scored(split, "three", [json.dumps(entries) for entries in fashioniq_run().values()])
    said = page("/b/fashioniq/?slice=category:dress")
    assert "by the protocol original_split" in said
    assert "on dress queries" in said


@pytest.mark.django_db
def test_an_example_of_i_cir_has_whole_ids_with_bars_and_slashes(
    shared: Path, places: Path, settings: Settings
) -> None:
    split = put_in(read_icir(shared / "golden/icir"), places, settings)
    run = json.loads(gzip.decompress((shared / "golden/icir/perfect.rankings.json.gz").read_bytes()))
    example = example_of(split)
    assert sum(f"{json.dumps(query)}: [" in example.content for query in run) == 2
    assert example.title == "i-CIR JSON"


@pytest.mark.django_db
def test_an_example_of_domain_conversion_stands_under_its_pair(shared: Path, places: Path, settings: Settings) -> None:
    split = put_in(read_domain_conversion(shared / "data/domain_conversion/ltll", "ltll"), places, settings)
    example = example_of(split)
    assert example.content.startswith('{"rankings": {\n  "Today-->Archive": {\n    "ltll/New/')
    assert example.title == "Domain conversion JSON"


def put_in(parts: BundleParts, places: Path, settings: Settings) -> Split:
    """Install what an importer read."""
    settings.SEALED_ROOT = places / "sealed"
    write_bundle(places / "bundle", parts)
    call_command("install_benchmark", str(places / "bundle"), verbosity=0)
    return Split.objects.get()
