"""A generated run and what it is scored against, in one folder, and the metrics that every contestant computes."""

from dataclasses import dataclass
from pathlib import Path

THREE_METRICS = ("mAP_standard", "mAP@10", "recall@10")
THREE, EVERYTHING = "three", "everything"
"""Protocols of each generated benchmark: those metrics, and about as many as the real benchmark shows."""


@dataclass(frozen=True)
class Workload:
    """Where the parts lie."""

    folder: Path

    @property
    def bundle(self) -> Path:
        return self.folder / "bundle"

    @property
    def official(self) -> Path:
        """The result file in the benchmark's official JSON."""
        return self.folder / "official.json"

    @property
    def canonical(self) -> Path:
        """The same run as the integers that the server keeps."""
        return self.folder / "canonical.npz"

    @property
    def positives(self) -> Path:
        """Query -> positives as JSON, for those who do not read bundles."""
        return self.folder / "positives.json"
