"""How the schema describes a token; drf-spectacular finds the extension once this module is imported."""

from drf_spectacular.extensions import OpenApiAuthenticationExtension


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # drf-spectacular registers subclasses untyped
    """How the schema describes a token."""

    target_class = "leaderboard.web.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:  # noqa: ARG002 - the signature is drf-spectacular's
        return {"type": "apiKey", "in": "header", "name": "Authorization", "description": "Token cirb_..."}
