"""The difference of two runs in words."""

from typing import Final

from evaluator.public.manifest import Display

SIGNIFICANT_UP_TO: Final = 0.05


def difference_words(
    metric: str,
    value: float | None,
    interval: tuple[float, float] | None,
    p: float | None,
    display: Display,
    *,
    names: tuple[str, str] = ("A", "B"),
    is_exploratory: bool = False,
) -> str:
    """One sentence on the difference of two runs on one metric.

    Only on the primary metric is a run called better: of others not all are better when they are higher.

    Args:
        metric: Its name.
        value: First run less second run, None where it is not known.
        interval: 95 % interval of the difference.
        p: Of the paired test, None where none is made.
        display: How the benchmark's numbers are shown.
        names: Of the two runs.
        is_exploratory: Whether the metric is another than the primary one.

    Example:
        >>> difference_words("mAP@10", 0.021, (0.012, 0.03), 0.0002, Display(percent=True, decimals=1))
        'A is better than B on mAP@10 by 2.1 points (95 % interval 1.2 to 3.0, p = 0.0002).'
        >>> difference_words("mAP@10", 0.003, (-0.004, 0.01), 0.41, Display(percent=True, decimals=1))
        'No significant difference on mAP@10 (difference 0.3 points, 95 % interval -0.4 to 1.0, p = 0.41).'
    """
    if value is None:
        return f"The runs cannot be compared on {metric}: it is not given for both."
    if value == 0 and interval is None:
        return f"The runs do not differ on {metric}."
    unit = " points" if display.percent else ""
    if p is not None and p > SIGNIFICANT_UP_TO:
        about = f"difference {number(value, display)}{unit}, {_spread(interval, display)}, p = {probability(p)}"
        return f"No significant difference on {metric} ({about})."
    # Turned so that the run named first is the one with the larger value.
    first, second = names if value >= 0 else names[::-1]
    if value < 0:
        value, interval = -value, None if interval is None else (-interval[1], -interval[0])
    verb = "is higher" if is_exploratory or p is None else "is better"
    tested = "no test is made" if p is None else f"p = {probability(p)}"
    sentence = f"{first} {verb} than {second} on {metric} by {number(value, display)}{unit}"
    return f"{sentence} ({_spread(interval, display)}, {tested})."


def number(value: float | None, display: Display) -> str:
    """A value, difference or end of an interval as the benchmark shows its numbers.

    Example:
        >>> number(-0.00001, Display(percent=True, decimals=2)), number(None, Display(percent=True, decimals=2))
        ('0.00', '-')
    """
    if value is None:
        return "-"
    return f"{value * 100 if display.percent else value:z.{display.decimals}f}"


def probability(p: float) -> str:
    """A p-value with two digits that count.

    Example:
        >>> probability(0.0123), probability(1 / 10_001), probability(1.0)
        ('0.012', '0.0001', '1')
    """
    return f"{p:.2g}"


def _spread(interval: tuple[float, float] | None, display: Display) -> str:
    if interval is None:
        return "no interval"
    return f"95 % interval {number(interval[0], display)} to {number(interval[1], display)}"
