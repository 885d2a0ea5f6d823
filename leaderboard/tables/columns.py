"""The columns of a table: what each metric is called, which way is better, and what it counts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from evaluator.public.manifest import Protocol
from leaderboard.tables.families import FAMILIES, GROUPS, OVERALL, PREFIXES, Better, Family
from leaderboard.tables.rules import language_metric

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
        counted: What a mean is taken over, queries or groups of them.
        prefix: How the mean is taken, where it is another than over queries.
    """

    metric: str
    slug: str
    title: str
    second_line: str
    group: str
    better: Better
    family: str
    cutoff: int | None
    counted: str = "queries"
    prefix: str = ""

    @property
    def arrow(self) -> str:
        return {"higher": "↑", "lower": "↓", "neither": ""}[self.better]

    @property
    def best_first(self) -> str:
        """The sort that puts the best row first; largest first where there is no better."""
        return self.slug if self.better == "lower" else f"-{self.slug}"


def slug_of(metric: str) -> str:
    return metric.lower().replace("@", "_at_")


def column_of(metric: str, protocol: Protocol) -> Column:
    """The column of a metric; a metric of no known family is shown by its own name, higher taken as better."""
    prefix = next((prefix for prefix in PREFIXES if metric.startswith(prefix)), "")
    if prefix:
        taken, base = PREFIXES[prefix], column_of(metric.removeprefix(prefix), protocol)
        return replace(
            base,
            metric=metric,
            slug=slug_of(metric),
            title=f"{taken.title} {base.title}",
            better=taken.better if base.better == "higher" else "neither",
            counted=taken.counted,
            prefix=prefix,
        )
    match = NAME.fullmatch(metric)
    key = f"{match['stem']}{match['without'] or ''}{'@' if match['k'] else ''}" if match else metric
    family = FAMILIES.get(key, Family(metric, "", OVERALL, "higher", ""))
    k = match["k"] if match else None
    words = _words(k or "", protocol)
    return Column(
        metric=metric,
        slug=slug_of(metric),
        title=family.title.format(**words) if key in FAMILIES else metric,
        second_line=family.second_line.format(**words),
        group=family.group,
        better=family.better,
        family=key,
        cutoff=int(k) if k else None,
        counted=family.counted,
    )


def columns_of(protocol: Protocol) -> tuple[Column, ...]:
    """All columns of a protocol: the ranking one first, then by group, in the protocol's order."""
    columns = [column_of(metric, protocol) for metric in protocol.metrics]
    known = list(FAMILIES)
    # Python's sort is stable, so within a family the protocol's order stays.
    columns.sort(
        key=lambda column: (
            column.metric != protocol.primary,
            GROUPS.index(column.group),
            known.index(column.family) if column.family in FAMILIES else len(known),
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
        and (column.family not in FAMILIES or FAMILIES[column.family].by_default)
    )


def glosses_of(columns: Sequence[Column], protocol: Protocol) -> list[str]:
    """What the shown metrics count, one sentence a family."""
    cutoffs: dict[str, list[str]] = {}
    for column in columns:
        cutoffs.setdefault(column.family, []).append(str(column.cutoff or ""))
    language = _words("", protocol)["language"]
    means = dict.fromkeys(PREFIXES[column.prefix].gloss for column in columns if column.prefix)
    return [
        *(
            FAMILIES[family].gloss.format(k=ks[0] if len(set(ks)) == 1 else "K", language=language)
            for family, ks in cutoffs.items()
            if family in FAMILIES
        ),
        *means,
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
    return {"k": k, "language": language_metric(protocol).replace("precision@", "P@")}
