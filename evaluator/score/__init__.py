"""Score a run: `score(run, benchmark, sealed_root) -> Report`."""

from evaluator.score.scoring import score
from evaluator.sealed.ground_truth import GroundTruthError

__all__ = ["GroundTruthError", "score"]
