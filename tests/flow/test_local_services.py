"""PostgreSQL and Valkey of the local profile, as real processes in a directory of their own."""

import os
import signal
import stat
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest
import redis

from leaderboard.local.errors import AlreadyRunningError, DataDirectoryError, ProcessError, StepError
from leaderboard.local.services import processes_in
from leaderboard.local.stack import Stack, temporary_data_directory

only_as_root = pytest.mark.skipif(os.geteuid() != 0, reason="root's services run as another account; others' do not")


@pytest.fixture(scope="module")
def stack() -> Iterator[Stack]:
    with temporary_data_directory() as folder, Stack(folder) as running:
        yield running


@pytest.fixture
def database(stack: Stack) -> Iterator[psycopg.Connection]:
    with psycopg.connect(stack.environment()["CIRBOARD_DATABASE_URL"], autocommit=True) as connection:
        yield connection


def broker(stack: Stack) -> redis.Redis:
    return redis.Redis(unix_socket_path=str(stack.applications.services.valkey_socket))


def test_the_database_is_ours_and_speaks_utf8(database: psycopg.Connection) -> None:
    row = database.execute("SELECT current_database(), pg_encoding_to_char(encoding) FROM pg_database LIMIT 1")
    assert row.fetchone() == ("cirboard", "UTF8")


def test_a_wrong_password_is_refused(stack: Stack) -> None:
    url = stack.environment()["CIRBOARD_DATABASE_URL"]
    password = url.split(":")[2].split("@")[0]
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(url.replace(password, "guessed"))


def test_neither_service_listens_on_the_network(stack: Stack) -> None:
    assert all(psutil.Process(pid).net_connections("inet") == [] for pid in stack.pids.values())


def test_only_the_score_worker_is_told_where_the_ground_truth_is(stack: Stack) -> None:
    told = {
        name: stack.applications.recipe(name).environment.get("CIRBOARD_SEALED_ROOT")
        for name in ("control", "score", "beat")
    }
    assert told == {"control": None, "score": str(stack.places.sealed), "beat": None}
    assert stat.S_IMODE(stack.places.sealed.stat().st_mode) == 0o700


def test_secrets_are_private_and_stay_the_same(stack: Stack) -> None:
    assert stat.S_IMODE((stack.places.data / "secrets.json").stat().st_mode) == 0o600
    assert stack.places.read_or_draw_secrets() == stack.places.read_or_draw_secrets()


def test_a_committed_row_outlives_a_killed_postgresql(stack: Stack) -> None:
    with psycopg.connect(stack.environment()["CIRBOARD_DATABASE_URL"]) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept (what text)")
        connection.execute("INSERT INTO kept VALUES ('a score')")
    stack.kill("postgres", signal.SIGKILL)
    assert "postgres" not in stack.pids
    stack.restart("postgres")
    with psycopg.connect(stack.environment()["CIRBOARD_DATABASE_URL"]) as connection:
        assert connection.execute("SELECT what FROM kept").fetchone() == ("a score",)


def test_a_queued_message_outlives_a_killed_broker(stack: Stack) -> None:
    with broker(stack) as client:
        client.set("message", "kept")
    stack.kill("valkey", signal.SIGKILL)
    stack.restart("valkey")
    with broker(stack) as client:
        assert client.get("message") == b"kept"


def test_a_stopped_process_can_still_be_ended(stack: Stack) -> None:
    frozen = psutil.Process(stack.pids["valkey"])
    stack.kill("valkey", signal.SIGSTOP)
    stack.restart("valkey")
    assert not frozen.is_running()
    assert stack.pids["valkey"] != frozen.pid


def test_a_second_stack_on_the_same_data_is_refused(stack: Stack) -> None:
    with pytest.raises(AlreadyRunningError, match=f"already running on {stack.places.data} \\(process {os.getpid()}"):
        Stack(stack.places.data).__enter__()


def test_a_failing_command_shows_its_last_lines(stack: Stack) -> None:
    with pytest.raises(StepError, match=r"No module named leaderboard\.nowhere"):
        stack.run_python("leaderboard.nowhere")


@only_as_root
def test_roots_services_run_as_another_account(stack: Stack) -> None:
    assert all(psutil.Process(pid).uids().effective != 0 for pid in stack.pids.values())


@only_as_root
def test_a_directory_closed_to_that_account_is_refused_with_a_remedy(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    with pytest.raises(DataDirectoryError, match=r"is closed to the account .* CIRBOARD_DATA=/var/lib/cirboard"):
        Stack(tmp_path / "data").__enter__()


def test_leaving_the_stack_leaves_no_process() -> None:
    with temporary_data_directory() as folder:
        with Stack(folder, durable=False) as stack:
            started = [psutil.Process(pid) for pid in stack.pids.values()]
            assert processes_in(stack.places.postgres)
        assert not any(process.is_running() for process in started)
        assert processes_in(stack.places.postgres) == []


def test_a_long_path_gets_its_sockets_elsewhere() -> None:
    with temporary_data_directory() as folder:
        deep = folder / ("deep" * 30)
        with Stack(deep, durable=False) as stack:
            assert not stack.places.sockets.is_relative_to(deep)
            assert set(stack.pids) == {"postgres", "valkey"}
        assert not stack.places.sockets.exists()


def test_data_of_another_postgresql_version_are_left_alone() -> None:
    with temporary_data_directory() as folder:
        (folder / "postgres").mkdir()
        (folder / "postgres/PG_VERSION").write_text("9\n")
        with pytest.raises(DataDirectoryError, match="was made by PostgreSQL 9"):
            Stack(folder).__enter__()
        assert (folder / "postgres/PG_VERSION").read_text() == "9\n"


def test_a_process_that_cannot_start_shows_its_last_lines_and_a_remedy() -> None:
    with temporary_data_directory() as folder:
        with Stack(folder, durable=False) as stack:
            configuration = stack.places.postgres / "postgresql.conf"
        configuration.write_text("no_such_setting = 1\n")
        with pytest.raises(ProcessError, match=r"(?s)postgres ended with exit status 1.*no_such_setting.*move it away"):
            Stack(folder).__enter__()


def test_a_worker_is_found_again_after_its_broker_was_restarted() -> None:
    with temporary_data_directory() as folder, Stack(folder, ("control",), durable=False) as stack:
        before = stack.pids["control"]
        stack.restart("valkey")
        stack.restart("control")
        assert stack.pids["control"] != before
