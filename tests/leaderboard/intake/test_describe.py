"""A method is made when its team first names it."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from leaderboard.intake.describe import method_for, personal_team
from leaderboard.intake.errors import MethodNameError, NotYourTeamError
from leaderboard.models import Membership, Method, Team, User
from tests.cast import Cast


def test_a_method_is_made_once_and_then_found(cast: Cast) -> None:
    first = method_for(cast.alice, cast.team, "rabbit", name="White Rabbit")
    assert method_for(cast.bob, cast.team, "rabbit", name="Another") == first
    assert Method.objects.get(slug="rabbit").name == "White Rabbit"


def test_without_a_team_it_belongs_to_the_users_own(cast: Cast) -> None:
    method = method_for(cast.charlie, None, "solo")
    assert method.team.personal_of == cast.charlie
    assert list(method.team.members.all()) == [cast.charlie]
    assert method_for(cast.charlie, None, "solo") == method


def test_a_stranger_cannot_add_a_method_to_a_team(cast: Cast) -> None:
    with pytest.raises(NotYourTeamError):
        method_for(cast.charlie, cast.team, "spy")


@pytest.mark.parametrize("slug", ["", "a b", "../x", "ü", "x" * 81, "a\n"])
def test_a_short_name_fits_an_address(cast: Cast, slug: str) -> None:
    with pytest.raises(MethodNameError):
        method_for(cast.alice, cast.team, slug)


def test_people_of_the_same_name_get_teams_of_their_own(cast: Cast) -> None:
    others = [User.objects.create_user(f"sam@{place}.example.org") for place in ("here", "there")]
    assert [personal_team(user).slug for user in others] == ["sam", "sam-2"]
    assert personal_team(cast.alice).slug == "alice"


@pytest.mark.django_db(transaction=True)
def test_first_submissions_at_the_same_moment_make_one_team() -> None:
    user = User.objects.create_user("eve@example.org")

    def make(_: int) -> int:
        try:
            return personal_team(user).pk
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(make, range(8)))) == 1
    assert (Team.objects.count(), Membership.objects.count()) == (1, 1)


@pytest.mark.django_db
def test_a_long_address_is_cut_to_a_teams_name() -> None:
    user = User.objects.create_user(f"{'a' * 120}@example.org")
    assert personal_team(user).name == "a" * 80
