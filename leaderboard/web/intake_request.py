"""An upload request, read into what the intake needs: whose method, and which fields of it."""

from typing import Any

from django.utils.text import slugify

from leaderboard.intake.describe import method_for
from leaderboard.intake.errors import MethodNameError, NotYourTeamError
from leaderboard.models import Method, Team, User

LONGEST_SLUG = 80


def named_method(user: User, name: str, fields: dict[str, Any]) -> Method:
    """The method of that name, or ``team/name``, of one of the user's teams; made if there is none yet.

    Raises:
        IntakeError: If the name has no letter or digit, or the user is not in the team.
    """
    team_slug, slash, own_name = name.partition("/")
    team = None
    if slash:
        team = Team.objects.filter(slug=team_slug, members=user).first()
        if team is None:
            raise NotYourTeamError
    else:
        own_name = name
    slug = slugify(f"{own_name} {fields.get('variant', '')}")[:LONGEST_SLUG].strip("-")
    if not slug:
        raise MethodNameError(name)
    return method_for(user, team, slug, name=own_name[:LONGEST_SLUG], **fields)
