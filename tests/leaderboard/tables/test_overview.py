"""The home page's facts come from the database, at a constant cost."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from leaderboard.models import Split, SubmissionStatus, Visibility
from leaderboard.tables.overview import read_activity, read_cards, read_recent
from tests.cast import Cast
from tests.leaderboard.scored import scored
from tests.leaderboard.submissions import submission_in


def test_a_card_names_the_leader_and_the_gap(cast: Cast, split: Split) -> None:
    scored(cast, split, "a", {"mAP@10": 0.5})
    scored(cast, split, "b", {"mAP@10": 0.3})
    scored(cast, split, "secret", {"mAP@10": 0.9}, visibility=Visibility.PRIVATE)
    scored(cast, split, "unranked", {"mAP@10": 0.9}, rankable=False)
    (card,) = read_cards([split])
    assert card.values == (0.5, 0.3)
    assert card.leader is not None
    assert (card.leader.name, card.leader.text, card.leader.gap) == ("a", "50.00", "Next is b, 20.00 behind.")


def test_only_what_is_public_is_recent(cast: Cast, split: Split) -> None:
    scored(cast, split, "seen", {"mAP@10": 0.5})
    scored(cast, split, "secret", {"mAP@10": 0.9}, visibility=Visibility.HIDDEN)
    assert [entry.method for entry in read_recent([split])] == ["seen"]


@pytest.mark.parametrize("n_rows", [1, 20])
def test_cards_and_recent_results_take_one_query_each(cast: Cast, split: Split, n_rows: int) -> None:
    for number in range(n_rows):
        scored(cast, split, f"m{number}", {"mAP@10": number / 100})
    with CaptureQueriesContext(connection) as queries:
        read_cards([split])
        read_recent([split])
    assert len(queries) == 2


def test_what_waits_is_counted(cast: Cast, split: Split) -> None:
    scored(cast, split, "done", {"mAP@10": 0.5})
    submission_in(cast, split, SubmissionStatus.RECEIVED)
    activity = read_activity()
    assert (activity.n_waiting, activity.n_scored) == (1, 1)
    assert activity.oldest_waits_s is not None
