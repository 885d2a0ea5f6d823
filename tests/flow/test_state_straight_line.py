"""An upload becomes scores, with nothing in its way."""

from collections.abc import Iterator

import pytest
from pytest_django import DjangoDbBlocker

from tests.flow.board_stack import BoardStack, assert_scored_exactly_once, board_stack


@pytest.fixture(scope="module")
def server(django_db_blocker: DjangoDbBlocker) -> Iterator[BoardStack]:
    with django_db_blocker.unblock(), board_stack(lease_s=15, n_queries=40) as server:
        yield server


def test_an_upload_is_scored(server: BoardStack) -> None:
    submission = server.upload()
    server.await_scored(submission, within_s=20)
    assert_scored_exactly_once(submission, server.split)
