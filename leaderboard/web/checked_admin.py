"""What the administration checks of every form beyond what Django checks."""

from typing import Any

from django import forms
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import BadRequest, ValidationError
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from leaderboard.web.generic import ModelAdmin
from leaderboard.web.plain_text import check_lines, check_name


class CheckedAdmin(ModelAdmin):
    """Rows that actions are taken on: what was ticked must be the keys of rows."""

    def response_action(
        self, request: HttpRequest, queryset: QuerySet[Any], *args: Any, **kwargs: Any
    ) -> HttpResponse | None:
        key = self.model._meta.pk  # noqa: SLF001 - Django documents _meta as public
        try:
            for ticked in request.POST.getlist(ACTION_CHECKBOX_NAME):
                key.run_validators(key.to_python(ticked))
        except ValidationError:
            raise BadRequest("What was ticked is no row.") from None
        return super().response_action(request, queryset, *args, **kwargs)


class NamesAdmin(CheckedAdmin):
    """Rows with names that readers see: no invisible character passes one off as another."""

    def formfield_for_dbfield(self, db_field: "models.Field[Any, Any]", request: HttpRequest, **kwargs: Any) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if isinstance(field, forms.CharField):
            several_lines = isinstance(db_field, models.TextField) or db_field.name == "description"
            field.validators.append(check_lines if several_lines else check_name)
        return field
