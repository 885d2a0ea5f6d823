"""Each decision changes one thing, leaves exactly one line in the audit record, and is refused where it makes no sense."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import connection
from pytest_django import Settings

from leaderboard.models import (
    AuditEvent,
    EvaluationStatus,
    Moderation,
    Split,
    Submission,
    SubmissionStatus,
    User,
    Visibility,
)
from leaderboard.moderation import decide
from tests.cast import Cast, make_cast
from tests.leaderboard.scored import add_scores
from tests.leaderboard.submissions import accepted, evaluation_of, submission_in

Decision = Callable[[Submission, User, str], None]
V = Visibility
MODERATORS = {
    decide.approve: {V.REQUESTED: V.PUBLIC},
    decide.decline: {V.REQUESTED: V.DECLINED, V.PUBLIC: V.DECLINED},
    decide.hide: {V.PUBLIC: V.HIDDEN},
    decide.restore: {V.HIDDEN: V.PUBLIC},
}
CASES = [(decision, start) for decision in MODERATORS for start in Visibility]


@pytest.mark.parametrize(("decision", "start"), CASES)
def test_a_moderator_decides_only_where_it_makes_sense(
    decision: Decision, start: Visibility, cast: Cast, split: Split
) -> None:
    submission = accepted(cast, split, visibility=start)
    end = MODERATORS[decision].get(start)
    if end is None:
        with pytest.raises(decide.WrongStateError):
            decision(submission, cast.mona, "because")
        assert not AuditEvent.objects.filter(target_kind="submission").exists()
        return
    decision(submission, cast.mona, "because")
    assert submission.visibility == end
    event = AuditEvent.objects.get(target_kind="submission")
    assert (event.actor, event.target_id, event.reason) == (cast.mona, str(submission.pk), "because")
    assert (event.before, event.after) == ({"visibility": start}, {"visibility": end})


@pytest.mark.parametrize("decision", MODERATORS)
@pytest.mark.parametrize("name", ["alice", "bob", "charlie"])
def test_only_moderators_moderate(decision: Decision, name: str, cast: Cast, split: Split) -> None:
    submission = accepted(cast, split, visibility=V.REQUESTED)
    with pytest.raises(decide.NotAllowedError):
        decision(submission, getattr(cast, name), "because")


@pytest.mark.parametrize("decision", [decide.request_publication, decide.withdraw])
@pytest.mark.parametrize("name", ["charlie", "mona"])
def test_only_the_team_publishes_and_withdraws(decision: Decision, name: str, cast: Cast, split: Split) -> None:
    submission = accepted(cast, split)
    with pytest.raises(decide.NotAllowedError):
        decision(submission, getattr(cast, name), "")


@pytest.mark.parametrize("decision", [decide.decline, decide.hide])
def test_a_decision_against_the_team_gives_a_reason(decision: Decision, cast: Cast, split: Split) -> None:
    submission = accepted(cast, split, visibility=V.PUBLIC)
    with pytest.raises(decide.ReasonMissingError):
        decision(submission, cast.mona, " ")


@pytest.mark.parametrize(
    ("moderation", "start", "end"),
    [
        (Moderation.AFTER, V.PRIVATE, V.PUBLIC),
        (Moderation.BEFORE, V.PRIVATE, V.REQUESTED),
        (Moderation.AFTER, V.DECLINED, V.REQUESTED),
        (Moderation.BEFORE, V.DECLINED, V.REQUESTED),
    ],
)
def test_publication_follows_the_splits_rule(
    moderation: Moderation, start: Visibility, end: Visibility, cast: Cast, split: Split
) -> None:
    split.moderation = moderation
    split.save()
    submission = accepted(cast, split, visibility=start)
    add_scores(submission, {"mAP@10": 0.5})
    decide.request_publication(submission, cast.bob)
    assert submission.visibility == end
    assert (submission.published_at is not None) == (end == V.PUBLIC)
    assert AuditEvent.objects.filter(target_kind="submission").count() == 1


@pytest.mark.parametrize("status", [EvaluationStatus.QUEUED, EvaluationStatus.CANCELLED, None])
def test_what_has_no_score_cannot_be_published(status: EvaluationStatus | None, cast: Cast, split: Split) -> None:
    submission = accepted(cast, split)
    if status:
        evaluation_of(submission, status=status)
    with pytest.raises(decide.WrongStateError, match="no score yet"):
        decide.request_publication(submission, cast.alice)
    submission.refresh_from_db()
    assert submission.visibility == V.PRIVATE


@pytest.mark.parametrize("status", sorted(set(SubmissionStatus.values) - {SubmissionStatus.ACCEPTED}))
def test_what_was_not_accepted_cannot_be_published(status: str, cast: Cast, split: Split) -> None:
    failure = {"failure_class": "ours"} if status == SubmissionStatus.FAILED else {}
    submission = submission_in(cast, split, status, **failure)
    with pytest.raises(decide.WrongStateError):
        decide.request_publication(submission, cast.alice)


def test_withdrawing_cancels_what_is_still_worked_on(cast: Cast, split: Split) -> None:
    submission = accepted(cast, split, visibility=V.PUBLIC)
    waiting = evaluation_of(submission)
    running = evaluation_of(submission, "clean", status=EvaluationStatus.RUNNING, attempt=uuid4())
    decide.withdraw(submission, cast.alice, "a mistake")
    assert (submission.status, submission.visibility) == (SubmissionStatus.WITHDRAWN, V.PRIVATE)
    for evaluation in (waiting, running):
        evaluation.refresh_from_db()
        assert (evaluation.status, evaluation.attempt) == (EvaluationStatus.CANCELLED, None)
    assert AuditEvent.objects.filter(target_kind="submission").count() == 1
    with pytest.raises(decide.WrongStateError):
        decide.withdraw(submission, cast.alice)


def test_withdrawing_does_not_lift_a_moderators_decision(cast: Cast, split: Split) -> None:
    submission = accepted(cast, split, visibility=V.HIDDEN)
    decide.withdraw(submission, cast.alice)
    assert submission.visibility == V.HIDDEN


def test_a_decision_on_an_outdated_page_is_refused(cast: Cast, split: Split) -> None:
    submission = accepted(cast, split, visibility=V.REQUESTED)
    outdated = Submission.objects.get()
    decide.approve(submission, cast.mona)
    with pytest.raises(decide.WrongStateError, match="Somebody else"):
        decide.decline(outdated, cast.mona, "too late")


@pytest.mark.django_db(transaction=True)
def test_of_two_moderators_at_the_same_moment_one_decides(board: Path, settings: Settings, places: Path) -> None:
    cast = make_cast()
    settings.SEALED_ROOT = places / "sealed"
    call_command("install_benchmark", str(board), verbosity=0)
    submission = accepted(cast, Split.objects.get(), visibility=V.REQUESTED)

    def decide_once(number: int) -> bool:
        mine = Submission.objects.select_related("split").get(pk=submission.pk)
        try:
            (decide.approve if number % 2 else decide.decline)(mine, cast.mona, "because")
        except decide.WrongStateError:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(8) as pool:
        n_decided = sum(pool.map(decide_once, range(8)))
    # Declining what was approved a moment ago is possible; a decision without its line in the record is not.
    assert n_decided == AuditEvent.objects.filter(target_kind="submission").count()
    assert n_decided in {1, 2}
