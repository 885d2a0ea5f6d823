"""Servers of real processes that the tests of this folder share."""

from collections.abc import Iterator

import pytest
from django.conf import settings
from pytest_django import DjangoDbBlocker

from tests.flow.board_stack import BoardStack, board_stack, connected_to

LEASE_S = 3


@pytest.fixture(scope="session")
def board_of_processes(django_db_blocker: DjangoDbBlocker) -> Iterator[BoardStack]:
    """A server with short leases, and a benchmark large enough that checking and scoring take a while."""
    with board_stack(django_db_blocker, lease_s=LEASE_S, n_queries=6000) as board:
        yield board


@pytest.fixture(scope="session")
def board_as_shipped(django_db_blocker: DjangoDbBlocker) -> Iterator[BoardStack]:
    """A server with the lease that servers run with."""
    with board_stack(django_db_blocker, lease_s=settings.LEASE_S, n_queries=6000) as board:
        yield board


@pytest.fixture
def server_as_shipped(board_as_shipped: BoardStack, django_db_blocker: DjangoDbBlocker) -> Iterator[BoardStack]:
    """That server, with every process running again after the test."""
    with django_db_blocker.unblock(), connected_to(board_as_shipped.stack):
        yield board_as_shipped
        board_as_shipped.heal()


@pytest.fixture
def server(board_of_processes: BoardStack, django_db_blocker: DjangoDbBlocker) -> Iterator[BoardStack]:
    """That server, with every process running again after the test."""
    with django_db_blocker.unblock(), connected_to(board_of_processes.stack):
        yield board_of_processes
        board_of_processes.heal()
