"""What must hold of the measurements, and how close each comes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tests.performance.contest import Took

TREC_LIBRARIES = ("pytrec_eval", "ir_measures")
TIMES_AS_FAST = 4.0
SHARE_OF_MEMORY = 0.5
TIMES_THE_FLOOR = 3.0
BOOTSTRAP_WITHIN_S = 1.0
GROWTH_PER_DOUBLING = 2.4
HOSTILE_WITHIN_S = 20.0
HOSTILE_WITHIN_BYTES = 1 << 30
"""A third of the time and half of the memory after which a check is stopped, for a million faults."""


@dataclass(frozen=True)
class Target:
    """One comparison.

    Attributes:
        what: What is compared, in words.
        found: What was measured.
        bound: What it may be at most, or at least.
        at_least: Which of the two.
    """

    what: str
    found: float
    bound: float
    at_least: bool = False

    @property
    def is_met(self) -> bool:
        return self.found >= self.bound if self.at_least else self.found <= self.bound

    @property
    def wanted(self) -> str:
        return f"{'at least' if self.at_least else 'at most'} {self.bound:g}"

    def __str__(self) -> str:
        return f"{self.what}: {self.found:.2f}, {self.wanted}"


def missed(targets: Iterable[Target]) -> list[str]:
    return [str(target) for target in targets if not target.is_met]


def speed_over_libraries(contest: Mapping[str, Took]) -> list[Target]:
    """Missing libraries fail here: the comparison would be void."""
    ours = contest["official"].wall_s
    return [
        Target(f"{name}'s time / ours", contest[name].wall_s / ours, TIMES_AS_FAST, at_least=True)
        for name in TREC_LIBRARIES
    ]


def memory_beside_libraries(contest: Mapping[str, Took]) -> list[Target]:
    ours = contest["official"].peak_bytes
    return [
        Target(f"our peak memory / {name}'s", ours / contest[name].peak_bytes, SHARE_OF_MEMORY)
        for name in TREC_LIBRARIES
    ]


def speed_beside_the_set_loop(contest: Mapping[str, Took]) -> list[Target]:
    return [Target("our time / the set loop's", contest["official"].wall_s / contest["set_loop"].wall_s, 1.0)]


def canonical_beside_the_floor(contest: Mapping[str, Took]) -> list[Target]:
    return [Target("canonical run / floor", contest["canonical"].wall_s / contest["floor"].wall_s, TIMES_THE_FLOOR)]


def bootstrap_time(stages: Sequence[Mapping[str, Any]]) -> list[Target]:
    return [Target("seconds for all intervals", stages[0]["timings_s"]["estimate"], BOOTSTRAP_WITHIN_S)]


def growth(what: str, times: Sequence[float]) -> list[Target]:
    """Times at sizes each twice as large as the one before."""
    return [
        Target(f"{what}, times {2**place} to times {2 ** (place + 1)}", after / before, GROWTH_PER_DOUBLING)
        for place, (before, after) in enumerate(pairwise(times))
    ]


def hostile_bounds(checks: Mapping[str, Mapping[str, Any]]) -> list[Target]:
    return [
        target
        for kind, took in checks.items()
        for target in (
            Target(f"{kind}: seconds", took["cpu_s"], HOSTILE_WITHIN_S),
            Target(f"{kind}: MB", took["peak_bytes"] / 1e6, HOSTILE_WITHIN_BYTES / 1e6),
        )
    ]
