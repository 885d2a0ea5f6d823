"""What a split asks of a run, in words: how many queries, and how long each list must be."""

from evaluator.public.manifest import Part, Protocol
from leaderboard.models import Split

WHOLE_GALLERY = "its query's whole gallery"


def lengths_of(protocol: Protocol) -> tuple[tuple[str, str], ...]:
    """For each kind of list its title, "" where all are of one kind, and how long it must be."""
    if protocol.full_gallery:
        return (("", WHOLE_GALLERY),)
    kinds: tuple[Protocol | Part, ...] = protocol.parts or (protocol,)
    return tuple((kind.title if protocol.parts else "", _range(*kind.list_length)) for kind in kinds)


def queries_of(split: Split) -> str:
    """`4,181 queries in 2 parts`, `1 query`."""
    queries = f"{split.n_queries:,} {'query' if split.n_queries == 1 else 'queries'}"
    n_parts = len(split.rules.protocols[0].parts)
    return f"{queries} in {n_parts} parts" if n_parts else queries


def rule_of(split: Split) -> str:
    """What must be in a run, in one or two sentences."""
    protocol = split.rules.protocols[0]
    lengths = lengths_of(protocol)
    if protocol.full_gallery:
        return f"All {queries_of(split)}; each list orders {WHOLE_GALLERY}, best first, each image once."
    if not protocol.parts:
        return f"All {queries_of(split)}, {lengths[0][1]} images each, best first, each image once."
    kinds = "; ".join(f"{title}: {length} images each" for title, length in lengths)
    return (
        f"All {queries_of(split)}: {kinds}; best first, each image once. "
        "A part may be left out: its metrics are then n/a, and nothing is ranked on them."
    )


def _range(fewest: int, most: int) -> str:
    return f"exactly {fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
