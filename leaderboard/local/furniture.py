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

MINI_SEED = 7


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
    bundle, runs = stack.places.bundles / "mini", stack.places.bundles / "mini-runs"
    if not bundle.is_dir():
        report("Drawing the mini benchmark")
        _make(stack, bundle, "import", "mini", "--seed", str(MINI_SEED))
    notes.once("benchmark", lambda: stack.manage("install_benchmark", str(bundle), sealed=True).strip())
    accounts = notes.once("accounts", lambda: json.loads(stack.manage("create_demo_accounts")))
    if not runs.is_dir():
        report("Making the demo's runs")
        _make(stack, runs, "demo-runs", "--bundle", str(bundle))
    return invitation(stack.base_url, accounts)


def invitation(base_url: str, accounts: dict[str, dict[str, str]]) -> str:
    """The address, the two accounts, and what to do next."""
    lines = ["", f"    {base_url}/", ""]
    lines += [f"    {role:<14} {account['email']}   {account['password']}" for role, account in accounts.items()]
    return "\n".join(lines)


def _make(stack: Stack, out: Path, *command: str) -> None:
    """Run a ``cirboard`` command that writes ``out``; an interrupted one leaves no half-written folder there."""
    draft = out.with_name(out.name + ".new")
    shutil.rmtree(draft, ignore_errors=True)
    stack.run_python("evaluator.cli", *command, "--out", str(draft))
    draft.rename(out)
