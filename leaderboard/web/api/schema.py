"""The schema, and how it describes a token; drf-spectacular finds the extension once this module is imported."""

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # drf-spectacular registers subclasses untyped
    """How the schema describes a token."""

    target_class = "leaderboard.web.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:  # noqa: ARG002 - the signature is drf-spectacular's
        return {"type": "apiKey", "in": "header", "name": "Authorization", "description": "Token cirb_..."}


class SchemaView(SpectacularAPIView):
    """The OpenAPI schema. There is one version: drf-spectacular would put any other that is asked for into a header."""

    def _get_version_parameter(self, request: Request) -> None:  # noqa: ARG002 - the signature is drf-spectacular's
        return None
