"""Tokens of programs: `Authorization: Token cirb_...`."""

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from leaderboard.models import ApiToken, TokenScope, User, digest_token

if TYPE_CHECKING:
    # DRF's views import this module while they are being imported themselves.
    from rest_framework.views import APIView

KEYWORD = "Token"
# A busy client must not turn every request into a write.
USE_IS_NOTED_EVERY = timedelta(minutes=1)


class TokenAuthentication(BaseAuthentication):
    """Knows a user by a token's digest. One message for every reason, so that none can be told from another."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        header = get_authorization_header(request).split()
        if not header or header[0].lower() != KEYWORD.lower().encode():
            return None
        if len(header) != 2:
            raise AuthenticationFailed
        return self._known(header[1].decode("latin-1"))

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002 - the signature is DRF's
        return KEYWORD

    def _known(self, key: str) -> tuple[User, ApiToken]:
        now = timezone.now()
        unexpired = Q(expires_at=None) | Q(expires_at__gt=now)
        token = (
            ApiToken.objects.filter(unexpired, digest=digest_token(key), revoked_at=None, user__is_active=True)
            .select_related("user")
            .first()
        )
        if token is None:
            raise AuthenticationFailed
        stale = Q(last_used_at=None) | Q(last_used_at__lt=now - USE_IS_NOTED_EVERY)
        if token.last_used_at is None or token.last_used_at < now - USE_IS_NOTED_EVERY:
            ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)
        return token.user, token


class MayWriteIfSubmitter(BasePermission):
    """Everybody reads what is public; signed-in people write, programs only with the scope for it."""

    message = "This token may only read. Make one that may submit."
    code = "scope"

    def has_permission(self, request: Request, view: "APIView") -> bool:  # noqa: ARG002 - the signature is DRF's
        if request.method in SAFE_METHODS:
            return True
        if isinstance(request.auth, ApiToken):
            return request.auth.scope == TokenScope.SUBMIT
        return bool(request.user.is_authenticated)
