"""Forms of the site."""

from datetime import timedelta
from typing import Any, ClassVar

from django import forms
from django.utils import timezone
from django.utils.text import slugify

from leaderboard.models import ApiToken, Method, Paradigm, TokenScope, User, issue_token
from leaderboard.web.generic import MethodModelForm
from leaderboard.web.plain_text import check_lines, check_name

THIS_CENTURY = 1990


class MethodForm(MethodModelForm):
    """What a method is, as its team describes it."""

    zero_shot = forms.TypedChoiceField(
        label="Training",
        required=False,
        choices=[("", "Not said"), ("1", "Zero-shot"), ("0", "Supervised")],
        coerce=lambda value: value == "1",
        empty_value=None,
    )
    uses_llm = forms.TypedChoiceField(
        label="LLM or MLLM",
        required=False,
        choices=[("", "Not said"), ("1", "Uses one"), ("0", "Uses none")],
        coerce=lambda value: value == "1",
        empty_value=None,
    )

    paper_url = forms.URLField(label="Paper", required=False, assume_scheme="https")
    code_url = forms.URLField(label="Code", required=False, assume_scheme="https")

    class Meta:
        model = Method
        fields: ClassVar = [
            "name",
            "variant",
            "paradigm",
            "backbone",
            "zero_shot",
            "uses_llm",
            "year",
            "paper_url",
            "code_url",
            "description",
            "bibtex",
        ]
        widgets: ClassVar = {
            "description": forms.Textarea(attrs={"rows": 2}),
            "bibtex": forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
        }
        labels: ClassVar = {"name": "Name of the method", "bibtex": "BibTeX"}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("name", "variant", "backbone", "paper_url", "code_url"):
            self.fields[name].validators.append(check_name)
        for name in ("description", "bibtex"):
            self.fields[name].validators.append(check_lines)
        self.fields["paradigm"].required = False
        self.fields["year"].widget.attrs |= {"min": THIS_CENTURY, "max": timezone.now().year + 1}

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if not slugify(name):
            raise forms.ValidationError("Use at least one letter or digit: it becomes part of an address.")
        return name

    def clean_paradigm(self) -> str:
        return str(self.cleaned_data["paradigm"] or Paradigm.OTHER)


class RunForm(forms.Form):
    """The file of a run."""

    run = forms.FileField(
        label="Run",
        allow_empty_file=True,
        error_messages={"required": "Choose a file first.", "missing": "No file arrived. Choose it again."},
    )


SCOPES = [(TokenScope.SUBMIT, "submit and read"), (TokenScope.READ, "only read")]


class TokenForm(forms.Form):
    """A new API token."""

    name = forms.CharField(label="What it is for", max_length=80, validators=[check_name])
    scope = forms.ChoiceField(label="It may", choices=SCOPES, initial=TokenScope.SUBMIT)
    days = forms.TypedChoiceField(
        label="Expires", coerce=int, choices=[(30, "in 30 days"), (90, "in 90 days"), (365, "in a year")], initial=90
    )

    def issue(self, user: User) -> tuple[ApiToken, str]:
        """Make the token; its key is known only now."""
        wanted = self.cleaned_data
        return issue_token(
            user, wanted["name"], TokenScope(wanted["scope"]), timezone.now() + timedelta(days=wanted["days"])
        )
