"""A message is sent when the row is committed; that it cannot be sent fails nothing."""

import logging
from collections.abc import Iterator
from uuid import uuid4

import pytest
import redis
from django.db import transaction
from pytest_django import Settings

from leaderboard.local.stack import Stack
from leaderboard.queue.wake import send, wake_check, wake_scoring


@pytest.fixture
def broker(services: Stack) -> Iterator[redis.Redis]:
    client = redis.Redis(unix_socket_path=str(services.places.sockets / "services/valkey.sock"))
    client.flushdb()
    yield client
    client.flushdb()
    client.close()


@pytest.mark.django_db(transaction=True)
def test_each_kind_of_work_goes_to_its_own_worker(broker: redis.Redis) -> None:
    wake_check(uuid4())
    wake_scoring(uuid4())
    wake_scoring(uuid4())
    assert (broker.llen("control"), broker.llen("score")) == (1, 2)


@pytest.mark.django_db(transaction=True)
def test_nothing_is_sent_before_the_commit_and_nothing_after_a_rollback(broker: redis.Redis) -> None:
    with transaction.atomic():
        wake_check(uuid4())
        assert broker.llen("control") == 0
    assert broker.llen("control") == 1
    with pytest.raises(ZeroDivisionError):
        wake_and_fail()
    assert broker.llen("control") == 1


@transaction.atomic
def wake_and_fail() -> None:
    wake_check(uuid4())
    raise ZeroDivisionError


@pytest.mark.django_db(transaction=True)
def test_a_dead_broker_is_logged_and_fails_nothing(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    settings.BROKER_URL = "redis+socket:///nowhere/valkey.sock?virtual_host=0"
    wake_check(uuid4())
    with caplog.at_level(logging.WARNING):
        assert not send("check_run", submission_id="x")
    assert "the sweeper will send it" in caplog.text
