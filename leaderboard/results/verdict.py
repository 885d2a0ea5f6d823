"""What a check came to, written into the submission: accepted with what follows, or refused with every problem."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db.models.functions import Now

from evaluator import SCORING_REVISION
from evaluator.formats.outcome import CheckOutcome
from leaderboard.models import Evaluation, Split, Submission
from leaderboard.storage import artefacts

HELD_ELSEWHERE = "external"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A check's outcome with its files stored."""

    accepted: bool
    columns: dict[str, Any]

    @classmethod
    def of(cls, outcome: CheckOutcome, run: Path) -> "Verdict":
        """Store what the check left. Before the transaction: a file that nobody names harms nobody."""
        columns = {
            "problems": outcome.report,
            "problems_csv_digest": artefacts.put_file(outcome.problems_csv).digest if outcome.problems_csv else "",
            "n_entries": outcome.n_entries,
            "checked_at": Now(),
        }
        if outcome.status == "accepted":
            columns |= {"run_artefact_digest": artefacts.put_file(run).digest, "run_digest": outcome.run_digest}
        return cls(outcome.status == "accepted", columns)


def plan_evaluations(submission: Submission, split: Split) -> list[Evaluation]:
    """One evaluation per protocol of the split; those that exist stay as they are.

    None where only the organisers' own server has the ground truth.
    """
    if split.ground_truth == HELD_ELSEWHERE:
        return []
    return [
        Evaluation.objects.get_or_create(
            submission=submission,
            split=split,
            protocol=protocol.name,
            ground_truth_digest=split.ground_truth_digest,
            scoring_revision=SCORING_REVISION,
            defaults={"woken_at": Now()},
        )[0]
        for protocol in split.rules.protocols
    ]
