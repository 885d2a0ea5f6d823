"""Who submits, and with what: the user's team, and the method as the team describes it."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import IntegrityError, transaction
from django.utils.text import slugify

from leaderboard.intake.errors import MethodNameError, NotYourTeamError
from leaderboard.models import Membership, Method, Team, User

LONGEST_SLUG = 40
LONGEST_NAME = Team._meta.get_field("name").max_length  # noqa: SLF001 - Django documents _meta as public


def method_for(user: User, team: Team | None, slug: str, **fields: Any) -> Method:
    """The team's method of that short name, made if there is none yet.

    Args:
        team: None for the user's personal team, which is made when it is first needed.
        fields: Columns of a new method. An existing one is left as it is: what a public row says about its method
            does not change because somebody uploads another run.

    Raises:
        NotYourTeamError: If the user is not in the team.
        MethodNameError: If ``slug`` is no short name.
    """
    try:
        validate_slug(slug)
        Method._meta.get_field("slug").run_validators(slug)  # noqa: SLF001 - Django documents _meta as public
    except ValidationError:
        raise MethodNameError(slug) from None
    if team is None:
        team = personal_team(user)
    elif not Membership.objects.filter(team=team, user=user).exists():
        raise NotYourTeamError
    method, _ = Method.objects.get_or_create(team=team, slug=slug, defaults={"name": slug, **fields})
    return method


def personal_team(user: User) -> Team:
    """The user's own team, made the first time."""
    while (team := Team.objects.filter(personal_of=user).first()) is None:
        try:
            with transaction.atomic():
                # The first part of an e-mail address may be longer than a team's name.
                name = str(user)[:LONGEST_NAME]
                team = Team.objects.create(slug=_free_slug(name), name=name, personal_of=user)
                Membership.objects.create(team=team, user=user)
        except IntegrityError:
            # Somebody took the name, or the user's other upload made the team: look again.
            continue
    return team


def _free_slug(name: str) -> str:
    base = slugify(name)[:LONGEST_SLUG] or "team"
    taken = set(Team.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    number = 1
    while (slug := base if number == 1 else f"{base}-{number}") in taken:
        number += 1
    return slug
