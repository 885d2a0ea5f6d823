"""Metric names to functions. A new metric is one file beside this one and one line in a table below."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from evaluator.metrics.average_precision import average_precision_at_k
from evaluator.metrics.average_precision_without_negatives import average_precision_at_k_without_negatives
from evaluator.metrics.delta_average_precision import delta_average_precision_at_k
from evaluator.metrics.linguistic_range import linguistic_range
from evaluator.metrics.linguistic_std import linguistic_std
from evaluator.metrics.negative_recall import negative_recall_at_k
from evaluator.metrics.precision import precision_at_k
from evaluator.metrics.recall import recall_at_k
from evaluator.metrics.target_recall import target_recall_at_k
from evaluator.public.manifest import ManifestError
from evaluator.public.manifest import Protocol as ScoringRules


class MetricNameError(ManifestError):
    """A benchmark asks for a metric that no function computes: the message names it and what is known."""


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


@dataclass(frozen=True, slots=True)
class QueryMetric:
    """A metric with a value per query.

    Attributes:
        compute: (lists, k) -> (Q,) float64.
        whole_list: Whether ranks beyond k matter, so that lists must not be shorter than the protocol's longest.
    """

    compute: Callable[[JudgedLists, int], NDArray[np.float64]]
    whole_list: bool = False


@dataclass(frozen=True, slots=True)
class RatioMetric:
    """A metric that is a ratio of the means of two others: names with ``{k}`` for the cutoff, and the value of 0/0."""

    numerator: str
    denominator: str
    empty: float


GroupMetric = Callable[[NDArray[np.float64], NDArray[np.int64], int], NDArray[np.float64]]

QUERY_METRICS: Final[Mapping[str, QueryMetric]] = {
    "mAP@{k}": QueryMetric(lambda lists, k: average_precision_at_k(lists.positive_hits, lists.n_positives, k)),
    "precision@{k}": QueryMetric(lambda lists, k: precision_at_k(lists.positive_hits, k)),
    "recall@{k}": QueryMetric(lambda lists, k: recall_at_k(lists.positive_hits, lists.n_positives, k)),
    "target_recall@{k}": QueryMetric(lambda lists, k: target_recall_at_k(lists.target_hits, k)),
    "negative_recall@{k}": QueryMetric(
        lambda lists, k: negative_recall_at_k(lists.negative_hits, lists.n_negatives, k)
    ),
    "mAP@{k}_without_negatives": QueryMetric(
        lambda lists, k: average_precision_at_k_without_negatives(
            lists.positive_hits, lists.negative_hits, lists.n_positives, k
        ),
        whole_list=True,
    ),
    "delta_mAP@{k}": QueryMetric(
        lambda lists, k: delta_average_precision_at_k(lists.positive_hits, lists.negative_hits, lists.n_positives, k),
        whole_list=True,
    ),
}
RATIO_METRICS: Final[Mapping[str, RatioMetric]] = {
    "relative_delta_mAP@{k}": RatioMetric("delta_mAP@{k}", "mAP@{k}", empty=0.0),
}
GROUP_METRICS: Final[Mapping[str, GroupMetric]] = {
    "linguistic_range": linguistic_range,
    "linguistic_std": linguistic_std,
}


def split_name(name: str) -> tuple[str, int | None]:
    """Split a metric's name into its family and cutoff.

    Raises:
        MetricNameError: If no function computes it.

    Example:
        >>> split_name("mAP@10_without_negatives")
        ('mAP@{k}_without_negatives', 10)
        >>> split_name("linguistic_std")
        ('linguistic_std', None)
    """
    if name in GROUP_METRICS:
        return name, None
    head, _, rest = name.partition("@")
    digits = rest[: len(rest) - len(rest.lstrip("0123456789"))]
    family = f"{head}@{{k}}{rest[len(digits) :]}"
    if not 0 < len(digits) < 10 or int(digits) < 1 or (family not in QUERY_METRICS and family not in RATIO_METRICS):
        known = ", ".join([*QUERY_METRICS, *RATIO_METRICS, *GROUP_METRICS])
        raise MetricNameError(f"there is no metric {name!r}; known are: {known}")
    return family, int(digits)


def check_metrics(rules: ScoringRules) -> None:
    """Check that all metrics of a protocol can be computed, and that the spread between wordings has one to take.

    Raises:
        MetricNameError: Naming the first that cannot.
    """
    for name in rules.metrics:
        family, _ = split_name(name)
        if family in GROUP_METRICS and rules.language is None:
            raise MetricNameError(f"protocol {rules.name!r}: {name} needs a [protocols.language] that says of what")
    if rules.language and split_name(rules.language.metric)[0] not in QUERY_METRICS:
        raise MetricNameError(f"protocol {rules.name!r}: language: {rules.language.metric!r} has no value per query")
