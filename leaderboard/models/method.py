"""Methods: what produced a run."""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from leaderboard.models.account import Team


class Paradigm(models.TextChoices):
    """How a method composes image and text."""

    BASELINE = "baseline", "baseline"
    TRAINING_FREE = "training-free", "training-free"
    TEXTUAL_INVERSION = "textual-inversion", "textual inversion"
    TRIPLETS = "triplets", "trained on triplets"
    SYNTHETIC = "synthetic", "trained on synthetic triplets"
    DIFFUSION = "diffusion", "diffusion"
    LLM = "llm", "LLM or MLLM"
    OTHER = "other", "other"


class Method(models.Model):
    """A method as its team describes it. Every run belongs to one."""

    team = models.ForeignKey(Team, models.PROTECT, related_name="methods")
    slug = models.SlugField(max_length=80)
    name = models.CharField(max_length=80)
    variant = models.CharField(max_length=80, blank=True)
    description = models.CharField(max_length=500, blank=True)
    paradigm = models.CharField(max_length=20, choices=Paradigm.choices, default=Paradigm.OTHER)
    backbone = models.CharField(max_length=80, blank=True)
    zero_shot = models.BooleanField(null=True, blank=True)
    uses_llm = models.BooleanField(null=True, blank=True)
    paper_url = models.URLField(blank=True)
    code_url = models.URLField(blank=True)
    bibtex = models.TextField(blank=True, max_length=5000)
    year = models.PositiveSmallIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["team", "slug"], name="one_method_per_team_and_slug")]

    def __str__(self) -> str:
        return f"{self.name} {self.variant}".strip()
