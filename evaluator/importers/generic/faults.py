"""What is wrong with an organiser's files: every fault found, with its place, the value and the remedy."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evaluator.formats.wording import VALUE_LENGTH, counted, cut
from evaluator.importers.generic.tables import SourceTable

SHOWN_PER_KIND = 20
Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault at one place.

    Attributes:
        kind: Stable name, such as ``label-unknown``.
        severity: Errors keep the benchmark from being imported, warnings do not.
        file: Name of the file in the organiser's folder.
        line: 1-based line of a text file, 1-based row of a Parquet file, or None where it is the whole file's.
        column: Column of a table or key of benchmark.toml, or None.
        value: The offending value, cut; None where there is none.
        message: What is wrong, to follow the value.
        remedy: What is expected, or what to do.
    """

    kind: str
    severity: Severity
    file: str
    line: int | None
    column: str | None
    value: str | None
    message: str
    remedy: str

    def __str__(self) -> str:
        """One line for people."""
        row = "row" if self.file.endswith(".parquet") else "line"
        place = (
            self.file + (f", {row} {self.line:,}" if self.line else "") + (f", {self.column}" if self.column else "")
        )
        words = f'"{self.value}" {self.message}' if self.value is not None else self.message
        return f"{self.severity}: {place}: {words}{f'; {self.remedy}' if self.remedy else ''}"


@dataclass
class FaultLog:
    """Collects faults: all are counted, the first of each kind are kept."""

    counts: dict[tuple[Severity, str], int] = field(default_factory=dict)
    kept: dict[tuple[Severity, str], list[Fault]] = field(default_factory=dict)

    def report(
        self,
        kind: str,
        message: str,
        remedy: str = "",
        *,
        file: str,
        line: int | None = None,
        column: str | None = None,
        value: str | None = None,
        severity: Severity = "error",
    ) -> None:
        """Record one fault."""
        key = (severity, kind)
        self.counts[key] = self.counts.get(key, 0) + 1
        kept = self.kept.setdefault(key, [])
        if len(kept) < SHOWN_PER_KIND:
            shown = None if value is None else cut(value, VALUE_LENGTH)
            kept.append(Fault(kind, severity, file, line, column, shown, message, remedy))

    def report_rows(
        self,
        kind: str,
        table: SourceTable,
        column: str,
        rows: NDArray[np.int64],
        message: str,
        remedy: str = "",
        *,
        values: list[str] | None = None,
        severity: Severity = "error",
    ) -> None:
        """Record the same fault in many rows of a table.

        Args:
            rows: (N,) 0-based rows of the table.
            values: The value to show for each of the first rows; None for what the column holds there.
        """
        for place, row in enumerate(rows[:SHOWN_PER_KIND].tolist()):
            value = values[place] if values is not None else table.shown(column, row)
            self.report(
                kind,
                message,
                remedy,
                file=table.name,
                line=table.line_of(row),
                column=f"column {column}",
                value=value,
                severity=severity,
            )
        if len(rows) > SHOWN_PER_KIND:
            self.counts[severity, kind] += len(rows) - SHOWN_PER_KIND

    def n(self, severity: Severity) -> int:
        """How many faults of a severity there are."""
        return sum(count for (of, _), count in self.counts.items() if of == severity)

    def lines(self) -> Iterator[str]:
        """Lines for people, errors first."""
        for severity in ("error", "warning"):
            for (of, kind), faults in self.kept.items():
                if of == severity:
                    yield from map(str, faults)
                    if more := self.counts[of, kind] - len(faults):
                        yield f"{severity}: {faults[0].file}: {counted(more, 'more like this', 'more like these')}"
