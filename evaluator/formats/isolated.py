"""Check a file in a process that can be killed, so that no bytes can crash, fill or stall the caller.

The caller never parses the file. It reads back only what the confined process wrote: a report and a canonical run.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from evaluator.formats import child
from evaluator.formats.limits import Limits, in_words
from evaluator.formats.outcome import CheckOutcome, Failure
from evaluator.formats.problems import ProblemLog

DETAIL_BYTES = 4096
ENVIRONMENT = {
    "PATH": os.defpath,
    "LANG": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",
    # mimalloc reserves address space ahead, which the memory limit would count.
    "ARROW_DEFAULT_MEMORY_POOL": "system",
}
"""Nothing of the caller's environment, which may hold passwords, is passed on."""


class CheckerError(RuntimeError):
    """The check could not be started: the bundle or the installation is at fault, not the file."""


def check_file(
    path: Path,
    bundle_public_root: Path,
    out: Path,
    *,
    protocol: str | None = None,
    limits: Limits | None = None,
) -> CheckOutcome:
    """Check a file as `read_run` does, in a confined process.

    Args:
        path: The file as it was sent.
        bundle_public_root: Public side of the benchmark's bundle.
        out: Where the canonical run is put if the file is accepted. The table of problems is put beside it, as
            ``<out>.problems.csv``.
        protocol: Name of the protocol, None for the benchmark's first.
        limits: What the file may ask for.

    Returns:
        What came of it; also after the process was killed.

    Raises:
        CheckerError: If the check never started: an unusable bundle or protocol, or a broken installation.
        OSError: If ``out`` cannot be written.
    """
    limits = limits or Limits()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(dir=out.absolute().parent, prefix=".check-") as name:
        scratch = Path(name)
        job = {
            "path": str(path.absolute()),
            "bundle": str(bundle_public_root.absolute()),
            "scratch": str(scratch.absolute()),
            "protocol": protocol,
            "limits": asdict(limits),
            "parent_pid": os.getpid(),
        }
        status, used_s = _run(job, scratch, limits.wall_s)
        elapsed_s = time.monotonic() - begun
        if status == child.DONE:
            return _collect(scratch, out, elapsed_s)
        return _explain(status, scratch, path, limits, elapsed_s, starved=status is None and used_s < limits.wall_s / 4)


def _run(job: dict[str, Any], scratch: Path, wall_s: float) -> tuple[int | None, float]:
    """Run the confined process to its end; its exit status, or None if it took too long, and its processor time then."""
    with (
        (scratch / "said").open("wb") as said,
        subprocess.Popen(
            [sys.executable, "-I", "-m", "evaluator.formats.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=said,
            env=ENVIRONMENT,
            cwd=scratch,
            start_new_session=True,
        ) as process,
    ):
        try:
            process.communicate(json.dumps(job).encode(), timeout=wall_s)
        except subprocess.TimeoutExpired:
            return None, _processor_time_s(process.pid)
        finally:
            _kill_group(process)
    return process.returncode, 0.0


def _processor_time_s(pid: int) -> float:
    """What a running process has used so far, by proc_pid_stat(5)."""
    stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    user, system = stat.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill what is still running. An ended process is left alone: its number may be another's by now."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _collect(scratch: Path, out: Path, elapsed_s: float) -> CheckOutcome:
    report = _read_report(scratch / child.REPORT)
    problems_csv = None
    if (scratch / child.PROBLEMS).is_file():
        problems_csv = out.with_name(f"{out.name}.problems.csv")
        (scratch / child.PROBLEMS).replace(problems_csv)
    if report["accepted"]:
        (scratch / child.RUN).replace(out)
    return CheckOutcome(
        status="accepted" if report["accepted"] else "rejected",
        report=report,
        problems_csv=problems_csv,
        failure=None,
        detail="",
        elapsed_s=elapsed_s,
    )


def _read_report(path: Path) -> dict[str, Any]:
    with path.open("rb") as stream:
        report: dict[str, Any] = json.loads(stream.read(child.REPORT_BYTES))
    return report


def _explain(
    status: int | None, scratch: Path, path: Path, limits: Limits, elapsed_s: float, *, starved: bool
) -> CheckOutcome:
    """What a check without a verdict came to. One that hardly ran within its time is the machine's failure."""
    with (scratch / "said").open("rb") as stream:
        said = stream.read(DETAIL_BYTES).decode("utf-8", "replace").strip()
    if not (scratch / child.STARTED).exists():
        raise CheckerError(f"the check did not start (exit status {status}): {said}")
    failure: Failure = "crashed"
    if starved:
        failure = "crashed"
    elif status is None or status == -signal.SIGXCPU:
        failure = "timeout"
    elif status in {child.OUT_OF_MEMORY, -signal.SIGKILL}:
        failure = "memory"
    elif status == child.TOO_MUCH_OUTPUT:
        failure = "output"
    return CheckOutcome(
        status="failed",
        report=_failure_report(path, _exceeded(status, failure, limits)),
        problems_csv=None,
        failure=failure,
        detail=f"exit status {status}: {said}",
        elapsed_s=elapsed_s,
    )


def _exceeded(status: int | None, failure: Failure, limits: Limits) -> str | None:
    """The limit that was passed, in words; None after a crash."""
    if status is None and failure == "timeout":
        return f"{limits.wall_s:g} seconds"
    allowed = {
        "timeout": f"{limits.cpu_s} seconds of processor time",
        "memory": f"{in_words(limits.memory_bytes)} of memory",
        "output": f"{in_words(child.REPORT_BYTES)} of report",
    }
    return allowed.get(failure)


def _failure_report(path: Path, allowed: str | None) -> dict[str, Any]:
    log = ProblemLog()
    if allowed:
        log.report(
            "file-too-demanding",
            f"Checking this file took more than {allowed}, and was stopped.",
            expected=f"a file that is checked within {allowed}",
        )
    unread = {"format": "", "compression": "", "n_bytes": path.stat().st_size, "n_queries": 0, "n_entries": 0}
    return {"accepted": False, **unread, "run_digest": None, **log.to_json()}
