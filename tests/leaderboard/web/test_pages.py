"""What the pages show and do, without a browser."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from leaderboard.models import EvaluationStatus, Split, Submission, SubmissionStatus, Visibility
from tests.board import run_file
from tests.cast import Cast
from tests.leaderboard.scored import scored
from tests.leaderboard.submissions import accepted, evaluation_of, submission_in
from tests.leaderboard.web.conftest import Visit


@pytest.mark.parametrize("n_rows", [1, 50])
def test_a_leaderboard_page_takes_at_most_eight_queries(cast: Cast, split: Split, visit: Visit, n_rows: int) -> None:
    for number in range(n_rows):
        scored(cast, split, f"method {number}", {"mAP@10": number / 100})
    client = visit(cast.alice)
    with CaptureQueriesContext(connection) as queries:
        assert client.get("/b/board/").content.count(b"re-scored") >= n_rows
    assert len(queries) <= 8


@pytest.mark.parametrize("n_rows", [1, 50])
def test_the_home_page_takes_a_constant_number_of_queries(cast: Cast, split: Split, n_rows: int) -> None:
    for number in range(n_rows):
        scored(cast, split, f"method {number}", {"mAP@10": number / 100})
    with CaptureQueriesContext(connection) as queries:
        Client().get("/")
    assert len(queries) <= 6


def test_a_header_sorts_in_its_natural_direction_and_then_in_the_other(cast: Cast, split: Split) -> None:
    scored(cast, split, "a", {"mAP@10": 0.5, "negative_recall@10": 0.2})

    def link(address: str, slug: str) -> str:
        page = Client().get(address).content.decode()
        found = re.search(rf'href="([^"]*)" id="sort-{slug}"', page)
        assert found
        return found[1]

    assert link("/b/board/", "precision_at_10") == "?sort=-precision_at_10"
    assert link("/b/board/?sort=-precision_at_10", "precision_at_10") == "?sort=precision_at_10"
    assert link("/b/board/", "negative_recall_at_10") == "?sort=negative_recall_at_10"
    assert link("/b/board/", "map_at_10") == "?sort=map_at_10"
    assert link("/b/board/?protocol=official&q=a", "method") == "?protocol=official&amp;q=a&amp;sort=method"


def test_the_sorted_column_says_so(cast: Cast, split: Split) -> None:
    scored(cast, split, "a", {"mAP@10": 0.5})
    assert b'aria-sort="descending"' in Client().get("/b/board/").content
    assert b'aria-sort="ascending"' in Client().get("/b/board/?sort=map_at_10").content


def test_an_export_holds_what_is_shown(cast: Cast, split: Split) -> None:
    scored(cast, split, "shown", {"mAP@10": 0.5})
    scored(cast, split, "unwanted", {"mAP@10": 0.4})
    table = Client().get("/b/board/leaderboard.csv?q=shown").content.decode()
    assert "shown" in table
    assert "unwanted" not in table
    assert [row["method"] for row in Client().get("/b/board/leaderboard.json?q=shown").json()["rows"]] == ["shown"]


def test_an_unknown_sort_is_not_found_and_says_what_there_is(cast: Cast, split: Split) -> None:
    scored(cast, split, "a", {"mAP@10": 0.5})
    response = Client().get("/b/board/?sort=nothing")
    assert response.status_code == 404
    assert b"map_at_10" in response.content


def test_colours_are_kept_in_a_cookie_and_put_into_the_page(cast: Cast, visit: Visit) -> None:
    client = visit(cast.alice)
    response = client.post("/theme/", {"theme": "dark", "next": "/my/tokens/"})
    assert response["Location"] == "/my/tokens/"
    assert b'data-theme="dark"' in client.get("/").content
    client.post("/theme/", {"theme": "auto"})
    assert b"data-theme=" not in client.get("/").content.split(b"</head>")[0]


@pytest.mark.django_db
@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example", "javascript:alert(1)", ""])
def test_the_switch_of_colours_never_leads_elsewhere(target: str) -> None:
    assert Client().post("/theme/", {"theme": "dark", "next": target})["Location"] == "/"


@pytest.mark.django_db
def test_an_unknown_colour_is_not_kept() -> None:
    assert "theme" not in Client().post("/theme/", {"theme": '"><script>'}).cookies


@pytest.mark.usefixtures("split")
def test_a_file_is_checked_on_the_page_and_not_stored(cast: Cast, visit: Visit) -> None:
    file = SimpleUploadedFile("bad.json", b'{"00001": {"retrieved_items": []}}')
    page = visit(cast.alice).post("/b/board/submit/", {"action": "check", "run": file}).content
    assert b"bad.json cannot be scored yet" in page
    assert b"query-missing" in page
    assert not Submission.objects.exists()


@pytest.mark.usefixtures("split")
def test_a_file_is_submitted_and_followed(cast: Cast, visit: Visit) -> None:
    file = SimpleUploadedFile("run.json", run_file())
    form = {"action": "submit", "run": file, "name": "A/B method", "year": "2026", "zero_shot": "0"}
    client = visit(cast.alice)
    response = client.post("/b/board/submit/", form)
    submission = Submission.objects.get()
    assert response["Location"] == f"/s/{submission.pk}/"
    assert (submission.method.name, submission.method.zero_shot) == ("A-B method", False)
    page = client.get(response["Location"]).content
    assert b"Waiting to be checked" in page
    assert b'hx-trigger="every 1s"' in page


@pytest.mark.usefixtures("split")
@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"action": "submit", "name": "m"}, b"Choose a file first"),
        ({"action": "check"}, b"Choose a file first"),
        ({"action": "submit", "name": ""}, b"This field is required"),
        ({"action": "submit", "name": "?!"}, b"at least one letter or digit"),
        ({"action": "submit", "name": "m", "paper_url": "javascript:alert(1)"}, b"Enter a valid URL"),
    ],
)
def test_a_faulty_form_says_what_to_do(cast: Cast, visit: Visit, form: dict[str, str], said: bytes) -> None:
    response = visit(cast.alice).post("/b/board/submit/", form)
    assert response.status_code == 422
    assert said in response.content


@pytest.mark.usefixtures("split")
def test_an_empty_file_says_so_on_the_page(cast: Cast, visit: Visit) -> None:
    form = {"action": "submit", "name": "m", "run": SimpleUploadedFile("run.json", b"")}
    assert b"0 bytes" in visit(cast.alice).post("/b/board/submit/", form).content


@pytest.mark.usefixtures("split")
def test_a_file_over_the_limit_gets_its_own_page(cast: Cast, visit: Visit, settings: Settings) -> None:
    declared = str(settings.UPLOAD_LIMIT_BYTES + 2 * 1024**2)
    response = visit(cast.alice).generic(
        "POST", "/b/board/submit/", b"", content_type="multipart/form-data; boundary=x", CONTENT_LENGTH=declared
    )
    assert response.status_code == 413
    assert b"too large" in response.content


def test_a_page_stops_looking_again_when_all_is_done(cast: Cast, split: Split, visit: Visit) -> None:
    submission = accepted(cast, split)
    evaluation_of(submission)
    client = visit(cast.alice)
    assert b"Waiting to be scored" in client.get(f"/s/{submission.pk}/").content
    done = scored(cast, split, "done", {"mAP@10": 0.5}, visibility=Visibility.PRIVATE)
    page = client.get(f"/s/{done.pk}/").content
    assert b"hx-trigger" not in page
    assert b"Make it public" in page


def test_a_failed_evaluation_tells_its_reason(cast: Cast, split: Split, visit: Visit) -> None:
    submission = accepted(cast, split)
    evaluation_of(submission, status=EvaluationStatus.FAILED, failure="the disk is full", failure_class="ours")
    assert b"the disk is full" in visit(cast.alice).get(f"/s/{submission.pk}/").content


def test_a_member_makes_a_result_public_and_the_table_has_it(cast: Cast, split: Split, visit: Visit) -> None:
    submission = scored(cast, split, "Looking Glass 2", {"mAP@10": 0.5}, visibility=Visibility.PRIVATE)
    assert b"Looking Glass 2" not in Client().get("/b/board/").content
    visit(cast.bob).post(f"/s/{submission.pk}/publish/")
    assert b"Looking Glass 2" in Client().get("/b/board/").content


def test_where_moderators_look_first_a_result_waits_for_them(cast: Cast, split: Split, visit: Visit) -> None:
    Split.objects.filter(pk=split.pk).update(moderation="before")
    submission = scored(cast, split, "a", {"mAP@10": 0.5}, visibility=Visibility.PRIVATE)
    client = visit(cast.alice)
    client.post(f"/s/{submission.pk}/publish/")
    assert b"waiting for a moderator" in client.get(f"/s/{submission.pk}/").content


def test_my_submissions_are_the_teams_and_only_theirs(cast: Cast, split: Split, visit: Visit) -> None:
    scored(cast, split, "White Rabbit", {"mAP@10": 0.5}, visibility=Visibility.PRIVATE)
    submission_in(cast, split, SubmissionStatus.RECEIVED)
    assert b"White Rabbit" in visit(cast.bob).get("/my/submissions/").content
    assert b"White Rabbit" not in visit(cast.charlie).get("/my/submissions/").content


def test_a_form_without_its_secret_changes_nothing(cast: Cast, split: Split) -> None:
    submission = scored(cast, split, "a", {"mAP@10": 0.5}, visibility=Visibility.PRIVATE)
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.alice, backend="django.contrib.auth.backends.ModelBackend")
    response = client.post(f"/s/{submission.pk}/publish/")
    assert response.status_code == 403
    assert b"Nothing was changed" in response.content
    submission.refresh_from_db()
    assert submission.visibility == Visibility.PRIVATE
