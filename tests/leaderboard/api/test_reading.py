"""Programs read benchmarks, tables, submissions, problems and reports."""

import pytest
from django.test import Client

from leaderboard.models import Split, SubmissionStatus, Visibility
from leaderboard.storage.artefacts import put_bytes
from tests.cast import Cast
from tests.leaderboard.api.conftest import Program
from tests.leaderboard.scored import scored
from tests.leaderboard.submissions import accepted, submission_in


@pytest.mark.usefixtures("split")
def test_benchmarks_come_with_their_splits_and_digests() -> None:
    (benchmark,) = Client().get("/api/v1/benchmarks/").json()
    assert benchmark["slug"] == "board"
    assert benchmark["splits"][0]["name"] == "val"
    assert len(benchmark["splits"][0]["ground_truth_digest"]) == 64
    assert Client().get("/api/v1/benchmarks/board/").json() == benchmark


def test_a_table_is_sorted_and_sliced_as_asked(cast: Cast, split: Split) -> None:
    odd = ("kind", "odd")
    scored(cast, split, "a", {"mAP@10": 0.9, "precision@10": None}, slices={odd: {"mAP@10": 0.1}})
    scored(cast, split, "b", {"mAP@10": 0.5, "precision@10": 0.4}, slices={odd: {"mAP@10": 0.6}})

    def names(query: str) -> list[str]:
        rows = Client().get(f"/api/v1/benchmarks/board/leaderboard/{query}").json()["rows"]
        return [row["method"] for row in rows]

    assert names("") == ["a", "b"]
    assert names("?sort=map_at_10") == ["b", "a"]
    assert names("?sort=-precision_at_10") == names("?sort=precision_at_10") == ["b", "a"]
    assert names("?slice=kind:odd") == ["b", "a"]
    assert names("?protocol=clean") == []


@pytest.mark.usefixtures("split")
@pytest.mark.parametrize(
    ("address", "status", "code"),
    [
        ("/api/v1/benchmarks/nothing/", 404, "unknown-benchmark"),
        ("/api/v1/benchmarks/board/leaderboard/?sort=nothing", 400, "unknown-sort"),
        ("/api/v1/benchmarks/board/leaderboard/?protocol=nothing", 400, "unknown-protocol"),
        ("/api/v1/benchmarks/board/leaderboard/?slice=:nothing", 400, "unknown-slice"),
        ("/api/v1/benchmarks/board/leaderboard/?slice=nothing:", 400, "unknown-slice"),
        ("/api/v1/submissions/00000000-0000-4000-8000-000000000000/", 404, "not-found"),
    ],
)
def test_every_error_has_code_message_and_remedy(address: str, status: int, code: str) -> None:
    response = Client().get(address)
    answer = response.json()
    assert (response.status_code, answer["code"]) == (status, code)
    assert answer["message"]
    assert answer["remedy"]


def test_the_list_holds_the_teams_own_and_what_is_public(cast: Cast, split: Split, program: Program) -> None:
    own = scored(cast, split, "own", {"mAP@10": 0.9}, visibility=Visibility.PRIVATE)
    public = scored(cast, split, "public", {"mAP@10": 0.9})

    def ids(client: Client) -> set[str]:
        return {entry["id"] for entry in client.get("/api/v1/submissions/").json()["results"]}

    assert ids(program(cast.bob)) == {str(own.pk), str(public.pk)}
    assert ids(program(cast.charlie)) == ids(Client()) == {str(public.pk)}


def test_problems_are_read_as_json_and_as_csv(cast: Cast, split: Split, program: Program) -> None:
    shown = {"message": "m", "query": "=1+1", "rank": 2, "value": "@x", "expected": "e", "hint": ""}
    group = {"code": "image-repeated", "severity": "error", "title": "t", "remedy": "r", "count": 1, "shown": [shown]}
    report = {"n_errors": 1, "n_warnings": 0, "groups": [group]}
    submission = submission_in(cast, split, SubmissionStatus.REJECTED, problems=report)
    client = program(cast.alice)
    assert client.get(f"/api/v1/submissions/{submission.pk}/problems/").json() == report
    table = client.get(f"/api/v1/submissions/{submission.pk}/problems.csv").content.decode()
    assert "'=1+1,2,'@x" in table


def test_all_problems_are_read_from_what_the_check_stored(cast: Cast, split: Split, program: Program) -> None:
    stored = put_bytes(b"code\nimage-repeated\n")
    submission = submission_in(cast, split, SubmissionStatus.REJECTED, problems_csv_digest=stored.digest)
    response = program(cast.alice).get(f"/api/v1/submissions/{submission.pk}/problems.csv")
    assert b"".join(response) == b"code\nimage-repeated\n"


def test_the_report_is_the_one_that_the_scorer_wrote(cast: Cast, split: Split, program: Program) -> None:
    submission = scored(cast, split, "a", {"mAP@10": 0.9}, visibility=Visibility.PRIVATE)
    response = program(cast.alice).get(f"/api/v1/submissions/{submission.pk}/report/?protocol=official")
    assert b"".join(response) == b'{"primary": "mAP@10"}'


def test_there_is_no_report_before_it_is_scored(cast: Cast, split: Split, program: Program) -> None:
    submission = accepted(cast, split)
    response = program(cast.alice).get(f"/api/v1/submissions/{submission.pk}/report/")
    assert (response.status_code, response.json()["code"]) == (404, "not-scored")


def test_a_member_publishes_and_withdraws(cast: Cast, split: Split, program: Program) -> None:
    submission = scored(cast, split, "a", {"mAP@10": 0.9}, visibility=Visibility.PRIVATE)
    client = program(cast.bob)
    assert client.post(f"/api/v1/submissions/{submission.pk}/publish/").json()["visibility"] == "public"
    assert Client().get(f"/api/v1/submissions/{submission.pk}/").status_code == 200
    again = client.post(f"/api/v1/submissions/{submission.pk}/publish/")
    assert (again.status_code, again.json()["code"]) == (409, "wrong-state")
    assert client.post(f"/api/v1/submissions/{submission.pk}/withdraw/").json()["status"] == "withdrawn"
    assert Client().get(f"/api/v1/submissions/{submission.pk}/").status_code == 404


@pytest.mark.django_db
def test_the_schema_describes_every_operation() -> None:
    response = Client().get("/api/schema/?format=json")
    paths = response.json()["paths"]
    assert "post" in paths["/api/v1/submissions/"]
    assert {"multipart/form-data", "application/octet-stream"} <= set(
        paths["/api/v1/submissions/"]["post"]["requestBody"]["content"]
    )


@pytest.mark.parametrize("number", ["0", "-1", "x", "1000000", "9223372036854775807", "9" * 20, "9" * 5000])
def test_no_number_asks_for_too_much(cast: Cast, split: Split, number: str) -> None:
    scored(cast, split, "public", {"mAP@10": 0.9})
    assert len(Client().get(f"/api/v1/submissions/?limit={number}").json()["results"]) == 1
    assert Client().get(f"/api/v1/submissions/?offset={number}").status_code == 200


@pytest.mark.parametrize("version", ["1%0d%0aX:y", "%22;filename=%22evil.exe", "x"])
def test_the_schema_takes_no_version(version: str) -> None:
    plain, asked = (Client().get(f"/api/schema/{query}") for query in ("", f"?version={version}"))
    assert asked.status_code == 200
    assert asked["Content-Disposition"] == plain["Content-Disposition"]
