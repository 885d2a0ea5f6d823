"""Small pictures as server-side SVG: x in per cent, y in pixels, so that text keeps its size at every width.

No style attribute and no script: colours come from classes, so the page's policy and theme apply.
"""

from collections.abc import Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe


def percent_of(value: float, end: float) -> str:
    """A value's place on a scale from 0 to ``end``, kept on the scale."""
    return f"{min(max(value / end, 0.0), 1.0) * 100:.4g}%"


def draw_interval(value: float | None, low: float | None, high: float | None, end: float) -> SafeString:
    """The picture in a table cell: a band for the interval, a dot for the value."""
    if value is None:
        return mark_safe("")
    band = ""
    if low is not None and high is not None:
        ends = (percent_of(low, end), percent_of(high, end))
        band = format_html('<line x1="{}" x2="{}" y1="50%" y2="50%"/>', *ends)
    return format_html(
        '<svg class="iv" aria-hidden="true">{}<circle cx="{}" cy="50%" r="4"/></svg>', band, percent_of(value, end)
    )


def draw_bar(value: float | None, end: float) -> SafeString:
    """A thin line under a number."""
    if value is None:
        return mark_safe("")
    return format_html('<svg class="b" aria-hidden="true"><line x2="{}" y1="1" y2="1"/></svg>', percent_of(value, end))


def draw_strip(values: Sequence[float], end: float, end_text: str) -> SafeString:
    """Where every public row of a benchmark lies, in one line; the first value is the leader's."""
    ticks = format_html_join(
        "", '<line x1="{0}" x2="{0}" y1="8" y2="14"/>', ((percent_of(value, end),) for value in (0, end))
    )
    others = format_html_join(
        "", '<circle cx="{}" cy="11" r="3.5"/>', ((percent_of(value, end),) for value in sorted(values[1:]))
    )
    return format_html(
        '<svg class="strip" aria-hidden="true"><line x2="100%" y1="11" y2="11"/>{}'
        '<text x="0" y="31">0</text><text x="100%" y="31" text-anchor="end">{}</text>{}'
        '<circle class="top" cx="{}" cy="11" r="5"/></svg>',
        ticks,
        end_text,
        others,
        percent_of(values[0], end),
    )
