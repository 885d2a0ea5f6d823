"""The demo's researcher: sends runs to the public API, waits for their scores and publishes them, as anyone would."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from leaderboard.local.errors import StepError

ASK_EVERY_S = 0.2
SCORED_WITHIN_S = 300.0
REQUEST_TIMEOUT_S = 30.0


def send_demo_runs(base_url: str, token: str, benchmark: str, runs: Path, report: Callable[[str], None]) -> list[str]:
    """Bring every run that ``runs/methods.json`` lists to a public row; returns the submissions' ids.

    A run that was sent before, by a start that was interrupted, is not sent again.

    Raises:
        StepError: With the server's own words, if it does not take, score or publish one.
    """
    headers = {"Authorization": f"Token {token}"}
    with httpx.Client(base_url=f"{base_url}/api/v1", headers=headers, timeout=REQUEST_TIMEOUT_S) as client:
        methods = json.loads((runs / "methods.json").read_text(encoding="utf-8"))
        sent = {
            known["file_name"]: known["id"]
            for known in _asked(client, "GET", f"/submissions/?benchmark={benchmark}&limit=100")["results"]
        }
        for method in methods:
            if method["file"] not in sent:
                report(f"Submitting {method['name']}")
                sent[method["file"]] = _submit(client, benchmark, runs, method)
        submissions = [_await_score(client, sent[method["file"]]) for method in methods]
        for submission in submissions:
            if submission["visibility"] == "private":
                _asked(client, "POST", f"/submissions/{submission['id']}/publish/")
        return [submission["id"] for submission in submissions]


def _submit(client: httpx.Client, benchmark: str, runs: Path, method: dict[str, str]) -> str:
    fields = {key: method[key] for key in ("description", "paradigm", "backbone") if method[key]}
    with (runs / method["file"]).open("rb") as file:
        answer = _asked(
            client,
            "POST",
            "/submissions/",
            data={"benchmark": benchmark, "method": method["name"], **fields},
            files={"run": (method["file"], file)},
        )
    return str(answer["id"])


def _await_score(client: httpx.Client, submission_id: str) -> dict[str, Any]:
    deadline = time.monotonic() + SCORED_WITHIN_S
    while (submission := _asked(client, "GET", f"/submissions/{submission_id}/"))["in_work"]:
        if time.monotonic() > deadline:
            raise StepError(f"{submission['file_name']} was not scored within {SCORED_WITHIN_S:.0f} s.")
        time.sleep(ASK_EVERY_S)
    statuses = {evaluation["status"] for evaluation in submission["evaluations"]}
    if submission["status"] != "accepted" or statuses != {"scored"}:
        raise StepError(f"{submission['file_name']} was not scored: {json.dumps(submission, indent=1)}")
    return submission


def _asked(client: httpx.Client, verb: str, path: str, **content: Any) -> dict[str, Any]:
    answer = client.request(verb, path, **content)
    if answer.is_error:
        raise StepError(f"{verb} {answer.url} answered {answer.status_code}:\n\n{answer.text[:2000]}")
    read: dict[str, Any] = answer.json()
    return read
