"""What of a report may be told. Scores are stored exactly, for ranks; whatever leaves the server passes here.

Exact scores of held-out ground truth could be climbed upon query by query, so they are told as the page shows them.
The same holds for a sealed axis of any split: from exact means one could work out which queries a slice holds.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from evaluator.public.manifest import Display
from evaluator.public.rounding import rounded_for
from leaderboard.models import Split

HELD_OUT: Final = "held_out"
ESTIMATE: Final = ("value", "low", "high")


@dataclass(frozen=True, slots=True)
class Disclosure:
    """What may be told about the scores of a split.

    Attributes:
        display: How the page shows numbers.
        held_out: Whether an organiser gave the ground truth to this server alone.
        sealed_axes: Axes whose queries nobody outside may know.
    """

    display: Display
    held_out: bool
    sealed_axes: frozenset[str]

    @classmethod
    def of(cls, split: Split) -> "Disclosure":
        sealed = frozenset(axis.name for axis in split.rules.slice_axes if axis.sealed)
        return cls(split.rules.display, split.ground_truth == HELD_OUT, sealed)

    @property
    def rounding(self) -> Display | None:
        """How values over all queries are rounded; None for full precision."""
        return self.display if self.held_out else None

    def estimate(self, exact: Mapping[str, Any], axis: str = "") -> dict[str, Any]:
        """An estimate's ``value``, ``low``, ``high`` and ``n`` as they may be told.

        Args:
            exact: As scored.
            axis: The slice axis, "" for all queries.
        """
        if not (self.held_out or axis in self.sealed_axes):
            return {**exact}
        # What is averaged over one query alone is the value of that query.
        if axis and exact["n"] <= 1:
            return {**exact, **dict.fromkeys(ESTIMATE)}
        told: dict[str, Any] = rounded_for(self.display, exact)
        return told

    def report(self, exact: Mapping[str, Any]) -> dict[str, Any]:
        """A report, as `Report.to_json` gives it, as it may be told; timings are told only with exact numbers."""
        slices = {
            axis: {
                value: {metric: self.estimate(found, axis) for metric, found in metrics.items()}
                for value, metrics in values.items()
            }
            for axis, values in exact["slices"].items()
        }
        told = {**exact, "slices": slices}
        if not self.held_out:
            return told
        told.pop("timings", None)
        rounded: dict[str, Any] = rounded_for(self.display, told)
        return rounded
