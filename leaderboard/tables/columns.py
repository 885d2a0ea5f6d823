"""The columns of a table: what each metric is called, which way is better, and what it counts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from leaderboard.tables.rules import Protocol

Better = Literal["higher", "lower", "neither"]
OVERALL, TARGET, NEGATIVES, WORDING = "Overall", "Target image", "Hard negatives", "Wording"
GROUPS = (OVERALL, TARGET, NEGATIVES, WORDING)
# More columns than this and only those at the ranking cutoff are shown until a reader chooses others.
ALL_SHOWN_UP_TO = 8
CUTOFF = re.compile(r"@(\d+)")
NAME = re.compile(r"(?P<stem>[A-Za-z_]+?)(?:@(?P<k>\d+))?(?P<without>_without_negatives)?")


@dataclass(frozen=True, slots=True)
class Column:
    """One metric as a column.

    Attributes:
        metric: The name in reports, such as ``mAP@10``.
        slug: The name in addresses, such as ``map_at_10``.
        title: The header's first line.
        second_line: What the header adds: which mAP, of what.
        group: One of GROUPS.
        better: Which way is better; "neither" where a small value is no merit by itself.
        family: What metrics that differ only in K have in common.
        cutoff: K, or None.
    """

    metric: str
    slug: str
    title: str
    second_line: str
    group: str
    better: Better
    family: str
    cutoff: int | None

    @property
    def arrow(self) -> str:
        return {"higher": "↑", "lower": "↓", "neither": ""}[self.better]

    @property
    def best_first(self) -> str:
        """The sort that puts the best row first; largest first where there is no better."""
        return self.slug if self.better == "lower" else f"-{self.slug}"


@dataclass(frozen=True, slots=True)
class _Family:
    title: str
    second_line: str
    group: str
    better: Better
    gloss: str
    by_default: bool = True


_FAMILIES = {
    "mAP": _Family(
        "mAP@{k}", "", OVERALL, "higher", "AP@{k} divides by the smaller of {k} and the number of positives."
    ),
    "precision": _Family("P@{k}", "", OVERALL, "higher", "P@{k}: share of the top {k} that is right."),
    "recall": _Family("R@{k}", "", OVERALL, "higher", "R@{k}: share of the positives found in the top {k}."),
    "target_recall": _Family(
        "R@{k}", "", TARGET, "higher", "Target R@{k}: share of queries whose one target image is in the top {k}."
    ),
    "negative_recall": _Family(
        "NegR@{k}", "", NEGATIVES, "lower", "NegR@{k}: share of the hard negatives found in the top {k}."
    ),
    "mAP_without_negatives": _Family(
        "Without", "mAP@{k}", NEGATIVES, "higher", "Without: mAP@{k} after hard negatives are taken out of the list."
    ),
    "delta_mAP": _Family(
        "Cost", "mAP@{k}", NEGATIVES, "lower", "Cost: what mAP@{k} gains when hard negatives are taken out of the list."
    ),
    "relative_delta_mAP": _Family(
        "Rel. cost",
        "mAP@{k}",
        NEGATIVES,
        "lower",
        "Rel. cost: the cost as a share of mAP@{k}.",
        by_default=False,
    ),
    "linguistic_range": _Family(
        "Range",
        "of {language}",
        WORDING,
        "neither",
        "Range: highest minus lowest {language} within a group of wordings; no best is marked, for a poor method can have a small range.",
    ),
    "linguistic_std": _Family(
        "Std. dev.",
        "of {language}",
        WORDING,
        "neither",
        "Std. dev.: of {language} within a group of wordings.",
        by_default=False,
    ),
}


def slug_of(metric: str) -> str:
    return metric.lower().replace("@", "_at_")


def column_of(metric: str, protocol: Protocol) -> Column:
    """The column of a metric; a metric of no known family is shown by its own name, higher taken as better."""
    match = NAME.fullmatch(metric)
    stem = match["stem"] + (match["without"] or "") if match else metric
    k = match["k"] if match else None
    family = _FAMILIES.get(stem, _Family(metric, "", OVERALL, "higher", ""))
    words = _words(k or "", protocol)
    return Column(
        metric=metric,
        slug=slug_of(metric),
        title=family.title.format(**words),
        second_line=family.second_line.format(**words),
        group=family.group,
        better=family.better,
        family=stem,
        cutoff=int(k) if k else None,
    )


def columns_of(protocol: Protocol) -> tuple[Column, ...]:
    """All columns of a protocol: the ranking one first, then by group, in the protocol's order."""
    columns = [column_of(metric, protocol) for metric in protocol.metrics]
    known = list(_FAMILIES)
    # Python's sort is stable, so within a family the protocol's order stays.
    columns.sort(
        key=lambda column: (
            column.metric != protocol.primary,
            GROUPS.index(column.group),
            known.index(column.family) if column.family in _FAMILIES else len(known),
        )
    )
    return tuple(columns)


def columns_shown(protocol: Protocol, chosen: tuple[str, ...]) -> tuple[Column, ...]:
    """The ranking column and the chosen ones, or a default that fits on a page."""
    columns = columns_of(protocol)
    primary = columns[0]
    if chosen:
        return tuple(column for column in columns if column is primary or column.slug in chosen)
    if len(columns) <= ALL_SHOWN_UP_TO:
        return columns
    return tuple(
        column
        for column in columns
        if column.cutoff in (primary.cutoff, None)
        and (column.family not in _FAMILIES or _FAMILIES[column.family].by_default)
    )


def glosses_of(columns: Sequence[Column], protocol: Protocol) -> list[str]:
    """What the shown metrics count, one sentence a family."""
    cutoffs: dict[str, list[str]] = {}
    for column in columns:
        cutoffs.setdefault(column.family, []).append(str(column.cutoff or ""))
    language = _words("", protocol)["language"]
    return [
        _FAMILIES[family].gloss.format(k=ks[0] if len(ks) == 1 else "K", language=language)
        for family, ks in cutoffs.items()
        if family in _FAMILIES
    ]


def summarise_metrics(protocol: Protocol) -> str:
    """All metrics but the ranking one, cutoffs of a family together: `mAP@1, 5, 50; recall@10`."""
    families: dict[str, list[str]] = {}
    for metric in protocol.metrics:
        match = CUTOFF.search(metric)
        pattern, k = (CUTOFF.sub("@{k}", metric), match[1]) if match else (metric, "")
        families.setdefault(pattern, [])
        if metric != protocol.primary:
            families[pattern].append(k)
    return "; ".join(pattern.format(k=", ".join(ks)) for pattern, ks in families.items() if ks)


def _words(k: str, protocol: Protocol) -> dict[str, str]:
    return {"k": k, "language": protocol.language_metric.replace("precision@", "P@")}
