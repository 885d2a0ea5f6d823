"""The broker holds no state: whatever happens to it, uploads are taken and scored."""

import shutil
import signal
import time

from leaderboard.models import Submission
from tests.flow.board_stack import BoardStack, assert_scored_exactly_once

ANSWER_WITHIN_S = 2.0


def test_work_whose_messages_are_lost_is_woken_again(server: BoardStack) -> None:
    server.stack.stop("control", "score")
    submissions = [server.upload() for _ in range(2)]
    server.stack.kill("valkey", signal.SIGKILL)
    empty_the_broker(server)
    server.heal()
    await_all(server, submissions)


def test_an_upload_is_taken_and_scored_although_the_broker_is_down(server: BoardStack) -> None:
    server.stack.kill("valkey", signal.SIGKILL)
    begun = time.monotonic()
    submission = server.upload()
    assert time.monotonic() - begun < ANSWER_WITHIN_S
    empty_the_broker(server)
    server.heal()
    await_all(server, [submission])


def test_an_upload_does_not_wait_for_a_broker_that_hangs(server: BoardStack) -> None:
    server.group("valkey", signal.SIGSTOP)
    begun = time.monotonic()
    submission = server.upload()
    elapsed_s = time.monotonic() - begun
    server.group("valkey", signal.SIGCONT)
    assert elapsed_s < ANSWER_WITHIN_S
    await_all(server, [submission])


def test_the_broker_is_lost_while_work_is_being_done(server: BoardStack) -> None:
    submission = server.upload()
    server.await_work(submission, Submission)
    server.stack.kill("valkey", signal.SIGKILL)
    empty_the_broker(server)
    server.heal()
    await_all(server, [submission])


def empty_the_broker(server: BoardStack) -> None:
    for kept in server.stack.places.valkey.iterdir():
        shutil.rmtree(kept)


def await_all(server: BoardStack, submissions: list[Submission]) -> None:
    for submission in submissions:
        server.await_scored(submission, within_s=2 * server.lease_s + 20)
        assert_scored_exactly_once(submission, server.split)
