"""The public keys by which this server's receipts are signed."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from leaderboard.models import SigningKey
from leaderboard.web.serializers import SigningKeysSerializer


class Keys(APIView):
    """Every public key of this server, the newest first: keep the answer for `cirboard verify --key FILE`."""

    @extend_schema(responses={200: SigningKeysSerializer}, operation_id="keys")
    def get(self, _request: Request) -> Response:
        found: dict[str, Any] = {"keys": SigningKey.objects.all()}
        return Response(SigningKeysSerializer(found).data)
