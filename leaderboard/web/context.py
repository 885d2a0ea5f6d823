"""What every page knows."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from evaluator import __version__

THEMES = ("auto", "light", "dark")


def theme_of(request: HttpRequest) -> str:
    theme = request.COOKIES.get("theme", "auto")
    return theme if theme in THEMES else "auto"


def site(request: HttpRequest) -> dict[str, Any]:
    """The reader's colours and the server's version."""
    return {"theme": theme_of(request), "version": __version__, "upload_limit_bytes": settings.UPLOAD_LIMIT_BYTES}
