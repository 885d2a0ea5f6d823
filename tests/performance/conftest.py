"""Measurements, each taken once per session when a test first asks for it."""

import json
from typing import Any

import pytest

from tests.performance import hostile_files
from tests.performance.contest import ROUNDS, Took, compete, make, run_module
from tests.performance.performance_page import Results
from tests.performance.workload import Workload

SLOW = ("set_loop", "official", "whole_report", "pytrec_eval", "ir_measures")
QUICK = ("floor", "canonical")
QUICK_ROUNDS = 9
"""A tenth of a second says little by itself."""

PINPOINT_QUERIES = 7635
GROWTH = (1, 2, 4)


@pytest.fixture(scope="session")
def workloads(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Workload]:
    folder = tmp_path_factory.mktemp("runs")
    return {name: make(name, folder / name) for name in ("pinpoint", "icir")}


@pytest.fixture(scope="session")
def contests(workloads: dict[str, Workload]) -> dict[str, dict[str, Took]]:
    """Workload -> contestant -> what it took. ranx, a minute each time, runs once."""
    return {
        name: compete(workload, QUICK, QUICK_ROUNDS) | compete(workload, SLOW) | compete(workload, ["ranx"], rounds=1)
        for name, workload in workloads.items()
    }


@pytest.fixture(scope="session")
def growing(tmp_path_factory: pytest.TempPathFactory) -> list[Workload]:
    """PinPoint as large as it is, twice and four times."""
    folder = tmp_path_factory.mktemp("growing")
    return [make("pinpoint", folder / str(times), n_queries=times * PINPOINT_QUERIES, depth=50) for times in GROWTH]


@pytest.fixture(scope="session")
def reading(growing: list[Workload]) -> dict[int, float]:
    """Entries -> seconds of processor time from the official file to three metrics."""
    times: list[list[float]] = [[] for _ in growing]
    for _ in range(ROUNDS):
        for place, workload in enumerate(growing):
            times[place].append(compete(workload, ["official"], rounds=1)["official"].cpu_s)
    return {n * PINPOINT_QUERIES * 50: sorted(each)[ROUNDS // 2] for n, each in zip(GROWTH, times, strict=True)}


@pytest.fixture(scope="session")
def reports(growing: list[Workload]) -> list[dict[str, Any]]:
    return [json.loads(run_module("report_times", str(workload.folder), str(ROUNDS))) for workload in growing]


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Kind of fault -> what checking a million of them took."""
    workload = make("pinpoint", tmp_path_factory.mktemp("hostile"), n_queries=PINPOINT_QUERIES, depth=131)
    return {kind: _check(workload, kind) for kind in hostile_files.KINDS}


def _check(workload: Workload, kind: str) -> dict[str, Any]:
    path = hostile_files.write_hostile(workload, kind)
    took: dict[str, Any] = json.loads(run_module("hostile_files", kind, str(workload.folder)))
    path.unlink()
    return took


@pytest.fixture(scope="session")
def results(
    workloads: dict[str, Workload],
    contests: dict[str, dict[str, Took]],
    reading: dict[int, float],
    reports: list[dict[str, Any]],
    hostile: dict[str, dict[str, Any]],
) -> Results:
    sizes = {name: workload.official.stat().st_size for name, workload in workloads.items()}
    return Results(contests, sizes, reading, reports, hostile, ROUNDS)
