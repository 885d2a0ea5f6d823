"""The board's API as the commands use it: where it is, who asks, and its errors in words."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import click
import httpx

from evaluator.formats.wording import plain

SERVER_VARIABLE = "CIRBOARD_SERVER"
TOKEN_VARIABLE = "CIRBOARD_TOKEN"  # noqa: S105 - the name of a variable, not a token
# Reading waits for as long as the server may check a file for a dry run.
TIMEOUT = httpx.Timeout(60.0, connect=10.0)
LOOK_AGAIN_S = (0.2, 0.5, 1.0, 2.0)
REFUSED, TROUBLE = 1, 3
DIGITS = 6

Json = dict[str, Any]


class BoardError(click.ClickException):
    """The server refused, or could not be reached. The exit code is 3; 1 is for a refused file alone."""

    exit_code = TROUBLE

    def __init__(self, message: str) -> None:
        super().__init__("\n".join(plain(line) for line in message.split("\n")))


@contextmanager
def board(server: str | None) -> Iterator[httpx.Client]:
    """A client of the server, with the token of the environment.

    Raises:
        click.UsageError: If the server or the token is not known.
    """
    address = (server or os.environ.get(SERVER_VARIABLE, "")).rstrip("/")
    if urlsplit(address).scheme not in {"http", "https"}:
        raise click.UsageError(f"name the server with --server or {SERVER_VARIABLE}, such as https://board.example.org")
    token = os.environ.get(TOKEN_VARIABLE, "")
    if not token:
        raise click.UsageError(f"set {TOKEN_VARIABLE} to an API token; make one at {address}/my/tokens/")
    headers = {"Authorization": f"Token {token}", "Accept": "application/json"}
    with httpx.Client(base_url=address, headers=headers, timeout=TIMEOUT) as client:
        yield client


def ask(request: Callable[[], httpx.Response]) -> Json:
    """The answer of the server as JSON.

    Raises:
        BoardError: If it cannot be reached, refuses, or does not answer as a board does.
    """
    try:
        response = request()
    except httpx.HTTPError as error:
        raise BoardError(f"the server could not be asked: {error or type(error).__name__}") from None
    answer = _object_in(response)
    if response.is_success and answer:
        return answer
    message = answer.get("message", f"the server answered {response.status_code}, and not as a board does")
    faulty = answer.get("fields")
    fields = (
        "".join(f"\n  {name}: {_in_words(faults)}" for name, faults in faulty.items())
        if isinstance(faulty, dict)
        else ""
    )
    remedy = f"\n{answer['remedy']}" if answer.get("remedy") else ""
    raise BoardError(f"{message}{fields}{remedy}")


def _object_in(response: httpx.Response) -> Json:
    """The JSON object that was answered, or an empty one if it is anything else."""
    try:
        answer = response.json()
    except (ValueError, RecursionError):
        return {}
    return answer if isinstance(answer, dict) else {}


def run_format_of(client: httpx.Client, benchmark: str, split: str) -> str:
    """Name of the official format of a benchmark's runs.

    Raises:
        BoardError: If there is no such benchmark or split.
    """
    splits = ask(lambda: client.get(f"/api/v1/benchmarks/{benchmark}/"))["splits"]
    for found in splits:
        if split in {"", found["name"]}:
            return str(found["manifest"]["run_format"])
    raise BoardError(f"{benchmark} has no split {split!r}; it has: {', '.join(found['name'] for found in splits)}")


def wait_until_done(client: httpx.Client, submission: Json) -> Json:
    """Look again, more and more rarely, until nothing is in work; what has ended stays as it is."""
    address = f"/api/v1/submissions/{submission['id']}/"
    pauses = iter(LOOK_AGAIN_S)
    pause = LOOK_AGAIN_S[0]
    while submission["in_work"]:
        pause = next(pauses, pause)
        time.sleep(pause)
        submission = ask(lambda: client.get(address))
    return submission


def page_of(client: httpx.Client, submission: Json) -> str:
    """The address at which a person sees it."""
    return f"{str(client.base_url).rstrip('/')}/s/{submission['id']}/"


def exit_code_of(submission: Json) -> int:
    """0 while nothing is wrong, 1 for a refused file, 3 where the server failed."""
    if submission["status"] == "rejected":
        return REFUSED
    failed = submission["status"] == "failed" or any(e["status"] == "failed" for e in submission["evaluations"])
    return TROUBLE if failed else 0


def describe(client: httpx.Client, submission: Json) -> Iterator[str]:
    """A submission in a few lines."""
    method = f"{submission['method']['name']} {submission['method']['variant']}".strip()
    about = f"{submission['benchmark']} {submission['split']}, version {submission['version']}"
    yield f"{submission['id']}  {method} on {about}"
    yield f"  {submission['status']}, {submission['visibility']}: {page_of(client, submission)}"
    for line in (submission["failure"], submission["decision_reason"]):
        if line:
            yield f"  {line}"
    if submission["n_errors"] or submission["n_warnings"]:
        yield f"  {submission['n_errors']:,} errors, {submission['n_warnings']:,} warnings"
    for evaluation in submission["evaluations"]:
        yield f"  protocol {evaluation['protocol']}: {evaluation['status']} {evaluation['failure']}".rstrip()


def describe_scores(client: httpx.Client, submission: Json) -> Iterator[str]:
    """The ranking metric of each scored evaluation, with as many digits as the server tells."""
    for evaluation in submission["evaluations"]:
        if evaluation["status"] != "scored":
            continue
        address = f"/api/v1/submissions/{submission['id']}/report/"
        name = evaluation["protocol"]
        report = ask(lambda address=address, name=name: client.get(address, params={"protocol": name}))  # type: ignore[misc]  # mypy cannot infer a lambda with defaults
        best = report["metrics"][report["primary"]]
        digits = digits_told(report)
        interval = (
            f", 95% interval {best['low']:.{digits}f} to {best['high']:.{digits}f}" if best["low"] is not None else ""
        )
        value = "n/a" if best["value"] is None else f"{best['value']:.{digits}f}"
        yield f"  {report['primary']} {value}{interval} ({name})"


def digits_told(report: Json) -> int:
    """Decimals of fractions: those to which the server rounds, where the ground truth is held out."""
    rounding = report.get("rounding")
    return rounding["decimals"] + 2 * rounding["percent"] if rounding else DIGITS


def _in_words(faults: Any) -> str:
    return " ".join(map(str, faults)) if isinstance(faults, list) else str(faults)
