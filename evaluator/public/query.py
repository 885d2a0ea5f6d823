"""Queries of a benchmark: what is asked, without what is right."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Query:
    """One composed query.

    Attributes:
        id: Unique within the benchmark.
        reference_images: Image ids, at least one.
        modification: The text that says what to change.
        gallery_id: The gallery to rank.
        paraphrase_group: Queries that word the same need share it; None where the benchmark has no paraphrases.
        exclude: Image ids that may not be returned for this query.
        slices: Public axis -> the query's values on it (several where the axis is multi-label).
    """

    id: str
    reference_images: tuple[str, ...]
    modification: str
    gallery_id: str
    paraphrase_group: str | None = None
    exclude: tuple[str, ...] = ()
    slices: dict[str, tuple[str, ...]] = field(default_factory=dict)
