"""What the demo puts into an empty server: the mini benchmark, two accounts, and runs sent through the public API.

Each thing is done once per data directory and noted in ``demo.json``; what was interrupted is done at the next start.
"""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from leaderboard.local.places import write_private
from leaderboard.local.stack import Stack
from leaderboard.local.visitor import send_demo_runs

BENCHMARK = "mini"
SEED = 7
EXAMPLE_RUN = "noisy-oracle-30.json"


class Notes:
    """What was done, in a file that only its owner may read: it holds the two accounts."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._entries: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """The noted outcome of ``name``, made now if it never was."""
        if name not in self._entries:
            self._entries[name] = make()
            write_private(self._path, json.dumps(self._entries, indent=1))
        return self._entries[name]


def furnish(stack: Stack, report: Callable[[str], None]) -> str:
    """Bring in what is missing; returns what to tell the person."""
    notes = Notes(stack.places.data / "demo.json")
    accounts: dict[str, dict[str, str]] = notes.once(
        "accounts", lambda: json.loads(stack.manage("create_demo_accounts"))
    )
    notes.once("benchmark", lambda: _install_benchmark(stack, report))
    token = accounts["researcher"]["token"]
    notes.once("submissions", lambda: _submit_runs(stack, token, report))
    return invitation(stack.base_url, accounts, _runs(stack) / EXAMPLE_RUN)


def invitation(base_url: str, accounts: dict[str, dict[str, str]], example: Path) -> str:
    """The address, the two accounts, and what to do next."""
    return "\n".join(
        [
            "",
            f"    {base_url}/b/{BENCHMARK}/    the demo's leaderboard",
            f"    {base_url}/accounts/login/    as one of:",
            *(f"        {known['email']:<28} {known['password']}" for known in accounts.values()),
            "",
            "To submit a run, in another terminal, with the researcher's API token:",
            "",
            "    . .venv/bin/activate",
            f"    export CIRBOARD_SERVER={base_url} CIRBOARD_TOKEN={accounts['researcher']['token']}",
            f"    cirboard submit {BENCHMARK} {example} --method 'My method' --wait",
        ]
    )


def _install_benchmark(stack: Stack, report: Callable[[str], None]) -> str:
    bundle = _bundle(stack)
    if not bundle.is_dir():
        report("Drawing the mini benchmark (3,936 images, about 20 s)")
        _make(stack, bundle, "import", "mini", "--seed", str(SEED))
    return stack.manage("install_benchmark", str(bundle), sealed=True).strip()


def _submit_runs(stack: Stack, token: str, report: Callable[[str], None]) -> list[str]:
    runs = _runs(stack)
    if not runs.is_dir():
        report("Making runs for it")
        _make(stack, runs, "demo-runs", "--bundle", str(_bundle(stack)))
    return send_demo_runs(stack.base_url, token, BENCHMARK, runs, report)


def _bundle(stack: Stack) -> Path:
    return stack.places.bundles / BENCHMARK


def _runs(stack: Stack) -> Path:
    return stack.places.bundles / f"{BENCHMARK}-runs"


def _make(stack: Stack, out: Path, *command: str) -> None:
    """Run a ``cirboard`` command that writes ``out``; an interrupted one leaves no half-written folder there."""
    draft = out.with_name(out.name + ".new")
    shutil.rmtree(draft, ignore_errors=True)
    stack.run_python("evaluator.cli", *command, "--out", str(draft))
    draft.rename(out)
