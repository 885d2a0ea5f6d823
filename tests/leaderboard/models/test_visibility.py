"""Who sees what: the exact map."""

import pytest
from django.contrib.auth.models import AnonymousUser

from leaderboard.models import Split, Submission, SubmissionStatus, Visibility
from tests.cast import Cast
from tests.leaderboard.submissions import accepted

SEES = {
    Visibility.PRIVATE: {"alice", "bob", "mona"},
    Visibility.REQUESTED: {"alice", "bob", "mona"},
    Visibility.PUBLIC: {"anonymous", "charlie", "alice", "bob", "mona"},
    Visibility.DECLINED: {"alice", "bob", "mona"},
    Visibility.HIDDEN: {"alice", "bob", "mona"},
}


@pytest.mark.parametrize("visibility", Visibility.values)
def test_each_sees_exactly_what_the_map_says(visibility: Visibility, cast: Cast, split: Split) -> None:
    submission = accepted(cast, split, visibility=visibility)
    people = {"anonymous": AnonymousUser(), "alice": cast.alice, "bob": cast.bob}
    people |= {"charlie": cast.charlie, "mona": cast.mona}
    seen_by = {
        name for name, user in people.items() if Submission.objects.visible_to(user).filter(pk=submission.pk).exists()
    }
    assert seen_by == SEES[visibility]


@pytest.mark.parametrize("visibility", Visibility.values)
def test_only_the_team_may_change_it(visibility: Visibility, cast: Cast, split: Split) -> None:
    submission = accepted(cast, split, visibility=visibility)
    people = (cast.alice, cast.bob, cast.charlie, cast.mona)
    owners = [user for user in people if submission in Submission.objects.owned_by(user)]
    assert owners == [cast.alice, cast.bob]


def test_a_member_of_two_teams_sees_a_row_once(cast: Cast, split: Split) -> None:
    cast.charlies_team.members.add(cast.alice)
    submission = accepted(cast, split, visibility=Visibility.PUBLIC)
    assert list(Submission.objects.visible_to(cast.alice)) == [submission]


@pytest.mark.parametrize("status", sorted(set(SubmissionStatus.values) - {SubmissionStatus.ACCEPTED}))
def test_the_database_keeps_unaccepted_files_from_being_public(status: str, cast: Cast, split: Split) -> None:
    from django.db import IntegrityError

    submission = accepted(cast, split, visibility=Visibility.PUBLIC)
    with pytest.raises(IntegrityError):
        Submission.objects.filter(pk=submission.pk).update(status=status, failure_class="ours")
