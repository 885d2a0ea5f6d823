"""Benchmarks and their tables, for programs."""

from itertools import groupby
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from leaderboard.models import Split
from leaderboard.tables.benchmarks import installed_splits, split_of, splits_of
from leaderboard.tables.board import read_board
from leaderboard.tables.export import board_to_json
from leaderboard.web.board_address import query_of
from leaderboard.web.serializers import BenchmarkSerializer, ErrorSerializer

BOARD_PARAMETERS = [
    OpenApiParameter("split", str, description="name of a split; the first one if left out"),
    OpenApiParameter("protocol", str, description="name of a protocol; the first one if left out"),
    OpenApiParameter("sort", str, description="slug of a column, such as -map_at_10; a minus sorts downwards"),
    OpenApiParameter("slice", str, description="axis:value, such as query_category:Negation"),
    OpenApiParameter("q", str, description="words that a row must contain"),
    OpenApiParameter("paradigm", str, description="a paradigm's name"),
    OpenApiParameter("c", str, many=True, description="slugs of the columns to give; repeat it"),
]


def _with_splits(splits: list[Split]) -> dict[str, Any]:
    benchmark = splits[0].version.benchmark
    fields = ("slug", "title", "summary", "homepage", "citation", "licence", "terms")
    return {name: getattr(benchmark, name) for name in fields} | {"splits": splits}


class BenchmarkList(APIView):
    """All benchmarks with the splits of their newest versions."""

    @extend_schema(responses=BenchmarkSerializer(many=True), operation_id="benchmarks_list")
    def get(self, request: Request) -> Response:  # noqa: ARG002 - the signature is DRF's
        groups = groupby(installed_splits(), key=lambda split: split.version.benchmark_id)
        return Response(BenchmarkSerializer([_with_splits(list(splits)) for _, splits in groups], many=True).data)


class BenchmarkDetail(APIView):
    """One benchmark with its rules."""

    @extend_schema(responses={200: BenchmarkSerializer, 404: ErrorSerializer}, operation_id="benchmarks_retrieve")
    def get(self, request: Request, slug: str) -> Response:  # noqa: ARG002 - the signature is DRF's
        return Response(BenchmarkSerializer(_with_splits(splits_of(slug))).data)


class Leaderboard(APIView):
    """The table of a benchmark: the public rows, ranked ones first."""

    @extend_schema(
        parameters=BOARD_PARAMETERS,
        responses={200: OpenApiTypes.OBJECT, 400: ErrorSerializer, 404: ErrorSerializer},
        operation_id="benchmarks_leaderboard",
    )
    def get(self, request: Request, slug: str) -> Response:
        split = split_of(slug, request.query_params.get("split", ""))
        return Response(board_to_json(read_board(split, query_of(request.query_params))))
