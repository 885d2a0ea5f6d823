"""Moderators decide in the administration; each decision leaves its line in the record."""

from typing import Any

import pytest
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.test import Client

from leaderboard.models import AuditEvent, Split, Submission, User, Visibility
from tests.cast import Cast
from tests.leaderboard.scored import scored
from tests.leaderboard.web.conftest import Visit

LIST = "/admin/leaderboard/submission/"


def decide(client: Client, submission: Submission, action: str, **more: str) -> Any:
    return client.post(LIST, {"action": action, ACTION_CHECKBOX_NAME: str(submission.pk), **more})


@pytest.mark.parametrize(
    ("before", "action", "after"),
    [
        (Visibility.REQUESTED, "approve", Visibility.PUBLIC),
        (Visibility.REQUESTED, "decline", Visibility.DECLINED),
        (Visibility.PUBLIC, "hide", Visibility.HIDDEN),
        (Visibility.HIDDEN, "restore", Visibility.PUBLIC),
    ],
)
def test_a_decision_changes_the_submission_and_is_recorded(
    cast: Cast, split: Split, visit: Visit, before: str, action: str, after: str
) -> None:
    submission = scored(cast, split, "a", {"mAP@10": 0.5}, visibility=before)
    decide(visit(cast.mona), submission, action, confirmed="1", reason="as agreed")
    submission.refresh_from_db()
    assert submission.visibility == after
    event = AuditEvent.objects.get(target_id=str(submission.pk), actor=cast.mona)
    assert (event.before, event.after) == ({"visibility": before}, {"visibility": after})


@pytest.mark.parametrize("action", ["decline", "hide"])
def test_a_decision_against_the_author_asks_for_the_reason(cast: Cast, split: Split, visit: Visit, action: str) -> None:
    submission = scored(cast, split, "a", {"mAP@10": 0.5})
    client = visit(cast.mona)
    asked = decide(client, submission, action)
    assert asked.status_code == 200
    assert b"The team reads it." in asked.content
    assert b"This field is required" in decide(client, submission, action, confirmed="1", reason=" ").content
    submission.refresh_from_db()
    assert submission.visibility == Visibility.PUBLIC
    decide(client, submission, action, confirmed="1", reason="copied from another team")
    assert b"copied from another team" in visit(cast.alice).get(f"/s/{submission.pk}/").content


def test_a_decision_that_is_not_possible_is_explained(cast: Cast, split: Split, visit: Visit) -> None:
    submission = scored(cast, split, "a", {"mAP@10": 0.5}, visibility=Visibility.PRIVATE)
    client = visit(cast.mona)
    decide(client, submission, "approve")
    assert b"cannot be approved now" in client.get(LIST).content
    assert not AuditEvent.objects.filter(target_id=str(submission.pk), actor=cast.mona).exists()


@pytest.mark.parametrize("model", ["score", "auditevent", "submission", "evaluation"])
def test_what_is_recorded_cannot_be_typed(cast: Cast, split: Split, visit: Visit, model: str) -> None:
    root = User.objects.create_superuser("root@example.org", "x")
    submission = scored(cast, split, "a", {"mAP@10": 0.5})
    target = {
        "score": submission.evaluations.get().scores.first(),
        "auditevent": AuditEvent.objects.create(action="x", target_kind="submission", target_id=str(submission.pk)),
        "submission": submission,
        "evaluation": submission.evaluations.get(),
    }[model]
    client = visit(root)
    assert target is not None
    assert client.get(f"/admin/leaderboard/{model}/").status_code == 200
    assert client.get(f"/admin/leaderboard/{model}/add/").status_code == 403
    assert client.get(f"/admin/leaderboard/{model}/{target.pk}/change/").status_code == 200
    assert client.post(f"/admin/leaderboard/{model}/{target.pk}/change/", {}).status_code == 403
    assert client.post(f"/admin/leaderboard/{model}/{target.pk}/delete/", {"post": "yes"}).status_code == 403


@pytest.mark.usefixtures("split")
@pytest.mark.parametrize(
    "model", ["benchmark", "benchmarkversion", "split", "method", "team", "user", "apitoken", "score", "evaluation"]
)
def test_every_list_of_the_administration_opens(cast: Cast, visit: Visit, model: str) -> None:
    root = User.objects.create_superuser("root@example.org", "x")
    client = visit(root)
    assert client.get(f"/admin/leaderboard/{model}/?q=a").status_code in {200, 302}
    assert cast.method.pk


def test_only_the_rules_of_taking_part_are_typed_on_a_split(cast: Cast, split: Split, visit: Visit) -> None:
    root = User.objects.create_superuser("root@example.org", "x")
    page = visit(root).get(f"/admin/leaderboard/split/{split.pk}/change/").content
    assert b'name="quota_per_week"' in page
    assert b'name="ground_truth_digest"' not in page
    assert cast.team.pk


@pytest.mark.usefixtures("split")
@pytest.mark.parametrize("model", ["submission", "user", "method", "team", "evaluation"])
@pytest.mark.parametrize("ticked", ["zz", "\0", "9" * 30, "-1", ""])
def test_what_is_no_row_cannot_be_acted_on(cast: Cast, visit: Visit, model: str, ticked: str) -> None:
    client = visit(User.objects.create_superuser("root@example.org", "x"))
    action = "approve" if model == "submission" else "delete_selected"
    response = client.post(f"/admin/leaderboard/{model}/", {"action": action, ACTION_CHECKBOX_NAME: ticked})
    assert response.status_code in {200, 302, 400}
    assert cast.method.pk
