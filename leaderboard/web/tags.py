"""Template tags: pictures, and numbers as people read them."""

from datetime import datetime, timedelta

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from leaderboard.models import Split
from leaderboard.tables.asked import queries_of
from leaderboard.tables.board import Cell
from leaderboard.tables.numbers import show_bytes, show_duration
from leaderboard.tables.overview import Card
from leaderboard.web.drawing import draw_bar, draw_interval, draw_strip

register = template.Library()


@register.simple_tag
def interval(cell: Cell, end: float) -> SafeString:
    return draw_interval(cell.value, cell.low, cell.high, end)


@register.simple_tag
def bar(cell: Cell, end: float) -> SafeString:
    return draw_bar(cell.value, end)


@register.filter
def strip(card: Card) -> SafeString:
    return draw_strip(card.values, card.end, card.end_text)


@register.filter
def n_queries(split: Split) -> str:
    return queries_of(split)


@register.filter
def bytes_text(size: int) -> str:
    return show_bytes(size)


@register.filter
def duration(seconds: float) -> str:
    return show_duration(seconds)


@register.filter
def moment(value: datetime | None) -> str | SafeString:
    """`30 Nov 2026, 20:41 UTC`, with the machine's form beside it."""
    if value is None:
        return ""
    text = f"{value:%d %b %Y, %H:%M} UTC".removeprefix("0")
    return format_html('<time datetime="{}">{}</time>', value.isoformat(timespec="seconds"), text)


@register.filter
def clock(value: datetime | None) -> str | SafeString:
    """`20:41:05 UTC` for today's moments, the whole date for older ones."""
    if value is None:
        return ""
    if timezone.now() - value > timedelta(hours=20):
        return moment(value)
    return format_html('<time datetime="{}">{} UTC</time>', value.isoformat(timespec="seconds"), f"{value:%H:%M:%S}")


@register.filter
def web_link(address: str) -> str | SafeString:
    """A link that somebody wrote, if it leads to the web; anything else stays text."""
    if not address.startswith(("https://", "http://")):
        return address
    return format_html('<a href="{0}" rel="noopener nofollow ugc">{0}</a>', address)


@register.filter
def digest(value: str) -> str:
    """A digest short enough to read: `9c41a0b2…e07b`."""
    return f"{value[:8]}…{value[-4:]}" if len(value) > 16 else value
