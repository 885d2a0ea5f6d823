"""A person's own pages: their team's submissions, their API tokens."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from leaderboard.models import ApiToken, Submission, User
from leaderboard.tables.listing import list_own
from leaderboard.web.forms import TokenForm


@require_safe
@login_required
def my_submissions(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    rows = list_own(Submission.objects.owned_by(request.user))
    return render(request, "account_pages/submissions.html", {"nav": "my", "rows": rows})


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def my_tokens(request: HttpRequest) -> HttpResponse:
    """The tokens; after POST also the new one's key, this once."""
    assert isinstance(request.user, User)
    form = TokenForm(request.POST or None)
    key = ""
    if request.method == "POST" and form.is_valid():
        _, key = form.issue(request.user)
        form = TokenForm()
    tokens = ApiToken.objects.filter(user=request.user, revoked_at=None).order_by("-created_at")
    context = {
        "nav": "my",
        "form": form,
        "tokens": tokens,
        "key": key,
        "now": timezone.now(),
        "server": request.build_absolute_uri("/").rstrip("/"),
    }
    response = render(request, "account_pages/tokens.html", context)
    response["Cache-Control"] = "no-store"
    return response


@require_POST
@login_required
def revoke_token(request: HttpRequest, token_id: int) -> HttpResponse:
    assert isinstance(request.user, User)
    token = get_object_or_404(ApiToken, pk=token_id, user=request.user)
    ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())
    messages.success(request, f"The token “{token.name}” is revoked: it opens nothing any more.")
    return redirect("my_tokens")
