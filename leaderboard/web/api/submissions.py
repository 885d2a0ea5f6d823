"""Submissions, for programs: send a run, follow it, read its problems and report, publish it."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import FileResponse, HttpRequest
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.generics import ListAPIView, RetrieveAPIView, get_object_or_404
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.views import APIView

from leaderboard.intake.receive import receive
from leaderboard.models import Evaluation, EvaluationStatus, Submission, User
from leaderboard.moderation.decide import request_publication, withdraw
from leaderboard.storage import artefacts
from leaderboard.storage.artefacts import Readable
from leaderboard.tables.benchmarks import split_of
from leaderboard.web.authentication import MayWriteIfSubmitter
from leaderboard.web.errors import ApiError
from leaderboard.web.intake_request import named_method
from leaderboard.web.problems import problems_as_csv
from leaderboard.web.serializers import (
    ErrorSerializer,
    NewSubmissionSerializer,
    ReportOfCheckSerializer,
    SubmissionSerializer,
    UploadSerializer,
)
from leaderboard.web.turns import dry_run_in_turn
from leaderboard.web.uploads import body_of

ERRORS = dict.fromkeys((400, 401, 403, 404), ErrorSerializer)


def visible_submissions(request: Request) -> QuerySet[Submission]:
    return (
        Submission.objects.as_seen_by(request.user)
        .select_related("method__team", "split__version__benchmark")
        .prefetch_related("evaluations")
    )


def find_submission(request: Request, submission_id: UUID) -> Submission:
    """The submission if the caller may see it, else 404, as if there were none."""
    return get_object_or_404(visible_submissions(request), pk=submission_id)


def find_scored(request: Request, submission_id: UUID) -> Evaluation:
    """The newest scored evaluation of a submission that the caller may see, by the protocol that was asked for."""
    submission = find_submission(request, submission_id)
    scored = Evaluation.objects.filter(submission=submission, status=EvaluationStatus.SCORED)
    if protocol := request.query_params.get("protocol"):
        scored = scored.filter(protocol=protocol)
    evaluation = scored.order_by("-scoring_revision", "created_at").first()
    if evaluation is None:
        raise ApiError(404, "not-scored", "There is no report.", "read the submission's status first")
    return evaluation


class SubmissionList(ListAPIView[Submission]):
    """Your teams' submissions and the public ones, newest first; POST sends a run."""

    serializer_class = SubmissionSerializer
    parser_classes = (MultiPartParser,)
    http_request: HttpRequest

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().setup(request, *args, **kwargs)
        self.http_request = request

    def get_queryset(self) -> QuerySet[Submission]:
        found = visible_submissions(self.request).order_by("-received_at", "id")
        benchmark = self.request.query_params.get("benchmark")
        return found.filter(split__version__benchmark__slug=benchmark) if benchmark else found

    @extend_schema(parameters=[OpenApiParameter("benchmark", str, description="only of this benchmark")])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        parameters=[
            NewSubmissionSerializer,
            OpenApiParameter("dry_run", bool, description="1: only check the file; nothing is stored"),
            OpenApiParameter("file_name", str, description="of a raw body"),
        ],
        request={
            "multipart/form-data": UploadSerializer,
            "application/octet-stream": OpenApiTypes.BINARY,
            "application/json": OpenApiTypes.OBJECT,
            "application/gzip": OpenApiTypes.BINARY,
        },
        responses={201: SubmissionSerializer, 200: ReportOfCheckSerializer, 413: ErrorSerializer, 429: ErrorSerializer}
        | ERRORS,
        description="Send a run as a multipart form, or as the raw body with the fields as query parameters. "
        "Bytes compressed with gzip or zstd are taken as they are.",
    )
    def post(self, request: Request) -> Response:
        assert isinstance(request.user, User)
        fields, file_name, stream = self._read(request)
        split = split_of(fields.pop("benchmark"), fields.pop("split"))
        if request.query_params.get("dry_run", "0") not in {"0", "false", ""}:
            return Response(dry_run_in_turn(user=request.user, split=split, stream=stream).report)
        name = fields.pop("method")
        if not name:
            raise ApiError(400, "method-missing", "The method has no name.", "add method=NAME")
        method = named_method(request.user, name, fields)
        submission = receive(user=request.user, split=split, method=method, file_name=file_name, stream=stream)
        return Response(SubmissionSerializer(find_submission(request, submission.pk)).data, status=201)

    def _read(self, request: Request) -> tuple[dict[str, Any], str, Readable]:
        """The fields, the file's name and its content."""
        if not (request.content_type or "").startswith("multipart/"):
            name = request.query_params.get("file_name", "run")
            return _validated(request.query_params), name, body_of(self.http_request)
        fields = _validated(request.data)
        run = request.FILES.get("run")
        if run is None:
            raise ApiError(400, "run-missing", "The form holds no file.", "add the file as run=@FILE")
        return fields, run.name or "run", run


def _validated(given: Any) -> dict[str, Any]:
    serializer = NewSubmissionSerializer(data=given)
    serializer.is_valid(raise_exception=True)
    return {**serializer.validated_data}


class SubmissionDetail(RetrieveAPIView[Submission]):
    """One submission and where it stands."""

    serializer_class = SubmissionSerializer

    def get_queryset(self) -> QuerySet[Submission]:
        return visible_submissions(self.request)


class SubmissionProblems(APIView):
    """What the check found."""

    @extend_schema(responses={200: ReportOfCheckSerializer, 404: ErrorSerializer}, operation_id="submissions_problems")
    def get(self, request: Request, pk: UUID) -> Response:
        problems = find_submission(request, pk).problems
        return Response({"n_errors": 0, "n_warnings": 0, "groups": [], **problems})


class SubmissionProblemsCsv(APIView):
    """All problems that the check kept, up to 10,000 of each kind."""

    @extend_schema(
        responses={(200, "text/csv"): OpenApiTypes.STR, 404: ErrorSerializer}, operation_id="submissions_problems_csv"
    )
    def get(self, request: Request, pk: UUID) -> HttpResponseBase:
        return problems_as_csv(find_submission(request, pk))


class SubmissionReport(APIView):
    """The report of one evaluation: all metrics, slices, digests and warnings.

    At full precision; where the ground truth is held out, rounded as ``rounding`` says.
    """

    @extend_schema(
        parameters=[OpenApiParameter("protocol", str, description="the first one scored if left out")],
        responses={200: OpenApiTypes.OBJECT, 404: ErrorSerializer},
        operation_id="submissions_report",
    )
    def get(self, request: Request, pk: UUID) -> HttpResponseBase:
        evaluation = find_scored(request, pk)
        return FileResponse(artefacts.open_artefact(evaluation.report_digest), content_type="application/json")


class SubmissionReceipt(APIView):
    """The signed receipt of one evaluation, for `cirboard verify`; rounded where the ground truth is held out."""

    @extend_schema(
        parameters=[OpenApiParameter("protocol", str, description="the first one scored if left out")],
        responses={200: OpenApiTypes.OBJECT, 404: ErrorSerializer},
        operation_id="submissions_receipt",
    )
    def get(self, request: Request, pk: UUID) -> HttpResponseBase:
        evaluation = find_scored(request, pk)
        if not evaluation.receipt_digest:
            remedy = "read its report; it was scored before receipts were signed"
            raise ApiError(404, "no-receipt", "There is no receipt.", remedy)
        name = f"receipt-{evaluation.submission_id}-{evaluation.protocol}.json"
        file = artefacts.open_artefact(evaluation.receipt_digest)
        return FileResponse(file, content_type="application/json", as_attachment=True, filename=name)


class _Decision(APIView):
    """A decision of the team about its submission."""

    permission_classes = (IsAuthenticated, MayWriteIfSubmitter)

    def decide(self, request: Request, pk: UUID, decision: Callable[[Submission, User], None]) -> Response:
        submission = find_submission(request, pk)
        assert isinstance(request.user, User)
        decision(submission, request.user)
        return Response(self.seen(request, pk).data)

    def seen(self, request: Request, pk: UUID) -> BaseSerializer[Submission]:
        return SubmissionSerializer(find_submission(request, pk))


class PublishSubmission(_Decision):
    """Make it public: at once, or after a moderator has looked at it, by the split's rule."""

    @extend_schema(
        request=None,
        responses={200: SubmissionSerializer, 409: ErrorSerializer} | ERRORS,
        operation_id="submissions_publish",
    )
    def post(self, request: Request, pk: UUID) -> Response:
        return self.decide(request, pk, request_publication)


class WithdrawSubmission(_Decision):
    """Take it back, for good."""

    @extend_schema(
        request=None,
        responses={200: SubmissionSerializer, 409: ErrorSerializer} | ERRORS,
        operation_id="submissions_withdraw",
    )
    def post(self, request: Request, pk: UUID) -> Response:
        return self.decide(request, pk, withdraw)
