"""The home page, and the switch for colours."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

from leaderboard.tables.benchmarks import installed_splits
from leaderboard.tables.overview import read_activity, read_cards, read_recent
from leaderboard.web.context import THEMES

YEAR_S = 365 * 24 * 3600


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    splits = list(installed_splits())
    context = {
        "nav": "home",
        "cards": read_cards(splits),
        "recent": read_recent(splits),
        "activity": read_activity(),
    }
    return render(request, "home.html", context)


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Keep the reader's colours in a cookie and go back to where they were."""
    target = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(
        target, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    response = redirect(target if safe else "home")
    chosen = request.POST.get("theme", "")
    if chosen in THEMES:
        response.set_cookie("theme", chosen, max_age=YEAR_S, samesite="Lax", secure=request.is_secure(), httponly=True)
    return response
