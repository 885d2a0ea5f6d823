"""Families of metrics to functions.

A new metric is one file beside this one, a line below, and its name in `evaluator.public.metric_names`.
"""

from collections.abc import Callable, Mapping
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from evaluator.metrics.attainable_precision import attainable_precision_at_k
from evaluator.metrics.average_precision import average_precision_at_k
from evaluator.metrics.average_precision_standard import average_precision_standard
from evaluator.metrics.average_precision_trapezoid import average_precision_trapezoid
from evaluator.metrics.average_precision_without_negatives import average_precision_at_k_without_negatives
from evaluator.metrics.delta_average_precision import delta_average_precision_at_k
from evaluator.metrics.graded_recall import graded_recall_at_k
from evaluator.metrics.group_mean import group_mean
from evaluator.metrics.group_min import group_min
from evaluator.metrics.hit_rate import hit_rate_at_k
from evaluator.metrics.linguistic_range import linguistic_range
from evaluator.metrics.linguistic_std import linguistic_std
from evaluator.metrics.ndcg import ndcg_at_k
from evaluator.metrics.negative_recall import negative_recall_at_k
from evaluator.metrics.negative_share import negative_share_at_k
from evaluator.metrics.precision import precision_at_k
from evaluator.metrics.recall import recall_at_k
from evaluator.metrics.reciprocal_rank import reciprocal_rank
from evaluator.metrics.target_recall import target_recall_at_k
from evaluator.metrics.worst_paraphrase import worst_paraphrase
from evaluator.public.metric_names import family_of

Values = NDArray[np.float64]


class JudgedLists(Protocol):
    """What metrics see of a run: which ranks hold what, and how much there was to find."""

    @property
    def positive_hits(self) -> NDArray[np.bool_]:
        """(Q, D) ranks that hold a positive."""

    @property
    def negative_hits(self) -> NDArray[np.bool_]:
        """(Q, D) ranks that hold a hard negative."""

    @property
    def target_hits(self) -> NDArray[np.bool_]:
        """(Q, D) ranks that hold the query's target."""

    @property
    def n_positives(self) -> NDArray[np.int64]:
        """(Q,) positives in the ground truth."""

    @property
    def n_negatives(self) -> NDArray[np.int64]:
        """(Q,) hard negatives in the ground truth."""

    @property
    def grades(self) -> NDArray[np.float64] | None:
        """(Q, D) grade of the image at each rank; None where recall counts positives."""

    @property
    def attainable_precision(self) -> bool:
        """Whether precision divides by min(positives, k) instead of k."""


def _precision(lists: JudgedLists, k: int) -> Values:
    """Precision by the protocol's rule: of the cutoff, or of what was attainable."""
    if lists.attainable_precision:
        return attainable_precision_at_k(lists.positive_hits, lists.n_positives, k)
    return precision_at_k(lists.positive_hits, k)


def _recall(lists: JudgedLists, k: int) -> Values:
    """Recall by the protocol's rule: the share of the positives, or the best grade."""
    if lists.grades is not None:
        return graded_recall_at_k(lists.grades, k)
    return recall_at_k(lists.positive_hits, lists.n_positives, k)


CUTOFF_METRICS: Final[Mapping[str, Callable[[JudgedLists, int], Values]]] = {
    "mAP@{k}": lambda lists, k: average_precision_at_k(lists.positive_hits, lists.n_positives, k),
    "precision@{k}": _precision,
    "recall@{k}": _recall,
    "recall_subset@{k}": _recall,
    "hit_rate@{k}": lambda lists, k: hit_rate_at_k(lists.positive_hits, k),
    "target_recall@{k}": lambda lists, k: target_recall_at_k(lists.target_hits, k),
    "negative_recall@{k}": lambda lists, k: negative_recall_at_k(lists.negative_hits, lists.n_negatives, k),
    "negative_share@{k}": lambda lists, k: negative_share_at_k(lists.negative_hits, k),
    "nDCG@{k}": lambda lists, k: ndcg_at_k(lists.positive_hits, lists.n_positives, k),
    "mAP@{k}_without_negatives": lambda lists, k: average_precision_at_k_without_negatives(
        lists.positive_hits, lists.negative_hits, lists.n_positives, k
    ),
    "delta_mAP@{k}": lambda lists, k: delta_average_precision_at_k(
        lists.positive_hits, lists.negative_hits, lists.n_positives, k
    ),
}
WHOLE_METRICS: Final[Mapping[str, Callable[[JudgedLists], Values]]] = {
    "mAP": lambda lists: average_precision_trapezoid(lists.positive_hits, lists.n_positives),
    "mAP_standard": lambda lists: average_precision_standard(lists.positive_hits, lists.n_positives),
    "reciprocal_rank": lambda lists: reciprocal_rank(lists.positive_hits),
}
GROUP_METRICS: Final[Mapping[str, Callable[[Values, NDArray[np.int64], int], Values]]] = {
    "linguistic_range": linguistic_range,
    "linguistic_std": linguistic_std,
    "worst_paraphrase": worst_paraphrase,
    "macro": group_mean,
    "min": group_min,
}


def compute(name: str, lists: JudgedLists) -> Values:
    """Compute a metric that has a value per query.

    Args:
        name: Such as ``mAP@10``.

    Returns:
        (Q,) float64.

    Raises:
        MetricNameError: If there is none of that name.
    """
    family, k = family_of(name)
    return WHOLE_METRICS[family](lists) if k is None else CUTOFF_METRICS[family](lists, k)
