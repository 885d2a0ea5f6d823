"""The example of a run is one of the benchmark that the page is about."""

import html

import pytest
from django.test import Client

from leaderboard.models import Split
from leaderboard.web.examples import example_of
from tests.board import image_id, query_id


def test_an_example_has_the_benchmarks_own_ids(split: Split) -> None:
    content = example_of(split).content
    assert content.startswith(f'{{\n  "{query_id(0)}": {{"retrieved_items": [\n    "{image_id(0)}",')
    assert query_id(1) in content
    assert query_id(2) not in content


def test_an_example_of_an_organisers_own_benchmark_is_an_object_of_lists(split: Split) -> None:
    split.manifest = {**split.manifest, "run_format": "lists"}
    assert example_of(split).content.startswith(f'{{\n  "{query_id(0)}": ["{image_id(0)}", ')


@pytest.mark.usefixtures("split")
def test_the_page_about_submitting_shows_it() -> None:
    assert f'"{image_id(0)}"' in html.unescape(Client().get("/b/board/how-to-submit/").content.decode())
