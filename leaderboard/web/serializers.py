"""What the API takes and gives."""

from typing import Any, ClassVar

from rest_framework import serializers

from leaderboard.models import Evaluation, Method, Paradigm, SigningKey, Split, Submission
from leaderboard.web.plain_text import check_lines, check_name
from leaderboard.web.timeline import is_in_work

LONGEST_URL = Method._meta.get_field("paper_url").max_length  # noqa: SLF001 - Django documents _meta as public


class ErrorSerializer(serializers.Serializer[Any]):
    """Every error of the API."""

    code = serializers.CharField(help_text="stable, for programs")
    message = serializers.CharField(help_text="what happened")
    remedy = serializers.CharField(help_text="what to do")


class NewSubmissionSerializer(serializers.Serializer[Any]):
    """The fields of an upload: of the multipart form, or as query parameters beside a raw body."""

    benchmark = serializers.SlugField(help_text="short name, such as circo")
    split = serializers.SlugField(required=False, default="", allow_blank=True, help_text="the first one if left out")
    method = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=160,
        validators=[check_name],
        help_text="name of the method, or team/name for a method of a team; may be left out of a dry run",
    )
    variant = serializers.CharField(required=False, max_length=80, validators=[check_name])
    description = serializers.CharField(required=False, max_length=500, validators=[check_lines])
    paradigm = serializers.ChoiceField(required=False, choices=Paradigm.choices)
    backbone = serializers.CharField(required=False, max_length=80, validators=[check_name])
    zero_shot = serializers.BooleanField(required=False, allow_null=True)
    uses_llm = serializers.BooleanField(required=False, allow_null=True)
    paper_url = serializers.URLField(required=False, max_length=LONGEST_URL, validators=[check_name])
    code_url = serializers.URLField(required=False, max_length=LONGEST_URL, validators=[check_name])
    bibtex = serializers.CharField(required=False, max_length=5000, validators=[check_lines])
    year = serializers.IntegerField(required=False, min_value=1990, max_value=2100)


class UploadSerializer(NewSubmissionSerializer):
    """A multipart upload."""

    run = serializers.FileField(help_text="the run, in the benchmark's own format, plain or compressed")


class MethodSerializer(serializers.ModelSerializer[Method]):
    """A method as its team describes it."""

    team = serializers.SlugRelatedField[Any](slug_field="slug", read_only=True)

    class Meta:
        model = Method
        fields: ClassVar = [
            "team",
            "slug",
            "name",
            "variant",
            "description",
            "paradigm",
            "backbone",
            "zero_shot",
            "uses_llm",
            "paper_url",
            "code_url",
            "bibtex",
            "year",
        ]


class EvaluationSerializer(serializers.ModelSerializer[Evaluation]):
    """One scoring of a submission under one protocol."""

    class Meta:
        model = Evaluation
        fields: ClassVar = [
            "id",
            "protocol",
            "status",
            "primary",
            "rankable",
            "scoring_revision",
            "ground_truth_digest",
            "report_digest",
            "receipt_digest",
            "warnings",
            "failure",
            "failure_class",
            "created_at",
            "started_at",
            "finished_at",
        ]


class SubmissionSerializer(serializers.ModelSerializer[Submission]):
    """A submission and where it stands."""

    benchmark = serializers.CharField(source="split.version.benchmark.slug")
    version = serializers.CharField(source="split.version.version")
    split = serializers.CharField(source="split.name")
    method = MethodSerializer()
    file_name = serializers.CharField(source="seen_file_name", help_text="known to the team alone")
    decision_reason = serializers.CharField(source="seen_reason", help_text="known to the team alone")
    evaluations = EvaluationSerializer(many=True)
    n_errors = serializers.IntegerField(source="problems.n_errors", default=0)
    n_warnings = serializers.IntegerField(source="problems.n_warnings", default=0)
    in_work = serializers.SerializerMethodField()

    class Meta:
        model = Submission
        fields: ClassVar = [
            "id",
            "benchmark",
            "version",
            "split",
            "method",
            "file_name",
            "size_bytes",
            "artefact_digest",
            "run_digest",
            "n_entries",
            "status",
            "visibility",
            "decision_reason",
            "failure",
            "n_errors",
            "n_warnings",
            "in_work",
            "received_at",
            "checked_at",
            "published_at",
            "evaluations",
        ]

    def get_in_work(self, submission: Submission) -> bool:
        return is_in_work(submission, list(submission.evaluations.all()))


class SigningKeySerializer(serializers.ModelSerializer[SigningKey]):
    """A public key of this server."""

    class Meta:
        model = SigningKey
        fields: ClassVar = ["key_id", "public_key", "first_used_at"]


class SigningKeysSerializer(serializers.Serializer[Any]):
    """All public keys of this server, the newest first."""

    keys = SigningKeySerializer(many=True)


class SplitSerializer(serializers.ModelSerializer[Split]):
    """A split with the digests of what runs are scored against."""

    version = serializers.CharField(source="version.version")

    class Meta:
        model = Split
        fields: ClassVar = [
            "version",
            "name",
            "ground_truth",
            "n_queries",
            "n_images",
            "moderation",
            "opens_at",
            "closes_at",
            "quota_per_week",
            "manifest_digest",
            "queries_digest",
            "gallery_digest",
            "ground_truth_digest",
            "manifest",
        ]


class BenchmarkSerializer(serializers.Serializer[Any]):
    """A benchmark with the splits of its newest version."""

    slug = serializers.SlugField()
    title = serializers.CharField()
    summary = serializers.CharField()
    homepage = serializers.CharField()
    citation = serializers.CharField()
    licence = serializers.CharField()
    terms = serializers.CharField()
    splits = SplitSerializer(many=True)


class ReportOfCheckSerializer(serializers.Serializer[Any]):
    """Every kind of problem of a file, errors first, with the first places of each."""

    n_errors = serializers.IntegerField()
    n_warnings = serializers.IntegerField()
    groups = serializers.ListField(child=serializers.DictField())
