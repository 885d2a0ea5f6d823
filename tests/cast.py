"""The cast: alice owns, bob is on her team, charlie must see nothing, mona moderates."""

from dataclasses import dataclass

from leaderboard.models import Membership, Method, Team, User

PASSWORD = "correct horse battery staple"


@dataclass(frozen=True)
class Cast:
    """Everyone, with what they own."""

    alice: User
    bob: User
    charlie: User
    mona: User
    team: Team
    charlies_team: Team
    method: Method
    charlies_method: Method


def make_cast() -> Cast:
    """Put the cast into the database."""
    alice, bob, charlie = (
        User.objects.create_user(f"{name}@example.org", PASSWORD, display_name=name.title())
        for name in ("alice", "bob", "charlie")
    )
    mona = User.objects.create_user("mona@example.org", PASSWORD, display_name="Mona", is_staff=True)
    team = Team.objects.create(slug="wonderland", name="Wonderland")
    charlies_team = Team.objects.create(slug="chocolate", name="Chocolate")
    Membership.objects.bulk_create(
        [
            Membership(team=team, user=alice),
            Membership(team=team, user=bob),
            Membership(team=charlies_team, user=charlie),
        ]
    )
    return Cast(
        alice=alice,
        bob=bob,
        charlie=charlie,
        mona=mona,
        team=team,
        charlies_team=charlies_team,
        method=Method.objects.create(team=team, slug="looking-glass", name="Looking Glass"),
        charlies_method=Method.objects.create(team=charlies_team, slug="ticket", name="Golden Ticket"),
    )
