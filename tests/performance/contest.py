"""Run each way of scoring in a process of its own, in turns, several times, and take medians."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

from tests.performance.workload import Workload

CHECKOUT = Path(__file__).parents[2]
ROUNDS = 3
LIBRARIES = {"pytrec_eval": "pytrec_eval", "ir_measures": "ir_measures", "ranx": "ranx"}
"""Contestants that need a library which only the extra `bench` installs."""

ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
"""As in the server's checks. Nobody but ours multiplies matrices here, so it costs the others nothing."""


@dataclass(frozen=True)
class Took:
    """Medians over the rounds.

    Attributes:
        wall_s: From files to means.
        cpu_s: Processor time of all threads in the same span.
        import_s: Imports, compilation and what else lies before.
        peak_bytes: Most memory of the whole process, imports included.
        scores: What came out; every round gave the same.
    """

    wall_s: float
    cpu_s: float
    import_s: float
    peak_bytes: float
    scores: Mapping[str, float]


def is_installed(contestant: str) -> bool:
    return contestant not in LIBRARIES or find_spec(LIBRARIES[contestant]) is not None


def run_module(name: str, *arguments: str) -> str:
    """What a module of this folder prints when run as a program."""
    command = [sys.executable, "-m", f"tests.performance.{name}", *arguments]
    return subprocess.run(
        command, cwd=CHECKOUT, env=os.environ | ENVIRONMENT, stdout=subprocess.PIPE, check=True, text=True
    ).stdout


def compete(workload: Workload, contestants: Iterable[str], rounds: int = ROUNDS) -> dict[str, Took]:
    """Contestant -> what it took; those whose library is not installed are left out."""
    names = [name for name in contestants if is_installed(name)]
    took: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
    for _ in range(rounds):
        for name in names:
            took[name].append(json.loads(run_module("contestants", name, str(workload.folder))))
    return {name: _median(each) for name, each in took.items()}


def _median(each: list[dict[str, Any]]) -> Took:
    scores = each[0]["scores"]
    assert all(one["scores"] == scores for one in each)
    numbers = {key: median(one[key] for one in each) for key in ("wall_s", "cpu_s", "import_s", "peak_bytes")}
    return Took(**numbers, scores=scores)


def make(name: str, folder: Path, **sizes: int) -> Workload:
    """A generated workload, made in a process of its own, whose memory goes back when it ends."""
    run_module("generated_runs", name, str(folder), json.dumps(sizes))
    return Workload(folder)
