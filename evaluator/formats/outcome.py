"""What a check came to, as JSON values and as a value to act on."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from evaluator.formats.problems import SHOWN_PER_CODE
from evaluator.formats.read import Reading

Failure = Literal["timeout", "memory", "output", "crashed"]


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """What came of checking a file in a process of its own.

    Attributes:
        status: "accepted": the run was saved; "rejected": there are errors; "failed": the check did not end.
        report: As `report_of`: what the file was read as, and the problems. After a failure that is the file's doing
            it holds the one problem ``file-too-demanding``; after a crash it holds none, for the fault is ours.
        problems_csv: All kept problems as a table, or None if there is none.
        failure: Why the check failed, or None.
        detail: For the operator's log, after a failure.
        elapsed_s: Seconds that the check took.
    """

    status: Literal["accepted", "rejected", "failed"]
    report: dict[str, Any]
    problems_csv: Path | None
    failure: Failure | None
    detail: str
    elapsed_s: float

    @property
    def run_digest(self) -> str | None:
        """Digest of the canonical run, None unless accepted."""
        digest: str | None = self.report["run_digest"]
        return digest

    @property
    def n_queries(self) -> int:
        """Queries of the benchmark for which the file has a list."""
        return int(self.report["n_queries"])

    @property
    def n_entries(self) -> int:
        """Entries in these lists."""
        return int(self.report["n_entries"])


def report_of(reading: Reading, shown_per_code: int = SHOWN_PER_CODE) -> dict[str, Any]:
    """A reading as JSON values.

    Returns:
        ``accepted``, ``format``, ``compression``, ``n_bytes``, ``n_queries``, ``n_entries``, ``run_digest`` and the keys of
        `ProblemLog.to_json`: ``n_errors``, ``n_warnings``, ``groups``.
    """
    return {
        "accepted": reading.run is not None,
        "format": reading.format,
        "compression": reading.compression,
        "n_bytes": reading.n_bytes,
        "n_queries": reading.n_queries,
        "n_entries": reading.n_entries,
        "run_digest": reading.run.digest if reading.run else None,
        **reading.problems.to_json(shown_per_code),
    }
