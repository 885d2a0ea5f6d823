"""A report becomes immutable Score rows, with the report itself and the values per query stored beside them."""

import io
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

import numpy as np

from evaluator.report import Estimate, Report
from leaderboard.models import Score, Split
from leaderboard.results.disclosure import Disclosure
from leaderboard.storage import artefacts

BATCH_ROWS = 1000


@dataclass(frozen=True, slots=True)
class StoredReport:
    """What of a report goes into the Evaluation's own columns."""

    report_digest: str
    per_query_digest: str

    @classmethod
    def of(cls, report: Report, split: Split) -> "StoredReport":
        """Store both files. Before the transaction: a file that nobody names harms nobody.

        The report is stored as it may be told, and says under ``rounding`` how values are rounded, or null.
        """
        disclosure = Disclosure.of(split)
        rounding = asdict(disclosure.rounding) if disclosure.rounding else None
        told = {**disclosure.report(report.to_json()), "rounding": rounding}
        content = json.dumps(told, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return cls(artefacts.put_bytes(content.encode()).digest, artefacts.put_bytes(_per_query(report)).digest)


def columns(report: Report, stored: StoredReport) -> dict[str, Any]:
    """The columns of a scored Evaluation."""
    return {
        "primary": report.primary,
        "rankable": report.rankable,
        "warnings": [asdict(warning) for warning in report.warnings],
        **asdict(stored),
    }


def write_scores(evaluation_id: UUID, report: Report) -> int:
    """Write every aggregate as one row; returns how many. Call it in the transaction that marks the end of scoring."""
    rows = [
        Score(evaluation_id=evaluation_id, axis=axis, slice=value, metric=metric, **asdict(estimate))
        for axis, value, metric, estimate in _aggregates(report)
    ]
    Score.objects.bulk_create(rows, batch_size=BATCH_ROWS)
    return len(rows)


def _aggregates(report: Report) -> Iterator[tuple[str, str, str, Estimate]]:
    for metric, estimate in report.metrics.items():
        yield "", "", metric, estimate
    for axis, values in report.slices.items():
        for value, metrics in values.items():
            for metric, estimate in metrics.items():
                yield axis, value, metric, estimate


def _per_query(report: Report) -> bytes:
    """An npz readable without pickle, for ranks and comparisons; it is told to nobody.

    ``query_ids`` and one array per metric; ``replicates``, those of the ranking metric over all queries, none where it
    cannot be given; and ``n_units``, how many units each of them draws.
    """
    buffer = io.BytesIO()
    arrays: dict[str, Any] = {
        "query_ids": np.array(report.query_ids, np.str_),
        **report.per_query,
        "replicates": report.replicates.get(report.primary, np.empty(0)),
        "n_units": np.array(_n_units(report)),
    }
    np.savez(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def _n_units(report: Report) -> int:
    """Of the ranking metric, for which something else may be drawn than for most."""
    bootstrap = report.bootstrap
    n_units: int = bootstrap["other_units"].get(report.primary, bootstrap)["n_units"]
    return n_units
