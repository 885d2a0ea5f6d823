"""Names of metrics: what each rests on, and how deep into a list it looks. The functions are in `evaluator.metrics`."""

import re
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from evaluator.public.manifest import ManifestError, Protocol

Kind = Literal[
    "query", "relative_delta", "spread", "relative_spread", "macro", "min", "micro", "rounded", "multi_image"
]

CUTOFF_FAMILIES: Final = (
    "mAP@{k}",
    "precision@{k}",
    "recall@{k}",
    "recall_subset@{k}",
    "hit_rate@{k}",
    "target_recall@{k}",
    "negative_recall@{k}",
    "negative_share@{k}",
    "nDCG@{k}",
    "mAP@{k}_without_negatives",
    "delta_mAP@{k}",
)
WHOLE_FAMILIES: Final = ("mAP", "mAP_standard", "reciprocal_rank")
QUERY_FAMILIES: Final = (*CUTOFF_FAMILIES, *WHOLE_FAMILIES)
"""Metrics with a value per query, with and without a cutoff."""

SPREADS: Final = ("linguistic_range", "linguistic_std", "worst_paraphrase")
RELATIVE_SPREAD: Final = "relative_linguistic_range"
RELATIVE_DELTA: Final = re.compile(r"relative_delta_mAP@([1-9][0-9]{0,8})")
ROUNDED: Final = "_official"
"""Ends the names of metrics that are rounded as the official code rounds them."""
PREFIXES: Final[dict[str, Kind]] = {
    "macro_": "macro",
    "min_": "min",
    "micro_": "micro",
    "multi_image_ratio_": "multi_image",
}
_CUTOFF: Final = re.compile(r"@([1-9][0-9]{0,8})(?![0-9])")
_BEYOND_CUTOFF: Final = ("mAP@{k}_without_negatives", "delta_mAP@{k}")
"""Deleting hard negatives moves up what stands below the cutoff."""


class MetricNameError(ManifestError):
    """A benchmark asks for a metric that no function computes: the message names it and what is known."""


@dataclass(frozen=True, slots=True)
class MetricName:
    """A metric's name, taken apart.

    Attributes:
        name: The whole name.
        kind: How its value comes from values per query.
        base: The metric with a value per query on which it rests; itself for the kind "query"; "" for the spreads,
            whose protocol names it.
    """

    name: str
    kind: Kind
    base: str


def parse_metric(name: str) -> MetricName:
    """Take a metric's name apart.

    Raises:
        MetricNameError: If there is none of that name.

    Example:
        >>> parse_metric("macro_mAP_standard")
        MetricName(name='macro_mAP_standard', kind='macro', base='mAP_standard')
    """
    if name in SPREADS:
        return MetricName(name, "spread", "")
    if name == RELATIVE_SPREAD:
        return MetricName(name, "relative_spread", "")
    if name.endswith(ROUNDED):
        base = name.removesuffix(ROUNDED)
        family_of(base)
        return MetricName(name, "rounded", base)
    if match := RELATIVE_DELTA.fullmatch(name):
        return MetricName(name, "relative_delta", f"delta_mAP@{match[1]}")
    for prefix, kind in PREFIXES.items():
        if name.startswith(prefix):
            base = name.removeprefix(prefix)
            family_of(base)
            return MetricName(name, kind, base)
    family_of(name)
    return MetricName(name, "query", name)


def family_of(name: str) -> tuple[str, int | None]:
    """Family and cutoff of a metric with a value per query.

    Raises:
        MetricNameError: If there is none of that name.

    Example:
        >>> family_of("mAP@10_without_negatives"), family_of("mAP")
        (('mAP@{k}_without_negatives', 10), ('mAP', None))
    """
    if name in WHOLE_FAMILIES:
        return name, None
    match = _CUTOFF.search(name)
    family = name[: match.start()] + "@{k}" + name[match.end() :] if match else name
    if match is None or family not in CUTOFF_FAMILIES:
        known = ", ".join(
            [
                *QUERY_FAMILIES,
                *SPREADS,
                RELATIVE_SPREAD,
                f"...{ROUNDED}",
                "relative_delta_mAP@{k}",
                *(f"{p}..." for p in PREFIXES),
            ]
        )
        raise MetricNameError(f"there is no metric {name!r}; known are: {known}")
    return family, int(match[1])


def check_metrics(protocol: Protocol) -> None:
    """Check that all metrics of a protocol can be computed, and that it names what they rest on.

    Raises:
        MetricNameError: Naming the first that cannot.
    """
    for name in protocol.metrics:
        kind = parse_metric(name).kind
        where = f"protocol {protocol.name!r}: {name} needs"
        if kind in {"spread", "relative_spread"} and protocol.language is None:
            raise MetricNameError(f"{where} a [protocols.language] that says of what")
        if kind in {"macro", "min"} and protocol.macro is None:
            raise MetricNameError(f"{where} the key macro, the axis whose values are averaged")
        if kind == "rounded" and protocol.average_over is None:
            raise MetricNameError(f"{where} the key average_over, the axis whose values are rounded")
    if protocol.language:
        try:
            family_of(protocol.language.metric)
        except MetricNameError:
            what = f"language: {protocol.language.metric!r} has no value per query"
            raise MetricNameError(f"protocol {protocol.name!r}: {what}") from None


def base_of(name: str, protocol: Protocol) -> str:
    """The metric with a value per query on which a metric rests under a protocol."""
    metric = parse_metric(name)
    if metric.base:
        return metric.base
    return protocol.language.metric if protocol.language else ""


def too_shallow(
    protocol: Protocol, lengths: NDArray[np.int64], most: NDArray[np.int64], parts: NDArray[np.int64]
) -> frozenset[str]:
    """Metrics of a protocol that lists of these lengths cannot give.

    Args:
        lengths: (Q,) images in each list.
        most: (Q,) most images that the protocol allows it.
        parts: (Q,) the list's part, a position in the protocol's parts; 0 where it has none.
    """
    missing = most - np.minimum(lengths, most)
    found = set()
    for name in protocol.metrics:
        rows = parts == part_of(name, protocol)
        family, k = family_of(base_of(name, protocol))
        short = (
            missing[rows] > 0 if k is None or family in _BEYOND_CUTOFF else lengths[rows] < np.minimum(k, most[rows])
        )
        if short.any():
            found.add(name)
    return frozenset(found)


def part_of(name: str, protocol: Protocol) -> int:
    """Position of the part whose lists a metric is taken over, 0 where the protocol has none."""
    return next((place for place, part in enumerate(protocol.parts) if name in part.metrics), 0)
