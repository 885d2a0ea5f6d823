"""PostgreSQL may be restarted, gently or not, in the middle of any work."""

import signal

import pytest

from leaderboard.models import Evaluation, Submission
from tests.flow.board_stack import BoardStack, assert_scored_exactly_once


@pytest.mark.parametrize("kind", [Submission, Evaluation])
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["fast", "immediate"])
def test_a_restart_in_the_middle_of_work_loses_nothing(
    how: signal.Signals, kind: type[Submission] | type[Evaluation], server: BoardStack
) -> None:
    submission = server.upload()
    server.await_work(submission, kind)
    server.stack.kill("postgres", how)
    server.await_end("postgres")
    server.heal()
    server.await_scored(submission, within_s=2 * server.lease_s + 20)
    assert_scored_exactly_once(submission, server.split)
