"""`cirboard submit` and `cirboard status` against a real server."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from pytest_django.live_server_helper import LiveServer

from evaluator.cli import main
from leaderboard.models import Split, Submission, TokenScope, Visibility, issue_token
from tests.board import run_file
from tests.cast import Cast
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
