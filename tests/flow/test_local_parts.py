"""Parts of the local profile that need no running service."""

import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from leaderboard.local import process
from leaderboard.local.applications import HOST, listen
from leaderboard.local.furniture import Notes
from leaderboard.local.identity import invoking_user
from leaderboard.local.places import default_data_directory
from leaderboard.local.process import ManagedProcess, Recipe
from leaderboard.local.supervisor import FIRST_PAUSE_S, LONGEST_PAUSE_S, WELL_AFTER_S, Patience


def recipe_for(*command: str, ready_within_s: float = 30.0) -> Recipe:
    return Recipe(
        name="example",
        command=command,
        environment={"PATH": "/usr/bin:/bin"},
        user=invoking_user(),
        folder=Path("/"),
        is_ready=lambda: False,
        remedy="Do something about it.",
        ready_within_s=ready_within_s,
        stop_within_s=0.2,
    )


def test_pauses_grow_to_a_limit_while_a_process_keeps_ending() -> None:
    patience = Patience()
    pauses = []
    for now in range(20):
        patience.note_end(float(now))
        pauses.append(patience.due_at - now)
        patience.note_start(float(now))
    assert pauses[:3] == [FIRST_PAUSE_S, 2 * FIRST_PAUSE_S, 4 * FIRST_PAUSE_S]
    assert pauses[-1] == LONGEST_PAUSE_S


def test_a_process_that_was_well_for_long_is_started_again_soon() -> None:
    patience = Patience(pause_s=LONGEST_PAUSE_S, started_at=0.0)
    patience.note_end(WELL_AFTER_S + 1)
    assert patience.due_at == WELL_AFTER_S + 1 + FIRST_PAUSE_S


def test_a_taken_port_is_passed_over() -> None:
    with socket.create_server((HOST, 0)) as taken:
        port = taken.getsockname()[1]
        with listen(port) as listener:
            assert port < listener.getsockname()[1] < port + 100


def test_the_data_directory_follows_one_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CIRBOARD_DATA", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere/data")
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert default_data_directory() == Path("/somewhere/data/cirboard")
    monkeypatch.setattr("os.geteuid", lambda: 0)
    assert default_data_directory() == Path("/var/lib/cirboard")
    monkeypatch.setenv("CIRBOARD_DATA", "/srv/board")
    assert default_data_directory() == Path("/srv/board")


def test_a_silent_process_is_given_up_with_its_last_lines(tmp_path: Path) -> None:
    silent = ManagedProcess(
        recipe_for("/bin/sh", "-c", "echo waiting; exec sleep 60", ready_within_s=0.5), tmp_path / "log"
    )
    silent.start()
    with pytest.raises(process.ProcessError, match=r"(?s)gave no answer within.*waiting.*Do something about it"):
        silent.wait_until_ready()
    silent.ask_to_stop()
    silent.wait_until_stopped(5)
    assert silent.pid is None


def test_a_process_that_ignores_the_request_is_ended_all_the_same(tmp_path: Path) -> None:
    deaf = ManagedProcess(
        recipe_for("/bin/sh", "-c", "trap '' TERM; echo deaf; while :; do sleep 60; done"), tmp_path / "log"
    )
    deaf.start()
    while "deaf" not in deaf.last_lines():
        assert deaf.pid is not None
    begun = time.monotonic()
    deaf.ask_to_stop()
    deaf.wait_until_stopped(deaf.recipe.stop_within_s)
    assert deaf.ending == "was ended by SIGKILL"
    assert time.monotonic() - begun < 5


def test_a_full_log_is_moved_aside_while_its_writer_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "LOG_LIMIT_BYTES", 10)
    go_on = tmp_path / "go-on"
    script = f"echo a first long line; while [ ! -e {go_on} ]; do sleep 0.05; done; echo then"
    writer = ManagedProcess(recipe_for("/bin/sh", "-c", script), tmp_path / "log")
    writer.start()
    while not writer.last_lines():
        assert writer.pid is not None
    writer.cap_log()
    go_on.touch()
    writer.wait_until_stopped(5)
    assert (tmp_path / "log.1").read_text() == "a first long line\n"
    assert (tmp_path / "log").read_text() == "then\n"


def test_what_was_done_once_is_not_done_again(tmp_path: Path) -> None:
    path = tmp_path / "demo.json"
    assert Notes(path).once("accounts", lambda: {"a": 1}) == {"a": 1}
    assert Notes(path).once("accounts", lambda: {"a": 2}) == {"a": 1}
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_management_command_without_a_server_says_what_to_start(tmp_path: Path) -> None:
    data = tmp_path / "nothing"
    command = [sys.executable, "-m", "leaderboard.local", "--data", str(data), "manage", "check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "make demo, or make serve" in done.stderr
    assert "Traceback" not in done.stderr
    assert not data.exists()
