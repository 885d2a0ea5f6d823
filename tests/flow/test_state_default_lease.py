"""With the lease that servers run with, recovery takes no longer than two of them."""

import signal
import time

from leaderboard.models import Evaluation
from tests.flow.board_stack import BoardStack, assert_scored_exactly_once


def test_a_killed_scorer_costs_less_than_two_leases(server_as_shipped: BoardStack) -> None:
    server = server_as_shipped
    assert server.lease_s == 15
    submission = server.upload()
    server.await_work(submission, Evaluation)
    server.stack.kill("score", signal.SIGKILL)
    server.heal()
    recovered_at = time.monotonic()
    server.await_scored(submission, within_s=2 * server.lease_s)
    assert time.monotonic() - recovered_at < 2 * server.lease_s
    assert_scored_exactly_once(submission, server.split)
