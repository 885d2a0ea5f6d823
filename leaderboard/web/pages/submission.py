"""One submission: its timeline, problems and results, and what its team may do with it."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from leaderboard.models import Evaluation, EvaluationStatus, Submission, SubmissionStatus, User, Visibility
from leaderboard.moderation.decide import DecisionError, request_publication, withdraw
from leaderboard.tables.results import read_results
from leaderboard.web.problems import problem_groups, problems_as_csv
from leaderboard.web.timeline import is_in_work, timeline_of


def find_submission(request: HttpRequest, submission_id: UUID) -> Submission:
    """The submission if the reader may see it, else 404, as if there were none."""
    seen = Submission.objects.visible_to(request.user)
    related = seen.select_related("method__team", "split__version__benchmark", "submitted_by")
    return get_object_or_404(related, pk=submission_id)


def is_member(user: Any, submission: Submission) -> bool:
    return user.is_authenticated and Submission.objects.owned_by(user).filter(pk=submission.pk).exists()


@require_safe
def submission(request: HttpRequest, submission_id: UUID) -> HttpResponse:
    found = find_submission(request, submission_id)
    order = [protocol.name for protocol in found.split.rules.protocols]
    evaluations = sorted(
        Evaluation.objects.filter(submission=found), key=lambda e: (order.index(e.protocol), e.created_at)
    )
    member = is_member(request.user, found)
    has_score = any(evaluation.status == EvaluationStatus.SCORED for evaluation in evaluations)
    context = {
        "nav": "my" if member else "benchmarks",
        "submission": found,
        "benchmark": found.split.version.benchmark,
        "steps": timeline_of(found, evaluations, insider=member or request.user.is_staff),
        "in_work": is_in_work(found, evaluations),
        "results": read_results(found, evaluations),
        "groups": problem_groups(found.problems),
        "member": member,
        "may_publish": member
        and has_score
        and found.status == SubmissionStatus.ACCEPTED
        and found.visibility in {Visibility.PRIVATE, Visibility.DECLINED},
        "may_withdraw": member and found.status != SubmissionStatus.WITHDRAWN,
    }
    return render(request, "submission/status.html", context)


@require_safe
def problems_csv(request: HttpRequest, submission_id: UUID) -> HttpResponseBase:
    return problems_as_csv(find_submission(request, submission_id))


@require_POST
@login_required
def publish(request: HttpRequest, submission_id: UUID) -> HttpResponse:
    return _decide(request, submission_id, request_publication)


@require_POST
@login_required
def take_back(request: HttpRequest, submission_id: UUID) -> HttpResponse:
    return _decide(request, submission_id, withdraw)


def _decide(request: HttpRequest, submission_id: UUID, decision: Callable[[Submission, User], None]) -> HttpResponse:
    found = find_submission(request, submission_id)
    assert isinstance(request.user, User)
    try:
        decision(found, request.user)
    except DecisionError as error:
        messages.error(request, str(error))
    return redirect("submission", found.pk)
