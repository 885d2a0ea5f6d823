"""The whole server, or a part of it, in one data directory.

    with Stack(data_dir, processes=EVERYTHING) as stack:
        httpx.get(stack.base_url)
        stack.kill("score", signal.SIGKILL)
        stack.restart("score")

Start it from the main thread: its processes get their death signal when the starting thread ends. As root the data
directory must be reachable for the account that runs PostgreSQL, which pytest's ``tmp_path`` is not:
``temporary_data_directory()`` is.
"""

import contextlib
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from leaderboard.local.applications import HOST, PROJECT, Applications, listen
from leaderboard.local.errors import LocalProfileError
from leaderboard.local.places import Lock, Places
from leaderboard.local.process import ManagedProcess, Recipe
from leaderboard.local.services import Services
from leaderboard.local.step import Step

SERVICES = ("postgres", "valkey")
APPLICATIONS = ("web", "control", "score", "beat")
EVERYTHING = (*SERVICES, *APPLICATIONS)
# Those who use a service end before it does.
STOPPING_ORDER = (("beat", "web", "control", "score"), ("valkey", "postgres"))


def applications_of(
    places: Places,
    *,
    durable: bool = True,
    extra_environment: Mapping[str, str] | None = None,
    listener: socket.socket | None = None,
) -> Applications:
    """The applications of one data directory, started or not."""
    known = places.read_or_draw_secrets()
    services = Services(places, known["database_password"], durable)
    return Applications(places, services, known["secret_key"], extra_environment or {}, listener)


def in_silence(_line: str) -> None:
    """Report nothing."""


class Stack:
    """Processes by name, started in dependency order and ended with the context.

    Args:
        data_dir: Where everything is kept; made if missing. Its lock is held while the stack is up.
        processes: Which of EVERYTHING to start on entering. Applications bring the services and a migration with them.
        port: The web process's port, or the next free one; 0 for any.
        extra_environment: Added to the environment of every application, for instance a shorter lease.
        durable: False spares waiting for the disk, for tests.
        report: Told in a line what is being done.
    """

    def __init__(
        self,
        data_dir: Path,
        processes: Sequence[str] = SERVICES,
        *,
        port: int = 0,
        extra_environment: Mapping[str, str] | None = None,
        durable: bool = True,
        report: Callable[[str], None] = in_silence,
    ) -> None:
        unknown = set(processes) - set(EVERYTHING)
        if unknown:
            raise ValueError(f"no such process: {sorted(unknown)}; there are {EVERYTHING}")
        self.places = Places(data_dir.absolute())
        self.running: dict[str, ManagedProcess] = {}
        self._wanted = tuple(processes)
        self._port = port
        self._extra_environment = dict(extra_environment or {})
        self._durable = durable
        self._report = report
        self._resources = contextlib.ExitStack()
        self._recipes: dict[str, Recipe] = {}

    def __enter__(self) -> Self:
        with self._resources:
            self.places.create()
            self.lock: Lock = self._resources.enter_context(self.places.locked())
            self.places.draw_signing_key()
            self._resources.callback(self._stop_everything)
            listener = self._resources.enter_context(listen(self._port)) if "web" in self._wanted else None
            self.applications = applications_of(
                self.places, durable=self._durable, extra_environment=self._extra_environment, listener=listener
            )
            self._start_wanted()
            self._resources = self._resources.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._resources.close()

    @property
    def pids(self) -> dict[str, int]:
        """The process id of each running process. Celery's and gunicorn's children are below it."""
        return {name: process.pid for name, process in self.running.items() if process.pid is not None}

    @property
    def base_url(self) -> str:
        """The web process's address, without a slash at the end."""
        if self.applications.listener is None:
            raise LocalProfileError("this stack has no web process")
        return f"http://{HOST}:{self.applications.listener.getsockname()[1]}"

    def environment(self, sealed: bool = False) -> dict[str, str]:
        """What an application's process is told; with ``sealed``, what the score worker is told."""
        return self.applications.environment(sealed)

    def start(self, *names: str) -> None:
        """Start these together and wait until each answers."""
        for name in names:
            recipe = self._recipes.get(name) or self.applications.recipe(name)
            self.running[name] = ManagedProcess(recipe, self.places.logs / f"{name}.log")
            self.running[name].start()
        for name in names:
            self.running[name].wait_until_ready()

    def kill(self, name: str, sig: signal.Signals = signal.SIGKILL) -> None:
        """Send a signal to one process; after SIGKILL it is gone on return."""
        self.running[name].send(sig)

    def stop(self, *names: str) -> None:
        """Ask these to stop together, and enforce it."""
        stopping = [self.running[name] for name in names if name in self.running]
        for process in stopping:
            process.ask_to_stop()
        begun = time.monotonic()
        for process in stopping:
            process.wait_until_stopped(process.recipe.stop_within_s - (time.monotonic() - begun))

    def restart(self, name: str) -> None:
        """Stop one process if it still runs, and start it again."""
        self.stop(name)
        self.start(name)

    def manage(self, *arguments: str, sealed: bool = False) -> str:
        """Run a management command; returns what it printed."""
        return self.run_python("django", *arguments, sealed=sealed)

    def run_python(self, module: str, *arguments: str, sealed: bool = False) -> str:
        """Run ``python -m module`` with the applications' environment; returns what it printed.

        Raises:
            StepError: With its last lines, if it fails.
        """
        return self.begin(module, *arguments, sealed=sealed).finish()

    def begin(self, module: str, *arguments: str, sealed: bool = False) -> Step:
        """The same without waiting."""
        return Step((sys.executable, "-m", module, *arguments), PROJECT, self.environment(sealed))

    def _start_wanted(self) -> None:
        self._report("Starting PostgreSQL and Valkey")
        self._recipes = {recipe.name: recipe for recipe in self.applications.services.recipes()}
        applications = [name for name in APPLICATIONS if name in self._wanted]
        self.start(*(SERVICES if applications else [name for name in SERVICES if name in self._wanted]))
        if "postgres" in self.running:
            self.applications.services.create_database()
        if applications:
            self._report("Bringing the database's tables up to date")
            steps = [("migrate", "--no-input"), *([("collectstatic", "--no-input")] if "web" in applications else [])]
            for step in [self.begin("django", *step) for step in steps]:
                step.finish()
            self._report("Starting " + ", ".join(applications))
            self.start(*applications)

    def _stop_everything(self) -> None:
        for names in STOPPING_ORDER:
            self.stop(*names)
        self.places.remove_outer_sockets()


@contextlib.contextmanager
def temporary_data_directory() -> Iterator[Path]:
    """A short-named directory that the account running PostgreSQL may pass through, removed afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="cirboard-"))
    try:
        folder.chmod(0o711)
        yield folder
    finally:
        shutil.rmtree(folder)
