"""The whole command on PinPoint's 7,635 x 50 official file: reading, metrics, slices, 10,000 replicates."""

import os
import sys
from pathlib import Path

import pytest

from evaluator.importers.bundle_writer import write_bundle
from evaluator.importers.pinpoint import read_pinpoint

CPU_BUDGET_S = 5.0
MEMORY_BUDGET_KIB = 700 * 1024


@pytest.fixture(scope="module")
def bundle(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("bundles") / "pinpoint"
    write_bundle(out, read_pinpoint(shared / "data" / "pinpoint"))
    return out


def test_a_pinpoint_file_is_evaluated_in_five_seconds_and_700_megabytes(bundle, shared, tmp_path):
    run_file = shared / "golden" / "pinpoint" / "random_seed31.json.gz"
    command = [sys.executable, "-m", "evaluator.cli", "evaluate", str(bundle), str(run_file), "--json"]
    with (tmp_path / "report.json").open("wb") as report:
        redirect = [(os.POSIX_SPAWN_DUP2, report.fileno(), 1)]
        child = os.posix_spawn(sys.executable, command, os.environ, file_actions=redirect)
        _, status, usage = os.wait4(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    # Processor time, because the wall clock would measure what else the machine does.
    assert usage.ru_utime + usage.ru_stime < CPU_BUDGET_S
    assert usage.ru_maxrss < MEMORY_BUDGET_KIB
