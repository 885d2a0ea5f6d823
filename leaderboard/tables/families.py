"""Families of metrics: what their columns are called, which way is better, and what they count."""

from dataclasses import dataclass
from typing import Final, Literal

Better = Literal["higher", "lower", "neither"]
OVERALL, TARGET, SUBSET, NEGATIVES, WORDING = "Overall", "Target image", "Subset", "Hard negatives", "Wording"
GROUPS = (OVERALL, TARGET, SUBSET, NEGATIVES, WORDING)


@dataclass(frozen=True, slots=True)
class Family:
    """Metrics that differ only in K.

    Attributes:
        title: The header's first line; ``{k}`` stands for the cutoff.
        second_line: What the header adds: which mAP, of what.
        group: One of GROUPS.
        better: Which way is better; "neither" where a small value is no merit by itself.
        gloss: What it counts, in a sentence.
        by_default: Whether it is shown where there are many columns.
        counted: What a mean is taken over.
    """

    title: str
    second_line: str
    group: str
    better: Better
    gloss: str
    by_default: bool = True
    counted: str = "queries"


@dataclass(frozen=True, slots=True)
class Prefix:
    """A way of taking the mean of another family's values.

    Attributes:
        title: Stands before the title of the other family.
        gloss: What it is.
        better: Which way is better.
        counted: What the mean is taken over.
    """

    title: str
    gloss: str
    better: Better = "higher"
    counted: str = "groups"


FAMILIES: Final = {
    "mAP@": Family(
        "mAP@{k}", "", OVERALL, "higher", "AP@{k} divides by the smaller of {k} and the number of positives."
    ),
    "mAP": Family(
        "mAP", "", OVERALL, "higher", "mAP: trapezoid AP over the whole list, divided by the number of positives."
    ),
    "mAP_standard": Family(
        "mAP", "standard", OVERALL, "higher", "Standard mAP: mean precision at the positives over the whole list."
    ),
    "mAP_official": Family(
        "mAP",
        "rounded",
        OVERALL,
        "higher",
        "Rounded mAP: as the official code, which rounds each group to 2 decimals and the mean of them again.",
    ),
    "recall_official@": Family(
        "R@{k}", "rounded", OVERALL, "higher", "Rounded R@{k}: as the official code rounds it.", by_default=False
    ),
    "precision_official@": Family(
        "P@{k}", "rounded", OVERALL, "higher", "Rounded P@{k}: as the official code rounds it.", by_default=False
    ),
    "precision@": Family("P@{k}", "", OVERALL, "higher", "P@{k}: share of the top {k} that is right."),
    "recall@": Family("R@{k}", "", OVERALL, "higher", "R@{k}: share of the positives found in the top {k}."),
    "hit_rate@": Family(
        "Hit@{k}", "", OVERALL, "higher", "Hit@{k}: share of queries with at least one positive in the top {k}."
    ),
    "nDCG@": Family(
        "nDCG@{k}", "", OVERALL, "higher", "nDCG@{k}: discounted gain of the top {k}, 1 for the best list."
    ),
    "reciprocal_rank": Family(
        "MRR", "", OVERALL, "higher", "MRR: mean of 1 divided by the rank of the first positive."
    ),
    "target_recall@": Family(
        "R@{k}", "", TARGET, "higher", "Target R@{k}: share of queries whose one target image is in the top {k}."
    ),
    "recall_subset@": Family(
        "Rs@{k}",
        "",
        SUBSET,
        "higher",
        "Rs@{k}: share of queries whose target is in the top {k} of their own small set.",
    ),
    "negative_recall@": Family(
        "NegR@{k}", "", NEGATIVES, "lower", "NegR@{k}: share of the hard negatives found in the top {k}."
    ),
    "negative_share@": Family(
        "Neg@{k}", "", NEGATIVES, "lower", "Neg@{k}: share of the top {k} that is a hard negative."
    ),
    "mAP_without_negatives@": Family(
        "Without", "mAP@{k}", NEGATIVES, "higher", "Without: mAP@{k} after hard negatives are taken out of the list."
    ),
    "delta_mAP@": Family(
        "Cost", "mAP@{k}", NEGATIVES, "lower", "Cost: what mAP@{k} gains when hard negatives are taken out of the list."
    ),
    "relative_delta_mAP@": Family(
        "Rel. cost",
        "mAP@{k}",
        NEGATIVES,
        "lower",
        "Rel. cost: the cost as a share of mAP@{k}.",
        by_default=False,
    ),
    "linguistic_range": Family(
        "Range",
        "of {language}",
        WORDING,
        "neither",
        "Range: highest minus lowest {language} within a group of wordings; no best is marked, for a poor method can have a small range.",
        counted="groups",
    ),
    "linguistic_std": Family(
        "Std. dev.",
        "of {language}",
        WORDING,
        "neither",
        "Std. dev.: of {language} within a group of wordings.",
        by_default=False,
        counted="groups",
    ),
    "worst_paraphrase": Family(
        "Worst",
        "{language}",
        WORDING,
        "higher",
        "Worst: {language} of the worst wording, mean over groups of wordings.",
        counted="groups",
    ),
    "relative_linguistic_range": Family(
        "Rel. range",
        "of {language}",
        WORDING,
        "neither",
        "Rel. range: mean range as a share of the mean {language}.",
        by_default=False,
        counted="groups",
    ),
}
PREFIXES: Final = {
    "macro_": Prefix("macro", "Macro: mean over groups of each group's mean."),
    "min_": Prefix("min", "Min: mean over groups of each group's worst query."),
    "micro_": Prefix("micro", "Micro: mean over queries, whatever their group.", counted="queries"),
    "multi_image_ratio_": Prefix(
        "multi/single",
        "Multi/single: over queries with several reference images, as a share of that over queries with one.",
        better="neither",
        counted="queries",
    ),
}
