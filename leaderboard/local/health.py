"""Ask each process whether it serves: by its own protocol, never by waiting a while."""

import http.client
import socket

import psycopg
import redis
from celery import Celery
from kombu.exceptions import OperationalError

ANSWER_WITHIN_S = 2.0


def postgres_answers(url: str) -> bool:
    """Whether a query with the real password succeeds."""
    try:
        with psycopg.connect(url, connect_timeout=2) as connection:
            return connection.execute("SELECT 1").fetchone() == (1,)
    except psycopg.OperationalError:
        return False


def valkey_answers(socket_path: str) -> bool:
    """Whether it answers PING, which it refuses while it still loads its log."""
    client = redis.Redis(unix_socket_path=socket_path, socket_timeout=ANSWER_WITHIN_S)
    try:
        return bool(client.ping())
    except redis.RedisError:
        return False
    finally:
        client.close()


def web_answers(port: int) -> bool:
    """Whether the front page comes without a server error."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWER_WITHIN_S)
    try:
        connection.request("GET", "/")
        return connection.getresponse().status < http.HTTPStatus.INTERNAL_SERVER_ERROR
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def worker_answers(broker_url: str, name: str) -> bool:
    """Whether the worker ``name`` of this host answers Celery's ping, so that it takes tasks."""
    node = f"{name}@{socket.gethostname()}"
    # Without fixups, because Celery's one for Django would import the settings into this process.
    with Celery(broker=broker_url, set_as_current=False, fixups=[]) as app, app.connection_for_write() as connection:
        # Celery's pool of producers outlives the application, and with it connections to a broker that has restarted.
        app.control.mailbox.producer_pool = None  # type: ignore[attr-defined]  # celery-types lacks it
        try:
            return bool(app.control.ping(destination=[node], timeout=0.5, connection=connection))
        except (OperationalError, redis.RedisError):  # The broker itself is away.
            return False
