"""The page where a run is checked and submitted."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from leaderboard.intake.errors import IntakeError
from leaderboard.intake.receive import receive
from leaderboard.models import Split, User
from leaderboard.tables.benchmarks import installed_splits
from leaderboard.web.examples import example_of
from leaderboard.web.forms import MethodForm, RunForm
from leaderboard.web.intake_request import named_method
from leaderboard.web.pages.benchmark import find_split
from leaderboard.web.problems import problem_groups
from leaderboard.web.turns import dry_run_in_turn


@require_safe
def choose(request: HttpRequest) -> HttpResponse:
    """Which benchmark to submit to; with only one there is nothing to choose."""
    splits = list(installed_splits())
    if len(splits) == 1:
        return redirect("submit", splits[0].version.benchmark.slug)
    return render(request, "submission/choose.html", {"nav": "submit", "splits": splits})


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def submit(request: HttpRequest, slug: str) -> HttpResponse:
    split = find_split(request, slug)
    if request.method != "POST":
        return _page(request, split, MethodForm(), RunForm())
    run = RunForm(request.POST, request.FILES)
    if request.POST.get("action") == "check":
        method = MethodForm(initial=request.POST.dict())
        return (
            _checked(request, split, method, run) if run.is_valid() else _page(request, split, method, run, status=422)
        )
    method = MethodForm(request.POST)
    if not (run.is_valid() and method.is_valid()):
        return _page(request, split, method, run, status=422)
    return _submitted(request, split, method, run)


def _checked(request: HttpRequest, split: Split, method: MethodForm, run: RunForm) -> HttpResponse:
    """The report of the check; nothing is stored."""
    assert isinstance(request.user, User)
    file = run.cleaned_data["run"]
    try:
        outcome = dry_run_in_turn(user=request.user, split=split, stream=file)
    except IntakeError as error:
        run.add_error("run", error.message)
        return _page(request, split, method, run, status=422)
    report = outcome.report
    context = {"checked": file, "outcome": outcome, "report": report, "groups": problem_groups(report)}
    return _page(request, split, method, RunForm(), **context)


def _submitted(request: HttpRequest, split: Split, method: MethodForm, run: RunForm) -> HttpResponse:
    assert isinstance(request.user, User)
    file = run.cleaned_data["run"]
    fields = {name: value for name, value in method.cleaned_data.items() if name != "name"}
    try:
        described = named_method(request.user, method.cleaned_data["name"].replace("/", "-"), fields)
        submission = receive(user=request.user, split=split, method=described, file_name=file.name, stream=file)
    except IntakeError as error:
        run.add_error("run", error.message)
        return _page(request, split, method, run, status=422)
    return redirect("submission", submission.pk)


def _page(
    request: HttpRequest, split: Split, method: MethodForm, run: RunForm, status: int = 200, **more: Any
) -> HttpResponse:
    context = {
        "nav": "submit",
        "split": split,
        "benchmark": split.version.benchmark,
        "method": method,
        "run": run,
        "example": example_of(split),
        "server": request.build_absolute_uri("/").rstrip("/"),
        **more,
    }
    return render(request, "submission/submit.html", context, status=status)
