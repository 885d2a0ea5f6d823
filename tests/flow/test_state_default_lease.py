"""With the lease that servers run with, recovery takes no longer than two of them."""

import signal
import time
from collections.abc import Iterator

import pytest
from django.conf import settings
from pytest_django import DjangoDbBlocker

from leaderboard.models import Evaluation
from tests.flow.board_stack import BoardStack, assert_scored_exactly_once, board_stack, connected_to


@pytest.fixture
def server_as_shipped(django_db_blocker: DjangoDbBlocker) -> Iterator[BoardStack]:
    with (
        board_stack(django_db_blocker, lease_s=settings.LEASE_S, n_queries=6000) as board,
        django_db_blocker.unblock(),
        connected_to(board.stack),
    ):
        yield board


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
