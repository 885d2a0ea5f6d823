"""The page of the keys by which receipts are signed."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from leaderboard.models import SigningKey


@require_safe
def keys(request: HttpRequest) -> HttpResponse:
    server = request.build_absolute_uri("/").rstrip("/")
    return render(request, "keys.html", {"nav": "", "keys": SigningKey.objects.all(), "server": server})
