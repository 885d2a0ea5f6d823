"""Where a shape carries its emblem."""

from typing import NamedTuple


class Badge(NamedTuple):
    """Centre and radius of the emblem, in the pen's square."""

    x: float
    y: float
    radius: float
