"""Benchmarks as installed: what is scored, on which split, under which rules."""

import json
from functools import lru_cache
from typing import ClassVar

from django.core.validators import RegexValidator
from django.db import models
from django.db.models.functions import Now

from evaluator.public.manifest import Manifest, manifest_of_json

digest_validator = RegexValidator(r"\A[0-9a-f]{64}\Z", "64 lower-case hexadecimal digits")


def digest_field(*, blank: bool = False, help_text: str = "") -> "models.CharField[str, str]":
    """A column for a SHA-256 digest in hexadecimal."""
    return models.CharField(max_length=64, validators=[digest_validator], blank=blank, help_text=help_text)


class Benchmark(models.Model):
    """A benchmark of the field, such as CIRCO."""

    slug = models.SlugField(unique=True)
    title = models.CharField(max_length=80)
    summary = models.CharField(max_length=300)
    homepage = models.URLField(blank=True)
    citation = models.TextField(blank=True)
    licence = models.CharField(max_length=80, blank=True)
    terms = models.TextField(blank=True)

    def __str__(self) -> str:
        return self.title


class BenchmarkVersion(models.Model):
    """One version of a benchmark's content. Results of different versions are never mixed."""

    benchmark = models.ForeignKey(Benchmark, models.PROTECT, related_name="versions")
    version = models.CharField(max_length=20)
    installed_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["benchmark", "version"], name="one_benchmark_version")]

    def __str__(self) -> str:
        return f"{self.benchmark} version {self.version}"


class Moderation(models.TextChoices):
    """When a moderator looks at a result that its team wants public."""

    BEFORE = "before", "before it is public"
    AFTER = "after", "after it is public"


class Split(models.Model):
    """What a run answers: the queries of one split, with the digests of what they are scored against."""

    version = models.ForeignKey(BenchmarkVersion, models.PROTECT, related_name="splits")
    name = models.SlugField()
    ground_truth = models.CharField(max_length=10)
    manifest = models.JSONField()
    manifest_digest = digest_field()
    queries_digest = digest_field()
    gallery_digest = digest_field()
    ground_truth_digest = digest_field()
    n_queries = models.PositiveIntegerField()
    n_images = models.PositiveIntegerField(help_text="0 where the gallery is open")
    moderation = models.CharField(max_length=10, choices=Moderation.choices, default=Moderation.AFTER)
    opens_at = models.DateTimeField(null=True, blank=True)
    closes_at = models.DateTimeField(null=True, blank=True)
    quota_per_week = models.PositiveIntegerField(null=True, blank=True, help_text="accepted runs a team may submit")

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["version", "name"], name="one_split")]

    def __str__(self) -> str:
        return f"{self.version} {self.name}"

    @property
    def folder(self) -> str:
        """Where the bundle lies under the public and the sealed root."""
        return f"{self.version.benchmark.slug}/{self.version.version}/{self.name}"

    @property
    def rules(self) -> Manifest:
        """What the manifest says, as the evaluator reads it."""
        return _rules_in(json.dumps(self.manifest))


@lru_cache(maxsize=64)
def _rules_in(manifest: str) -> Manifest:
    return manifest_of_json(json.loads(manifest))
