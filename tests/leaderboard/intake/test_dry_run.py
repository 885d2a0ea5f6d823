"""A dry run says what an upload would be told, and keeps nothing."""

import io
import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.db import connection
from pytest_django import Settings

from leaderboard.intake import errors
from leaderboard.intake.dry_run import dry_run
from leaderboard.intake.slots import slot_of
from leaderboard.models import Split, Submission, User
from tests.board import run_file
from tests.cast import Cast, make_cast


def test_a_good_file_passes_and_nothing_is_kept(cast: Cast, split: Split, places: Path) -> None:
    outcome = dry_run(user=cast.alice, split=split, stream=io.BytesIO(run_file()))
    assert (outcome.status, outcome.problems_csv) == ("accepted", None)
    assert not [path for path in (places / "artefacts").rglob("*") if path.is_file()]
    assert not Submission.objects.exists()


def test_a_bad_file_is_told_its_problems(cast: Cast, split: Split) -> None:
    outcome = dry_run(user=cast.alice, split=split, stream=io.BytesIO(run_file(n_queries=10)))
    assert outcome.status == "rejected"
    assert outcome.report["groups"][0]["code"] == "query-missing"


def test_an_empty_file_says_zero_bytes(cast: Cast, split: Split) -> None:
    with pytest.raises(errors.EmptyFileError, match="0 bytes"):
        dry_run(user=cast.alice, split=split, stream=io.BytesIO(b""))


def test_a_dry_run_has_a_smaller_limit(cast: Cast, split: Split, settings: Settings) -> None:
    settings.DRY_RUN_LIMIT_BYTES = 10
    with pytest.raises(errors.FileTooLargeError):
        dry_run(user=cast.alice, split=split, stream=io.BytesIO(run_file()))


def test_a_missing_bundle_is_not_blamed_on_the_file(
    cast: Cast, split: Split, settings: Settings, tmp_path: Path
) -> None:
    settings.PUBLIC_ROOT = tmp_path / "elsewhere"
    with pytest.raises(errors.CheckUnavailableError, match="not the file's fault"):
        dry_run(user=cast.alice, split=split, stream=io.BytesIO(run_file()))


def test_a_file_that_takes_more_than_a_dry_run_may_is_not_called_wrong(
    cast: Cast, split: Split, settings: Settings
) -> None:
    settings.DRY_RUN_MEMORY_BYTES = 256 * 1024**2
    demanding = json.dumps({"00001": {"retrieved_items": ["x"] * 8_000_000}}).encode()
    with pytest.raises(errors.CheckTooLongError, match="Upload it"):
        dry_run(user=cast.alice, split=split, stream=io.BytesIO(demanding))


# ---- slots ----


def elsewhere(act: Callable[[], object]) -> str:
    """What comes of it in another session of the database."""

    def attempt() -> str:
        try:
            act()
        except errors.IntakeError as error:
            return error.code
        finally:
            connection.close()
        return "taken"

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(attempt).result()


def take_slot(user: User) -> None:
    with slot_of(user):
        pass


@pytest.mark.django_db(transaction=True)
def test_one_person_has_one_check_at_a_time() -> None:
    cast = make_cast()
    with slot_of(cast.alice):
        assert elsewhere(lambda: take_slot(cast.alice)) == "check-busy"
        assert elsewhere(lambda: take_slot(cast.bob)) == "taken"
    assert elsewhere(lambda: take_slot(cast.alice)) == "taken"


@pytest.mark.django_db(transaction=True)
def test_the_server_has_few_slots_in_all(settings: Settings) -> None:
    settings.DRY_RUN_SLOTS = 1
    cast = make_cast()
    with slot_of(cast.alice):
        assert elsewhere(lambda: take_slot(cast.bob)) == "check-busy"
    assert elsewhere(lambda: take_slot(cast.bob)) == "taken"


@pytest.mark.django_db(transaction=True)
def test_a_slot_is_free_again_when_its_holder_is_cut_off() -> None:
    cast = make_cast()

    def cut_off() -> None:
        with slot_of(cast.alice):
            assert connection.connection is not None
            connection.connection.pgconn.finish()
            raise errors.EmptyFileError

    assert elsewhere(cut_off) == "empty-file"
    # The database notices the end of a connection a moment later.
    deadline = time.monotonic() + 10
    while elsewhere(lambda: take_slot(cast.alice)) != "taken":
        assert time.monotonic() < deadline


@pytest.mark.django_db(transaction=True)
def test_a_dry_run_without_a_slot_is_told_to_try_again(tmp_path: Path) -> None:
    cast = make_cast()

    def check() -> None:
        dry_run(user=cast.alice, split=Split(), stream=io.BytesIO(b"{}"))

    with slot_of(cast.alice):
        assert elsewhere(check) == "check-busy"
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
