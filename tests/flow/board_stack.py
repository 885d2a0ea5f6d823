"""A whole server of real processes, into whose database the test looks and uploads directly."""

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import psutil
from django.conf import settings
from django.db import DatabaseError, connection
from django.test import override_settings
from pytest_django import DjangoDbBlocker
from redis.exceptions import RedisError

from leaderboard.intake.receive import receive
from leaderboard.local.deathsig import tie_to_this_process
from leaderboard.local.process import ManagedProcess
from leaderboard.local.stack import Stack, temporary_data_directory
from leaderboard.models import AuditEvent, Evaluation, EvaluationStatus, Score, Split, Submission
from leaderboard.settings import database_settings
from tests.board import run_file, write_board
from tests.cast import Cast, make_cast

WORKERS = ("postgres", "valkey", "control", "score", "beat")
POLL_S = 0.01
FINISHED = (EvaluationStatus.SCORED, EvaluationStatus.FAILED, EvaluationStatus.CANCELLED)


@dataclass(frozen=True)
class BoardStack:
    """A running server with one generated benchmark."""

    stack: Stack
    cast: Cast
    split: Split
    run: bytes
    lease_s: float

    def with_bundle(self, bundle: Path, run: bytes) -> "BoardStack":
        """The same server seen through another benchmark, which is installed."""
        self.stack.manage("install_benchmark", str(bundle), sealed=True)
        return replace(self, split=Split.objects.latest("pk"), run=run)

    def upload(self, content: bytes | None = None) -> Submission:
        """Upload a run of alice's."""
        return receive(
            user=self.cast.alice,
            split=self.split,
            method=self.cast.method,
            stream=io.BytesIO(self.run if content is None else content),
            file_name="run.json",
        )

    def await_scored(self, submission: Submission, within_s: float) -> None:
        """Wait until every protocol is scored, with a supervisor at work as on any server.

        Celery's own worker may end when two things fail at once: one whose pool child was just killed does when it
        then reconnects to the broker.
        """

        def is_there() -> bool:
            self.start_ended()
            return is_scored(submission)

        self.await_state(is_there, within_s, lambda: describe(submission))

    def await_state(self, reached: Callable[[], bool], within_s: float, state: Callable[[], str] = str) -> None:
        """Look again and again, also while the database is away."""
        deadline = time.monotonic() + within_s
        while not survive(reached):
            assert time.monotonic() < deadline, f"not within {within_s} s: {state()}\n{self.logs()}"
            time.sleep(POLL_S)

    def await_work(self, submission: Submission, kind: type[Submission] | type[Evaluation]) -> None:
        """Wait until a worker is in the middle of checking or scoring it."""
        field = "pk" if kind is Submission else "submission"
        rows = kind.objects.filter(**{field: submission.pk}, status=kind.WORKING)
        self.await_state(rows.exists, 30, lambda: describe(submission))

    def group(self, name: str, sig: signal.Signals) -> None:
        """Send a signal to a process and its children alike."""
        os.killpg(self.stack.pids[name], sig)

    def children(self, name: str) -> list[psutil.Process]:
        """The pool of a worker."""
        return psutil.Process(self.stack.pids[name]).children()

    def await_end(self, name: str) -> None:
        """Wait until a process has ended."""
        self.await_state(lambda: name not in self.stack.pids, 20)

    def start_ended(self) -> list[ManagedProcess]:
        """Start what has ended, as the supervisor would."""
        ended = [self.stack.running[name] for name in WORKERS if name not in self.stack.pids]
        for process in ended:
            process.start()
        return ended

    def heal(self) -> None:
        """Start what has ended, and wait until it answers."""
        for process in self.start_ended():
            self.await_state(process.recipe.is_ready, 30)

    def log(self, name: str) -> str:
        """All that a process has logged."""
        return self.stack.running[name].log.read_text()

    def logs(self) -> str:
        """The ends of the workers' logs, for a failing test's reader."""
        return "\n".join(f"--- {name}\n{process.last_lines(25)}" for name, process in self.stack.running.items())

    @contextmanager
    def another_worker(self, queue: str) -> Iterator[subprocess.Popen[bytes]]:
        """One more worker of a queue, as a second host would run it."""
        command = [sys.executable, "-m", "celery", "-A", "leaderboard.celery", "worker", "-Q", queue, "-c", "1"]
        with (self.stack.places.logs / f"another-{queue}.log").open("wb") as log:
            worker = subprocess.Popen(
                [*command, "-n", f"another-{queue}@%h", "--without-gossip", "--without-mingle"],
                env=self.stack.environment(sealed=queue == "score"),
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=tie_to_this_process(signal.SIGKILL),  # noqa: PLW1509 - one prctl call, resolved beforehand
            )
        try:
            yield worker
        finally:
            os.killpg(worker.pid, signal.SIGKILL)
            worker.wait()


def survive(look: Callable[[], bool]) -> bool:
    try:
        return look()
    except DatabaseError:
        connection.close()
        return False
    except RedisError:
        return False


def is_scored(submission: Submission) -> bool:
    statuses = list(Evaluation.objects.filter(submission=submission).values_list("status", flat=True))
    return bool(statuses) and all(status == EvaluationStatus.SCORED for status in statuses)


def describe(submission: Submission) -> str:
    submission.refresh_from_db()
    evaluations = submission.evaluations.values_list("protocol", "status", "n_attempts", "failure")
    return f"{submission.status} after {submission.n_attempts} attempts, {list(evaluations)}, {submission.failure}"


def assert_scored_exactly_once(submission: Submission, split: Split) -> None:
    """One evaluation per protocol, each score once, one line in the record for each, and all numbers there."""
    evaluations = list(Evaluation.objects.filter(submission=submission))
    assert sorted(e.protocol for e in evaluations) == sorted(p["name"] for p in split.manifest["protocols"])
    for evaluation in evaluations:
        assert evaluation.status == EvaluationStatus.SCORED
        event = AuditEvent.objects.get(action="scored", target_id=str(evaluation.pk))
        assert Score.objects.filter(evaluation=evaluation).count() == event.after["n_scores"] > 0
    assert AuditEvent.objects.filter(action="accepted", target_id=str(submission.pk)).count() == 1


@contextmanager
def board_stack(
    blocker: DjangoDbBlocker, *, lease_s: int, n_queries: int, n_images: int = 2000
) -> Iterator[BoardStack]:
    """Start everything but the web, with a generated benchmark installed and the cast signed up."""
    with temporary_data_directory() as folder:
        environment = {"CIRBOARD_LEASE_S": str(lease_s)}
        with Stack(folder, WORKERS, extra_environment=environment) as stack:
            write_board(folder / "bundle", n_queries=n_queries, n_images=n_images)
            stack.manage("install_benchmark", str(folder / "bundle"), sealed=True)
            with blocker.unblock(), connected_to(stack):
                cast, split = make_cast(), Split.objects.get()
            yield BoardStack(stack, cast, split, run_file(n_queries, n_images), lease_s)


@contextmanager
def connected_to(stack: Stack) -> Iterator[None]:
    """Have this process look into the stack's database, broker and folders, as its web process would."""
    environment = stack.environment()
    before = dict(connection.settings_dict)
    connection.close()
    connection.settings_dict.update(database_settings(environment["CIRBOARD_DATABASE_URL"]))
    try:
        with override_settings(
            BROKER_URL=environment["CIRBOARD_BROKER_URL"],
            PUBLIC_ROOT=Path(environment["CIRBOARD_PUBLIC_ROOT"]),
            ARTEFACTS_ROOT=Path(environment["CIRBOARD_ARTEFACTS_ROOT"]),
            LEASE_S=int(environment.get("CIRBOARD_LEASE_S", settings.LEASE_S)),
        ):
            yield
    finally:
        connection.close()
        connection.settings_dict.clear()
        connection.settings_dict.update(before)
