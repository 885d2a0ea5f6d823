"""The process in which a stranger's bytes are parsed: confined first, and with nothing in it worth taking.

Run by `evaluator.formats.isolated` as ``python -I -m evaluator.formats.child``, with a job as JSON on standard input.
It leaves the canonical run, the report as JSON and all problems as CSV, and says by its exit status how it ended.
"""

import ctypes
import errno
import gc
import json
import os
import resource
import signal
import sys
from pathlib import Path
from typing import Any

from evaluator.formats.limits import MIB, Limits
from evaluator.formats.outcome import report_of
from evaluator.formats.problems_csv import write_problems_csv
from evaluator.formats.read import format_of, read_run
from evaluator.public.bundle import Benchmark, BundleError, load_benchmark
from evaluator.public.manifest import ManifestError
from evaluator.public.run import save_run

DONE, OUT_OF_MEMORY, NO_BUNDLE, ORPHANED, TOO_MUCH_OUTPUT = 0, 3, 4, 5, 6
STARTED = "started"
REPORT = "report.json"
RUN = "run.npz"
PROBLEMS = "problems.csv"
REPORT_BYTES = 8 * MIB
"""The longest report that the caller reads."""
_PR_SET_PDEATHSIG = 1
_LEAST_FILE_BYTES = 64 * MIB
_GRACE_S = 2


def main() -> int:
    """Do the job on standard input; returns the exit status."""
    job = json.load(sys.stdin)
    limits = Limits(**job["limits"])
    if not die_with(job["parent_pid"]):
        return ORPHANED
    confine(limits)
    scratch = Path(job["scratch"])
    try:
        benchmark = load_benchmark(Path(job["bundle"]))
        benchmark.manifest.protocol(job["protocol"])
        format_of(benchmark)
    except (BundleError, ManifestError) as error:
        sys.stderr.write(f"{error}\n")
        return NO_BUNDLE
    (scratch / STARTED).touch()
    # Parsing makes millions of objects and no cycles; looking for some again and again would triple its time.
    gc.disable()
    try:
        is_whole = check(Path(job["path"]), benchmark, job["protocol"], limits, scratch)
    except MemoryError:
        return OUT_OF_MEMORY
    except OSError as error:
        if error.errno != errno.EFBIG:
            raise
        is_whole = False
    return DONE if is_whole else TOO_MUCH_OUTPUT


def check(path: Path, benchmark: Benchmark, protocol: str | None, limits: Limits, scratch: Path) -> bool:
    """Check the file; leave run, report and problems in the scratch directory. False if the report is too long."""
    reading = read_run(path, benchmark, protocol, limits=limits)
    if reading.run is not None:
        save_run(scratch / RUN, reading.run)
    if reading.problems.counts:
        write_problems_csv(scratch / PROBLEMS, reading.problems)
    report: dict[str, Any] = report_of(reading)
    written = json.dumps(report).encode()
    if len(written) > REPORT_BYTES:
        return False
    (scratch / REPORT).write_bytes(written)
    return True


def die_with(parent_pid: int) -> bool:
    """Ask the kernel to kill this process when its parent dies; False if the parent is dead already."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG)")
    return os.getppid() == parent_pid


def confine(limits: Limits) -> None:
    """Limit memory, processor time and written bytes. Passing the time limit raises SIGXCPU, which kills.

    The number of processes is not limited: the kernel counts those of the whole user, other workers' included, and
    nothing here starts one.
    """
    written = max(_LEAST_FILE_BYTES, limits.expanded_bytes)
    for what, soft, hard in (
        (resource.RLIMIT_DATA, limits.memory_bytes, limits.memory_bytes),
        (resource.RLIMIT_CPU, limits.cpu_s, limits.cpu_s + _GRACE_S),
        (resource.RLIMIT_FSIZE, written, written),
        (resource.RLIMIT_CORE, 0, 0),
    ):
        allowed = resource.getrlimit(what)[1]
        if allowed != resource.RLIM_INFINITY:
            soft, hard = min(soft, allowed), min(hard, allowed)  # noqa: PLW2901 - the same two limits, lowered to what is allowed
        resource.setrlimit(what, (soft, hard))


if __name__ == "__main__":
    sys.exit(main())
