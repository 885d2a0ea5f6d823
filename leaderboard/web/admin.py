"""The administration: decisions about submissions, and the tables behind the board."""

from collections.abc import Callable
from typing import Any, ClassVar

from allauth.account.decorators import secure_admin_login
from django import forms
from django.contrib import admin, messages
from django.contrib.admin import helpers
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from leaderboard.models import (
    ApiToken,
    AuditEvent,
    Benchmark,
    BenchmarkVersion,
    Evaluation,
    Membership,
    Method,
    Score,
    Split,
    Submission,
    Team,
    User,
)
from leaderboard.moderation import decide
from leaderboard.moderation.decide import DecisionError
from leaderboard.results.disclosure import Disclosure
from leaderboard.tables.board import cell_of
from leaderboard.web.checked_admin import CheckedAdmin, NamesAdmin
from leaderboard.web.generic import AccountAdmin, TabularInline

# People sign in at one place, which counts failed attempts.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]  # as allauth documents
admin.site.site_header = "CIRBoard administration"
admin.site.site_title = "CIRBoard"
admin.site.index_title = "Administration"

Decision = Callable[[Submission, User, str], None]


class ReadOnlyAdmin(CheckedAdmin):
    """Rows that are looked at, and never typed."""

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002 - the signature is Django's
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002 - the signature is Django's
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002 - the signature is Django's
        return False


def is_moderator(request: HttpRequest) -> bool:
    """Whoever may enter the administration may moderate: it is what staff is for."""
    return request.user.is_active and request.user.is_staff


class StaffSees(ReadOnlyAdmin):
    """Read by all staff, without a permission for each."""

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002 - the signature is Django's
        return is_moderator(request)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return is_moderator(request)


class ReasonForm(forms.Form):
    """The reason of a decision, which the team reads."""

    reason = forms.CharField(
        label="Reason", help_text="The team reads it.", widget=forms.Textarea(attrs={"rows": 4, "cols": 80})
    )


@admin.register(Submission)
class SubmissionAdmin(StaffSees):
    """The moderation queue: decisions are actions, so that each leaves its audit event."""

    list_display = ("method", "split", "team", "status", "visibility", "received_at", "decision_reason")
    list_filter = ("visibility", "status", "split")
    list_select_related = ("method", "team", "split__version__benchmark")
    search_fields = ("id", "method__name", "team__name", "artefact_digest", "run_digest", "submitted_by__email")
    date_hierarchy = "received_at"
    ordering = ("-received_at",)
    actions = ("approve", "decline", "hide", "restore")

    @admin.action(description="Approve: make public", permissions=["moderate"])
    def approve(self, request: HttpRequest, queryset: QuerySet[Submission]) -> None:
        self._decide(request, queryset, decide.approve, "", "approved")

    @admin.action(description="Restore: make public again", permissions=["moderate"])
    def restore(self, request: HttpRequest, queryset: QuerySet[Submission]) -> None:
        self._decide(request, queryset, decide.restore, "", "restored")

    @admin.action(description="Decline, with a reason", permissions=["moderate"])
    def decline(self, request: HttpRequest, queryset: QuerySet[Submission]) -> HttpResponse | None:
        return self._ask_reason(request, queryset, decide.decline, "decline", "declined")

    @admin.action(description="Hide, with a reason", permissions=["moderate"])
    def hide(self, request: HttpRequest, queryset: QuerySet[Submission]) -> HttpResponse | None:
        return self._ask_reason(request, queryset, decide.hide, "hide", "hidden")

    def has_moderate_permission(self, request: HttpRequest) -> bool:
        return is_moderator(request)

    def _ask_reason(
        self, request: HttpRequest, queryset: QuerySet[Submission], decision: Decision, action: str, done: str
    ) -> HttpResponse | None:
        """An intermediate page that asks for the reason; with one, the decision."""
        form = ReasonForm(request.POST if "confirmed" in request.POST else None)
        if form.is_valid():
            self._decide(request, queryset, decision, form.cleaned_data["reason"], done)
            return None
        context = {
            **self.admin_site.each_context(request),
            "title": f"{action.capitalize()} {queryset.count()} submission(s)",
            "submissions": queryset,
            "action": action,
            "form": form,
            "opts": self.model._meta,  # noqa: SLF001 - Django documents _meta as public
            "checkbox": helpers.ACTION_CHECKBOX_NAME,
        }
        return TemplateResponse(request, "admin/decide.html", context)

    def _decide(
        self, request: HttpRequest, queryset: QuerySet[Submission], decision: Decision, reason: str, done: str
    ) -> None:
        assert isinstance(request.user, User)
        n_decided = 0
        for submission in queryset:
            try:
                decision(submission, request.user, reason)
                n_decided += 1
            except DecisionError as error:
                self.message_user(request, f"{submission}: {error}", messages.ERROR)
        if n_decided:
            self.message_user(request, f"{n_decided} {done}.", messages.SUCCESS)


@admin.register(Evaluation)
class EvaluationAdmin(StaffSees):
    list_display = (
        "id",
        "submission",
        "protocol",
        "status",
        "n_attempts",
        "failure_class",
        "created_at",
        "finished_at",
    )
    list_filter = ("status", "protocol", "failure_class", "split")
    list_select_related = ("submission__method", "submission__split__version__benchmark")
    search_fields = ("id", "submission__id")


@admin.register(Score)
class ScoreAdmin(StaffSees):
    """Scores as they may be told: whoever moderates may submit too."""

    list_display = ("evaluation_id", "metric", "axis", "slice", "told", "n")
    fields = ("evaluation", "metric", "axis", "slice", "told", "n")
    list_select_related = ("evaluation__split",)
    list_filter = ("metric",)
    search_fields = ("evaluation__id", "evaluation__submission__id")
    show_full_result_count = False

    @admin.display(description="score and interval")
    def told(self, score: Score) -> str:
        cell = cell_of(score, Disclosure.of(score.evaluation.split))
        return f"{cell.text} ({cell.interval})" if cell.interval else cell.text


@admin.register(AuditEvent)
class AuditEventAdmin(StaffSees):
    list_display = ("at", "actor", "action", "target_kind", "target_id", "reason")
    list_filter = ("action", "target_kind")
    list_select_related = ("actor",)
    search_fields = ("target_id", "reason", "actor__email")
    date_hierarchy = "at"


class SplitInline(TabularInline):
    model = Split
    extra = 0
    can_delete = False
    fields = ("name", "moderation", "opens_at", "closes_at", "quota_per_week")
    readonly_fields = ("name",)
    show_change_link = True

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002 - the signature is Django's
        return False


@admin.register(Benchmark)
class BenchmarkAdmin(CheckedAdmin):
    list_display = ("title", "slug", "licence", "homepage")
    readonly_fields = ("slug",)
    formfield_overrides: ClassVar = {models.URLField: {"assume_scheme": "https"}}

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002 - benchmarks come with install_benchmark
        return False


@admin.register(BenchmarkVersion)
class BenchmarkVersionAdmin(CheckedAdmin):
    list_display = ("benchmark", "version", "installed_at")
    readonly_fields = ("benchmark", "version", "installed_at")
    inlines: ClassVar = [SplitInline]

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002 - versions come with install_benchmark
        return False


@admin.register(Split)
class SplitAdmin(CheckedAdmin):
    """Only the rules of taking part are typed; what runs are scored against comes from the bundle."""

    list_display = ("__str__", "ground_truth", "n_queries", "moderation", "opens_at", "closes_at", "quota_per_week")
    list_select_related = ("version__benchmark",)
    typed = ("moderation", "opens_at", "closes_at", "quota_per_week")

    def get_readonly_fields(self, request: HttpRequest, obj: Split | None = None) -> list[str]:  # noqa: ARG002 - the signature is Django's
        return [field.name for field in Split._meta.fields if field.name not in self.typed]  # noqa: SLF001

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002 - splits come with install_benchmark
        return False


@admin.register(Method)
class MethodAdmin(NamesAdmin):
    list_display = ("name", "variant", "team", "paradigm", "backbone", "year", "created_at")
    list_filter = ("paradigm", "zero_shot", "uses_llm")
    list_select_related = ("team",)
    search_fields = ("name", "variant", "team__name", "backbone")
    readonly_fields = ("team", "slug", "created_at")
    formfield_overrides: ClassVar = {models.URLField: {"assume_scheme": "https"}}

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002 - methods come with submissions
        return False


class MembershipInline(TabularInline):
    model = Membership
    extra = 0
    autocomplete_fields = ("user",)


@admin.register(Team)
class TeamAdmin(NamesAdmin):
    list_display = ("name", "slug", "created_at")
    search_fields = ("name", "slug", "members__email")
    inlines: ClassVar = [MembershipInline]


@admin.register(User)
class UserAdmin(NamesAdmin, AccountAdmin):
    list_display = ("email", "display_name", "is_staff", "is_active", "date_joined", "last_login")
    list_filter = ("is_staff", "is_superuser", "is_active")
    search_fields = ("email", "display_name")
    ordering = ("email",)
    fieldsets = (
        (None, {"fields": ("email", "password", "display_name")}),
        ("May", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        ("When", {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = ((None, {"classes": ("wide",), "fields": ("email", "usable_password", "password1", "password2")}),)


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    """Keys are never here, only the first signs of each."""

    list_display = ("hint", "name", "user", "scope", "created_at", "last_used_at", "expires_at", "revoked_at")
    list_filter = ("scope",)
    list_select_related = ("user",)
    search_fields = ("hint", "name", "user__email")
    fields = ("hint", "name", "user", "scope", "created_at", "last_used_at", "expires_at", "revoked_at")
