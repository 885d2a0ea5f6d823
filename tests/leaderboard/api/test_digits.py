"""The commands print as many digits as the server tells."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from pytest_django.live_server_helper import LiveServer

from evaluator.cli import main
from evaluator.public.rounding import rounded_for
from leaderboard.models import Score, Split, TokenScope, issue_token
from tests.cast import Cast
from tests.leaderboard.held_out import exact_numbers, submit, told_exactly


def test_the_command_prints_the_digits_that_were_told(
    cast: Cast, install: Callable[[str], Split], places: Path, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    split = install("held_out")
    submission = submit(cast, split, places, 1, public=False)
    _, key = issue_token(cast.alice, "laptop", TokenScope.READ)
    monkeypatch.setenv("CIRBOARD_TOKEN", key)
    monkeypatch.setenv("CIRBOARD_SERVER", live_server.url)
    done = CliRunner().invoke(main, ["status", str(submission.pk)])
    value = Score.objects.get(evaluation__protocol="official", axis="", metric="mAP@10").value
    told = rounded_for(split.rules.display, {"value": value})["value"]
    assert f"mAP@10 {told:.4f}, 95% interval" in done.output
    assert told_exactly(done.output, exact_numbers(split)) == []
