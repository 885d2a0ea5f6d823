"""What a server answers may hold anything."""

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from click.testing import CliRunner

from evaluator.cli import main
from evaluator.cli.board import TROUBLE

ANSWERS = {
    "list": b"[1]",
    "text": b'"x"',
    "deep": b"[" * 100_000 + b"]" * 100_000,
    "no-json": b"\x1b]0;x\x07",
    "message": b'{"message": "\\u001b]0;x\\u0007\\u202e", "remedy": "\\u009b2J", "fields": {"\\u001b[2J": ["\\u0007"]}}',
    "fields-list": b'{"message": "no", "fields": ["x"]}',
}


@pytest.fixture
def server_that_answers(monkeypatch):
    """Start a server that refuses every request with the given bytes; returns nothing, the environment names it."""
    servers = []

    def start(content):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(400)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        server = HTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        servers.append((server, thread))
        monkeypatch.setenv("CIRBOARD_SERVER", f"http://127.0.0.1:{server.server_port}")
        monkeypatch.setenv("CIRBOARD_TOKEN", "t")

    yield start
    for server, thread in servers:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_that_is_not_a_boards_is_an_error_in_words(server_that_answers, name):
    server_that_answers(ANSWERS[name])
    result = CliRunner().invoke(main, ["status"])
    assert isinstance(result.exception, SystemExit), repr(result.exception)
    assert result.exit_code == TROUBLE
    assert all(letter.isprintable() or letter == "\n" for letter in result.output)
