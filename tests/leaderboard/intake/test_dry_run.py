"""A dry run says what an upload would be told, and keeps nothing."""

import io
from pathlib import Path

import pytest
from pytest_django import Settings

from leaderboard.intake import errors
from leaderboard.intake.dry_run import dry_run
from leaderboard.models import Split, Submission
from tests.board import run_file


def test_a_good_file_passes_and_nothing_is_kept(split: Split, places: Path) -> None:
    outcome = dry_run(split=split, stream=io.BytesIO(run_file()))
    assert (outcome.status, outcome.problems_csv) == ("accepted", None)
    assert not [path for path in (places / "artefacts").rglob("*") if path.is_file()]
    assert not Submission.objects.exists()


def test_a_bad_file_is_told_its_problems(split: Split) -> None:
    outcome = dry_run(split=split, stream=io.BytesIO(run_file(n_queries=10)))
    assert outcome.status == "rejected"
    assert outcome.report["groups"][0]["code"] == "query-missing"


def test_an_empty_file_says_zero_bytes(split: Split) -> None:
    with pytest.raises(errors.EmptyFileError, match="0 bytes"):
        dry_run(split=split, stream=io.BytesIO(b""))


def test_a_dry_run_has_a_smaller_limit(split: Split, settings: Settings) -> None:
    settings.DRY_RUN_LIMIT_BYTES = 10
    with pytest.raises(errors.FileTooLargeError):
        dry_run(split=split, stream=io.BytesIO(run_file()))


def test_a_missing_bundle_is_not_blamed_on_the_file(split: Split, settings: Settings, tmp_path: Path) -> None:
    settings.PUBLIC_ROOT = tmp_path / "elsewhere"
    with pytest.raises(errors.CheckUnavailableError, match="not the file's fault"):
        dry_run(split=split, stream=io.BytesIO(run_file()))
