"""Which split a page is about."""

from django.db.models import QuerySet

from leaderboard.models import Split
from leaderboard.tables.rules import UnknownChoiceError


def installed_splits() -> QuerySet[Split]:
    """Splits of the newest version of each benchmark, by title."""
    newest = (
        Split.objects.order_by("version__benchmark_id", "-version_id")
        .distinct("version__benchmark_id")
        .values("version_id")
    )
    return (
        Split.objects.filter(version__in=newest)
        .select_related("version__benchmark")
        .order_by("version__benchmark__title", "id")
    )


def splits_of(slug: str) -> list[Split]:
    """The splits of a benchmark's newest version, at least one.

    Raises:
        UnknownChoiceError: If there is no such benchmark.
    """
    splits = list(installed_splits().filter(version__benchmark__slug=slug))
    if not splits:
        raise UnknownChoiceError("benchmark", slug, sorted({s.version.benchmark.slug for s in installed_splits()}))
    return splits


def split_of(slug: str, split: str = "") -> Split:
    """The named split of a benchmark's newest version, or its first.

    Raises:
        UnknownChoiceError: If there is no such benchmark or split.
    """
    splits = splits_of(slug)
    if not split:
        return splits[0]
    for candidate in splits:
        if candidate.name == split:
            return candidate
    raise UnknownChoiceError("split", split, [candidate.name for candidate in splits])


def splits_beside(split: Split) -> list[Split]:
    """All splits of the same version, the given one among them."""
    return list(Split.objects.filter(version=split.version).order_by("id"))
