"""CIRBoard's own processes, and the environment that tells them where everything is."""

import os
import socket
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from leaderboard.local import gunicorn_conf
from leaderboard.local.health import web_answers, worker_answers
from leaderboard.local.identity import invoking_user
from leaderboard.local.places import Places
from leaderboard.local.process import Recipe
from leaderboard.local.services import Services

HOST = "127.0.0.1"
PROJECT = Path(__file__).resolve().parents[2]
# One of them for other teams while one team's file is checked, since a team has one check at a time.
CONTROL_SLOTS = 2
REMEDY = "The lines above say why. If a package is missing: make clean, then make demo."


@dataclass(frozen=True)
class Applications:
    """The four processes of CIRBoard: web, control, score, beat."""

    places: Places
    services: Services
    secret_key: str
    extra_environment: Mapping[str, str]
    listener: socket.socket | None

    def environment(self, sealed: bool = False) -> dict[str, str]:
        """Ours for a child process. Only with ``sealed`` does it say where ground truth and signing key are."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("CIRBOARD_", "PG"))}
        ours = {
            "CIRBOARD_PROFILE": "local",
            "CIRBOARD_DEBUG": "0",
            "CIRBOARD_DATA": str(self.places.data),
            "CIRBOARD_DATABASE_URL": self.services.database_url(),
            "CIRBOARD_BROKER_URL": self.services.broker_url,
            "CIRBOARD_CACHE_URL": self.services.cache_url,
            "CIRBOARD_SECRET_KEY": self.secret_key,
            "CIRBOARD_PUBLIC_ROOT": str(self.places.public),
            "CIRBOARD_ARTEFACTS_ROOT": str(self.places.artefacts),
            "CIRBOARD_STATIC_ROOT": str(self.places.static),
            "CIRBOARD_ALLOWED_HOSTS": "127.0.0.1,localhost",
            "DJANGO_SETTINGS_MODULE": "leaderboard.settings",
            "PYTHONUNBUFFERED": "1",
            # Two BLAS threads per process on a busy two-core machine made some steps ten times slower.
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
        }
        if sealed:
            ours["CIRBOARD_SEALED_ROOT"] = str(self.places.sealed)
            ours["CIRBOARD_SIGNING_KEY"] = str(self.places.signing_key)
        if self.listener is not None:
            ours["CIRBOARD_ADDRESS"] = f"http://{HOST}:{self.listener.getsockname()[1]}"
        return inherited | ours | dict(self.extra_environment)

    def recipe(self, name: str) -> Recipe:
        """How to start the process ``name``."""
        makers: dict[str, Callable[[], Recipe]] = {
            "web": self._web,
            "control": lambda: self._worker("control", CONTROL_SLOTS),
            "score": lambda: self._worker("score", 1),
            "beat": self._beat,
        }
        return makers[name]()

    def _web(self) -> Recipe:
        if self.listener is None:
            raise ValueError("the web process needs a listening socket")
        descriptor, port = self.listener.fileno(), self.listener.getsockname()[1]
        arguments = ("--config", gunicorn_conf.__file__, "--bind", f"fd://{descriptor}", "leaderboard.wsgi")
        # The supervisor holds the listening socket, so that a restarted web process keeps its address.
        return self._python(
            "web",
            ("gunicorn", *arguments),
            lambda: web_answers(port),
            descriptors=(descriptor,),
            environment={"CIRBOARD_DATABASE_POOL": "1"},  # Threads share connections; a forking worker cannot.
        )

    def _worker(self, name: str, n_slots: int, queue: str = "", more: tuple[str, ...] = ()) -> Recipe:
        arguments = (
            *("-A", "leaderboard.celery", "worker", "-Q", queue or name, "--hostname", f"{name}@%h", *more),
            *("--concurrency", str(n_slots), "--loglevel", "INFO", "--without-gossip", "--without-mingle"),
        )
        broker_url = self.services.broker_url
        return self._python(name, ("celery", *arguments), lambda: worker_answers(broker_url, name))

    def _beat(self) -> Recipe:
        """The schedule, and the sweeper in a worker of its own: recovery waits for no check and no scoring."""
        schedule = self.places.sockets / "beat-schedule"
        worker = self._worker("beat", 1, queue="sweep", more=("--beat", "--schedule", str(schedule)))
        # The schedule is a child that has nothing to ask. It is up once it has written its file.
        return replace(worker, is_ready=lambda: _beat_has_written(schedule) and worker.is_ready())

    def _python(
        self,
        name: str,
        module: tuple[str, ...],
        is_ready: Callable[[], bool],
        descriptors: tuple[int, ...] = (),
        environment: Mapping[str, str] | None = None,
    ) -> Recipe:
        return Recipe(
            name=name,
            command=(sys.executable, "-m", *module),
            environment=self.environment(sealed=name == "score") | dict(environment or {}),
            user=invoking_user(),
            folder=PROJECT,
            is_ready=is_ready,
            remedy=REMEDY,
            descriptors=descriptors,
        )


def _beat_has_written(schedule: Path) -> bool:
    # The dbm backend decides the suffix.
    return any(schedule.parent.glob(schedule.name + "*"))


def listen(first_port: int) -> socket.socket:
    """Take ``first_port`` or the next free one (0: any)."""
    for port in range(first_port, first_port + 100) if first_port else (0,):
        try:
            return socket.create_server((HOST, port), backlog=256)
        except OSError:
            continue
    raise OSError(f"no free port from {first_port} to {first_port + 99}")
