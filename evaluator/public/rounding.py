"""Numbers rounded as a benchmark's page shows them, for whatever must say no more than the page does."""

from decimal import Decimal
from typing import Any, Final

from evaluator.public.manifest import Display

INTERVAL_ENDS: Final = frozenset({"low", "high"})


def rounded_for(display: Display, value: Any) -> Any:
    """Round every fraction among JSON values as the benchmark's page shows it.

    Whatever is no whole number is rounded, wherever it stands, so that nothing exact slips through under a new name.
    The ends of intervals in percent have a decimal less than values, but at least one; they are the keys ``low`` and
    ``high``.

    Args:
        display: The manifest's.
        value: JSON values; counts are int and stay.

    Returns:
        The same values in the same unit, fractions for rates.

    Example:
        >>> rounded_for(Display(percent=True, decimals=2), {"value": 0.123456, "low": 0.11111, "high": None, "n": 800})
        {'value': 0.1235, 'low': 0.111, 'high': None, 'n': 800}
    """
    return _rounded(display, value, display.decimals)


def _rounded(display: Display, value: Any, decimals: int) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(display, entry, _decimals_of(key, display)) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(display, entry, decimals) for entry in value]
    return _as_shown(value, display, decimals) if isinstance(value, float) else value


def _decimals_of(key: str, display: Display) -> int:
    return max(display.decimals - 1, 1) if display.percent and key in INTERVAL_ENDS else display.decimals


def _as_shown(value: float, display: Display, decimals: int) -> float:
    """The number on the page, back in its own unit. Decimal, since a division of floats would leave digits behind."""
    if not display.percent:
        return float(f"{value:z.{decimals}f}")
    return float(Decimal(f"{value * 100:z.{decimals}f}").scaleb(-2))
