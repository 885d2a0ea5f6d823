"""People, the teams they submit for, and the tokens their programs use."""

import hashlib
import secrets
from datetime import datetime
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, BaseUserManager
from django.db import models
from django.db.models.functions import Now

KEY_PREFIX = "cirb_"


class UserManager(BaseUserManager["User"]):
    """Creates users known by their e-mail address."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)


class User(AbstractUser):
    """A person, who signs in with an e-mail address."""

    username = None  # type: ignore[assignment]  # Django documents None as the way to drop the column
    email = models.EmailField("e-mail address", unique=True)
    display_name = models.CharField(max_length=80, blank=True)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects: ClassVar[UserManager] = UserManager()  # type: ignore[assignment]  # the base manager needs a user name

    def __str__(self) -> str:
        return self.display_name or self.email.partition("@")[0]


class Team(models.Model):
    """Who owns a method and its submissions; quota and rows are per team."""

    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=80)
    members = models.ManyToManyField(User, through="Membership", related_name="teams")
    personal_of = models.OneToOneField(
        User,
        models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="personal_team",
        help_text="the person for whom it was made with their first submission",
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A person's place in a team."""

    team = models.ForeignKey(Team, models.PROTECT, related_name="memberships")
    user = models.ForeignKey(User, models.PROTECT, related_name="memberships")

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["team", "user"], name="one_membership")]

    def __str__(self) -> str:
        return f"{self.user} in {self.team}"


class TokenScope(models.TextChoices):
    """What a token may be used for."""

    READ = "read", "read private results"
    SUBMIT = "submit", "submit runs and read private results"


class ApiToken(models.Model):
    """A program's key. Only its digest is stored; the key itself is shown once."""

    user = models.ForeignKey(User, models.PROTECT, related_name="api_tokens")
    name = models.CharField(max_length=80)
    scope = models.CharField(max_length=10, choices=TokenScope.choices, default=TokenScope.SUBMIT)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    hint = models.CharField(max_length=12, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True, editable=False)
    revoked_at = models.DateTimeField(null=True, blank=True, editable=False)

    def __str__(self) -> str:
        return f"{self.name} ({self.hint}…)"


def digest_token(key: str) -> str:
    """SHA-256 of a key: keys are 256 random bits, so no slow hash is needed."""
    return hashlib.sha256(key.encode()).hexdigest()


def draw_key() -> str:
    """A new key of 256 random bits."""
    return KEY_PREFIX + secrets.token_urlsafe(32)


def issue_token(user: User, name: str, scope: TokenScope, expires_at: datetime | None = None) -> tuple[ApiToken, str]:
    """Make a token and return it with its key, which is known only now."""
    key = draw_key()
    return store_token(user, name, scope, key, expires_at), key


def store_token(user: User, name: str, scope: TokenScope, key: str, expires_at: datetime | None = None) -> ApiToken:
    """Make a token of a key that was drawn before."""
    return ApiToken.objects.create(
        user=user, name=name, scope=scope, expires_at=expires_at, digest=digest_token(key), hint=key[:12]
    )
