"""The supervisor as a person runs it: one real process, ended by Ctrl-C, by ``kill -9``, or losing a child."""

import os
import pwd
import re
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import psutil
import pytest

from leaderboard.local.applications import PROJECT
from leaderboard.local.errors import DataDirectoryError
from leaderboard.local.identity import Identity
from leaderboard.local.services import processes_in
from leaderboard.local.stack import temporary_data_directory

UP_WITHIN_S = 90.0
GONE_WITHIN_S = 15.0
SERVICES = {"postgres", "valkey-server"}


class Supervisor:
    """``python -m leaderboard.local ACTION`` and what it prints."""

    def __init__(self, data: Path, action: str) -> None:
        self.data = data
        command = [sys.executable, "-m", "leaderboard.local", "--data", str(data), action, "--port", "0"]
        self.popen = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.popen.stdout is not None
        self.said = ""
        for line in self.popen.stdout:
            self.said += line
            if "Ctrl-C stops everything" in line:
                break

    @property
    def url(self) -> str:
        found = re.search(r"http://\S+", self.said)
        assert found is not None, self.said
        return found[0]

    def family(self) -> list[psutil.Process]:
        return psutil.Process(self.popen.pid).children(recursive=True)

    def child(self, name: str) -> psutil.Process:
        """The direct child whose command line has ``name`` in it."""
        return next(p for p in psutil.Process(self.popen.pid).children() if name in " ".join(p.cmdline()))

    def end(self, sig: signal.Signals) -> list[psutil.Process]:
        """Send a signal to the supervisor alone; returns who of its family is still there."""
        family = self.family()
        self.popen.send_signal(sig)
        self.popen.communicate(timeout=30)
        return psutil.wait_procs(family, timeout=GONE_WITHIN_S)[1]


@pytest.fixture
def data() -> Iterator[Path]:
    with temporary_data_directory() as folder:
        yield folder


@pytest.fixture
def supervise(data: Path) -> Iterator[Callable[[str], Supervisor]]:
    started: list[Supervisor] = []

    def start(action: str) -> Supervisor:
        started.append(Supervisor(data, action))
        return started[-1]

    yield start
    for supervisor in started:
        supervisor.popen.send_signal(signal.SIGTERM)
        supervisor.popen.communicate(timeout=30)


def await_that(condition: Callable[[], bool], within_s: float = UP_WITHIN_S) -> None:
    deadline = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize("sig", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda sig: sig.name)
def test_ending_the_supervisor_leaves_no_process(
    supervise: Callable[[str], Supervisor], data: Path, sig: signal.Signals
) -> None:
    supervisor = supervise("services")
    assert {process.name() for process in supervisor.family()} == SERVICES
    assert supervisor.end(sig) == []
    assert processes_in(data / "postgres") == []


def test_being_asked_to_stop_is_no_failure(supervise: Callable[[str], Supervisor]) -> None:
    supervisor = supervise("services")
    supervisor.end(signal.SIGINT)
    assert supervisor.popen.returncode == 0


def test_it_starts_again_at_once_after_being_killed(supervise: Callable[[str], Supervisor]) -> None:
    supervise("services").popen.kill()
    again = supervise("services")
    assert {process.name() for process in again.family()} == SERVICES


def test_a_second_one_on_the_same_data_says_so_and_exits(supervise: Callable[[str], Supervisor]) -> None:
    first, second = supervise("services"), supervise("services")
    _, complaint = second.popen.communicate(timeout=30)
    assert second.popen.returncode == 1
    assert f"already running on {first.data} (process {first.popen.pid}, services only)" in complaint


@pytest.mark.parametrize("name", ["valkey-server", "postgres"])
def test_a_killed_service_is_started_again(supervise: Callable[[str], Supervisor], name: str) -> None:
    supervisor = supervise("services")
    killed = supervisor.child(name)
    killed.kill()
    await_that(lambda: any(p.name() == name and p != killed for p in psutil.Process(supervisor.popen.pid).children()))


def test_it_ends_with_the_process_that_called_it(data: Path) -> None:
    command = f"{sys.executable} -m leaderboard.local --data {data} services --stop-with-parent; true"
    caller = subprocess.Popen(["/bin/sh", "-c", command], stdout=subprocess.PIPE, text=True)
    assert caller.stdout is not None
    assert any("Ctrl-C stops everything" in line for line in caller.stdout)
    family = psutil.Process(caller.pid).children(recursive=True)
    caller.kill()
    caller.communicate()
    assert psutil.wait_procs(family, timeout=GONE_WITHIN_S)[1] == []


@pytest.mark.skipif(os.geteuid() != 0, reason="the other tests here already ran as an ordinary user")
def test_an_ordinary_user_can_run_it_too(data: Path) -> None:
    user = Identity("nobody", *pwd.getpwnam("nobody")[2:4], dropped=True)
    interpreter = Path(sys.executable).resolve()
    try:
        user.check_can_reach(interpreter)
        user.check_can_reach(PROJECT)
    except DataDirectoryError:
        pytest.skip("this interpreter lies where an ordinary user may not go")
    run_services_as(user, interpreter, data / "theirs")


def run_services_as(user: Identity, interpreter: Path, data: Path) -> None:
    user.own(data)
    code = (
        "from pathlib import Path; from leaderboard.local.stack import Stack; import psutil\n"
        f"with Stack(Path({str(data)!r}), durable=False) as stack:\n"
        "    print({psutil.Process(pid).username() for pid in stack.pids.values()})"
    )
    path = os.pathsep.join([str(PROJECT), sysconfig.get_path("purelib")])
    environment = {"PATH": os.defpath, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [interpreter, "-c", code], check=False, env=environment, capture_output=True, text=True, **user.change_of_user
    )
    assert done.stdout == "{'nobody'}\n", done.stderr


class TestTheWholeServer:
    """Web, workers and beat as well; slower, so each test does more."""

    def test_killing_it_leaves_no_process_and_the_next_start_keeps_the_data(
        self, supervise: Callable[[str], Supervisor]
    ) -> None:
        first = supervise("serve")
        assert httpx.get(first.url).status_code < 500
        assert len(first.family()) > len(("postgres", "valkey", "web", "control", "score", "beat"))
        assert first.end(signal.SIGKILL) == []
        secrets = (first.data / "secrets.json").read_bytes()
        second = supervise("serve")
        assert httpx.get(second.url).status_code < 500
        assert (first.data / "secrets.json").read_bytes() == secrets
        assert second.end(signal.SIGINT) == []

    @pytest.mark.parametrize("name", ["gunicorn", "control@", "score@"])
    def test_a_killed_process_takes_its_children_along_and_comes_back(
        self, supervise: Callable[[str], Supervisor], name: str
    ) -> None:
        supervisor = supervise("serve")
        killed = supervisor.child(name)
        children = killed.children()
        assert children
        killed.kill()
        assert psutil.wait_procs(children, timeout=GONE_WITHIN_S)[1] == []
        await_that(lambda: any(name in " ".join(p.cmdline()) and p != killed for p in supervisor.family()))
        assert httpx.get(supervisor.url, timeout=UP_WITHIN_S).status_code < 500
