"""A worker that is killed costs one lease, and no submission."""

import signal

import pytest

from leaderboard.models import Evaluation, Submission
from tests.flow.board_stack import BoardStack, assert_scored_exactly_once

LANES = [("control", Submission), ("score", Evaluation)]


@pytest.mark.parametrize(("worker", "kind"), LANES)
def test_work_of_a_killed_worker_is_done_by_the_next(
    worker: str, kind: type[Submission] | type[Evaluation], server: BoardStack
) -> None:
    submission = server.upload()
    server.await_work(submission, kind)
    server.stack.kill(worker, signal.SIGKILL)
    server.heal()
    server.await_scored(submission, within_s=2 * server.lease_s + 10)
    assert_scored_exactly_once(submission, server.split)
    assert needed_attempts(submission, kind) == 2


@pytest.mark.parametrize(("worker", "kind"), LANES)
def test_work_of_a_killed_child_of_the_pool_is_done_by_another(
    worker: str, kind: type[Submission] | type[Evaluation], server: BoardStack
) -> None:
    submission = server.upload()
    server.await_work(submission, kind)
    for child in server.children(worker):
        child.kill()
    server.await_scored(submission, within_s=2 * server.lease_s + 10)
    assert_scored_exactly_once(submission, server.split)
    assert needed_attempts(submission, kind) == 2


def test_a_killed_sweeper_leaves_neither_a_child_nor_a_second_schedule_behind(server: BoardStack) -> None:
    children = server.children("beat")
    assert len(children) >= 2
    server.stack.kill("beat", signal.SIGKILL)
    server.await_state(lambda: not any(child.is_running() for child in children), 5)
    server.heal()
    server.await_scored(server.upload(), within_s=20)


def test_a_killed_worker_leaves_no_child_behind(server: BoardStack) -> None:
    submission = server.upload()
    server.await_work(submission, Evaluation)
    children = server.children("score")
    server.stack.kill("score", signal.SIGKILL)
    server.await_state(lambda: not any(child.is_running() for child in children), 5)
    server.heal()
    server.await_scored(submission, within_s=2 * server.lease_s + 10)


def needed_attempts(submission: Submission, kind: type[Submission] | type[Evaluation]) -> int:
    if kind is Submission:
        submission.refresh_from_db()
        return submission.n_attempts
    return max(Evaluation.objects.filter(submission=submission).values_list("n_attempts", flat=True))
