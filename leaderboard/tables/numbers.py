"""Numbers as people read them. Stored values are fractions; the benchmark says how they are shown."""

import math

from evaluator.public.manifest import Display

MINUS = "\N{MINUS SIGN}"
DASH = "\N{EN DASH}"
STEPS = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)


def show_value(value: float | None, display: Display) -> str:
    """`0.1698`, `34.35`, `n/a`, or `<0.0001` for what is not 0 and would look like it."""
    if value is None:
        return "n/a"
    return _signed(value * 100 if display.percent else value, display.decimals)


def show_interval(low: float | None, high: float | None, display: Display) -> str:
    """Both ends, such as .1605 and .1791 with a dash between; empty where there is no interval."""
    if low is None or high is None:
        return ""
    ends = [_interval_end(end, display) for end in (low, high)]
    # A dash between two signed numbers would read as a third sign.
    return (" to " if MINUS in "".join(ends) else DASH).join(ends)


def show_points(difference: float, display: Display) -> str:
    """A difference in the unit of the column."""
    return show_value(difference, display)


def scale_end(largest: float) -> float:
    """The smallest round number that holds the largest value, so that a scale of four steps ends on it."""
    if largest <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(largest))
    return next(step * power for step in STEPS if largest <= step * power * (1 + 1e-9))


def show_tick(value: float, display: Display) -> str:
    """An end of a scale: `.20`, `40`, `0`."""
    shown = value * 100 if display.percent else value
    text = f"{shown:.4g}"
    return text.removeprefix("0") if text.startswith("0.") else text


def show_bytes(size: int) -> str:
    """`15.6 MB`, in powers of ten."""
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= factor:
            return f"{size / factor:.1f} {unit}"
    return f"{size} bytes"


def show_duration(seconds: float) -> str:
    """`0.8 s`, `42 s`, `2 min 31 s`, `3 h 5 min`, `2 days`."""
    if seconds < 10:
        return f"{max(seconds, 0):.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    if whole < 2 * 86400:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    return f"{whole // 86400} days"


def _interval_end(value: float, display: Display) -> str:
    if display.percent:
        return _signed(value * 100, max(display.decimals - 1, 1))
    text = _signed(value, display.decimals)
    return text.replace("0.", ".", 1) if text.lstrip(f"<>{MINUS}").startswith("0.") else text


def _signed(value: float, decimals: int) -> str:
    text = f"{value:z.{decimals}f}"
    if value and not float(text):
        # A score that is not 0 must not look like one that is.
        smallest = f"{10.0**-decimals:.{decimals}f}"
        return f"<{smallest}" if value > 0 else f">{MINUS}{smallest}"
    return text.replace("-", MINUS)
