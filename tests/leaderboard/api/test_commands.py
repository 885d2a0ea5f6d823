"""`cirboard submit` and `cirboard status` against a real server."""

import gzip
import json
import zipfile
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from django.core.management import call_command
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from evaluator.cli import main
from evaluator.cli.packing import pack
from evaluator.importers.bundle_writer import write_bundle
from evaluator.importers.cirr import read_cirr
from leaderboard.models import Split, Submission, TokenScope, Visibility, issue_token
from leaderboard.storage import artefacts
from tests.board import run_file
from tests.cast import Cast
from tests.evaluator.small_sources import cirr_run, write_cirr
from tests.leaderboard.scored import scored
from tests.leaderboard.submissions import submission_in

OK, REFUSED, USAGE, TROUBLE = 0, 1, 2, 3


@pytest.fixture
def run(tmp_path: Path) -> str:
    file = tmp_path / "run.json"
    file.write_bytes(run_file())
    return str(file)


@pytest.fixture
def cirboard(cast: Cast, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> CliRunner:
    """The command as alice runs it, told by the environment which server and which token."""
    _, key = issue_token(cast.alice, "laptop", TokenScope.SUBMIT)
    monkeypatch.setenv("CIRBOARD_SERVER", live_server.url)
    monkeypatch.setenv("CIRBOARD_TOKEN", key)
    return CliRunner()


def submit(cirboard: CliRunner, *arguments: str) -> Result:
    return cirboard.invoke(main, ["submit", "board", *arguments])


@pytest.mark.usefixtures("split")
def test_a_run_is_sent_with_its_description(cirboard: CliRunner, run: str) -> None:
    done = submit(cirboard, run, "--method", "Looking Glass", "--backbone", "CLIP", "--year", "2026", "--json")
    assert done.exit_code == OK, done.output
    answer = json.loads(done.stdout)
    submission = Submission.objects.get(pk=answer["id"])
    assert (submission.file_name, submission.method.backbone) == ("run.json", "CLIP")
    assert answer["page"].endswith(f"/s/{submission.pk}/")


@pytest.mark.usefixtures("split")
def test_a_dry_run_says_whether_the_file_can_be_scored(cirboard: CliRunner, run: str, tmp_path: Path) -> None:
    assert submit(cirboard, run, "--dry-run").exit_code == OK
    bad = tmp_path / "bad.json"
    bad.write_text("{}")
    done = submit(cirboard, str(bad), "--dry-run")
    assert done.exit_code == REFUSED
    assert "query-missing" in done.output
    assert not Submission.objects.exists()


@pytest.mark.usefixtures("split")
def test_the_servers_error_is_told_with_its_remedy(cirboard: CliRunner, run: str) -> None:
    done = cirboard.invoke(main, ["submit", "nothing", run, "--method", "m"])
    assert done.exit_code == TROUBLE
    assert "use one of: board" in done.output


@pytest.mark.usefixtures("split")
def test_a_faulty_field_is_named(cirboard: CliRunner, run: str) -> None:
    done = submit(cirboard, run, "--method", "m", "--paradigm", "magic")
    assert done.exit_code == TROUBLE
    assert "paradigm" in done.output


def test_what_is_missing_is_a_matter_of_usage(cirboard: CliRunner, run: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert submit(cirboard, run).exit_code == USAGE
    monkeypatch.delenv("CIRBOARD_TOKEN")
    without_token = submit(cirboard, run, "--method", "m")
    assert (without_token.exit_code, "/my/tokens/" in without_token.output) == (USAGE, True)
    monkeypatch.delenv("CIRBOARD_SERVER")
    assert submit(cirboard, run, "--method", "m").exit_code == USAGE


def test_a_server_that_is_away_is_told_so(cirboard: CliRunner, run: str) -> None:
    done = submit(cirboard, run, "--method", "m", "--server", "http://127.0.0.1:1")
    assert done.exit_code == TROUBLE
    assert "could not be asked" in done.output


def test_status_lists_and_describes(cirboard: CliRunner, cast: Cast, split: Split) -> None:
    submission = scored(cast, split, "a", {"mAP@10": 0.5}, visibility=Visibility.PRIVATE)
    listed = cirboard.invoke(main, ["status"])
    assert str(submission.pk) in listed.output
    one = cirboard.invoke(main, ["status", str(submission.pk), "--wait", "--json"])
    assert one.exit_code == OK
    assert json.loads(one.stdout)["evaluations"][0]["status"] == "scored"


def test_status_of_a_refused_file_exits_with_1(cirboard: CliRunner, cast: Cast, split: Split) -> None:
    submission = submission_in(cast, split, "rejected")
    assert cirboard.invoke(main, ["status", str(submission.pk)]).exit_code == REFUSED


def test_what_strangers_wrote_cannot_command_the_terminal(cirboard: CliRunner, cast: Cast, split: Split) -> None:
    scored(cast, split, "ev\x1b]0;pwned\x07\u202eil", {"mAP@10": 0.5})
    done = cirboard.invoke(main, ["status"])
    assert r"ev\u001b]0;pwned\u0007\u202eil" in done.output
    assert not {"\x1b", "\x07", "\u202e"} & set(done.output)


@pytest.mark.usefixtures("split")
def test_more_files_than_a_run_has_are_a_matter_of_usage(cirboard: CliRunner, run: str) -> None:
    done = submit(cirboard, run, run, "--method", "m")
    assert done.exit_code == USAGE
    assert "a run in PinPoint's format has at most 1 file, and 2 were named" in done.output
    assert not Submission.objects.exists()


def test_several_files_arrive_as_one_zip(cirboard: CliRunner, places: Path, settings: Settings) -> None:
    settings.SEALED_ROOT = places / "sealed"
    write_bundle(places / "bundle", read_cirr(write_cirr(places / "source"), "val"))
    call_command("install_benchmark", str(places / "bundle"), verbosity=0)
    files = [places / f"{metric}.json.gz" for metric in cirr_run()]
    for file, content in zip(files, cirr_run().values(), strict=True):
        file.write_bytes(gzip.compress(json.dumps(content).encode()))
    checked = cirboard.invoke(main, ["submit", "cirr", *map(str, files), "--dry-run"])
    assert checked.exit_code == OK, checked.output
    digests = set()
    for _ in range(2):
        done = cirboard.invoke(main, ["submit", "cirr", *map(str, files), "--method", "m", "--json"])
        assert done.exit_code == OK, done.output
        submission = Submission.objects.get(pk=json.loads(done.stdout)["id"])
        digests.add(submission.artefact_digest)
        with zipfile.ZipFile(artefacts.path(submission.artefact_digest)) as archive:
            assert archive.namelist() == ["1.json", "2.json"]
            assert json.loads(archive.read("1.json")) == cirr_run()["recall"]
    assert len(digests) == 1


def test_a_damaged_one_of_several_files_is_named(tmp_path: Path) -> None:
    (tmp_path / "cut.json.gz").write_bytes(gzip.compress(run_file())[:100])
    with pytest.raises(click.UsageError, match=r"cut\.json\.gz: The gzip data ends too early\."):
        pack([tmp_path / "cut.json.gz"], tmp_path / "run.zip")
