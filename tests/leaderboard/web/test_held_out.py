"""Nothing that anybody can read tells more of held-out ground truth than the page shows."""

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path

from django.test import Client

from evaluator.public.rounding import rounded_for
from leaderboard.models import Score, Split, Submission, User
from leaderboard.tables.board import read_board
from leaderboard.tables.query import BoardQuery
from tests.cast import Cast
from tests.leaderboard.held_out import NUMBER, exact_numbers, submit, told_exactly
from tests.leaderboard.scored import scored

Install = Callable[[str], Split]


def addresses(submissions: list[Submission]) -> Iterator[str]:
    columns = "c=map_at_50&c=precision_at_10&c=negative_recall_at_10"
    for protocol in ("official", "clean"):
        for chosen in ("", "&slice=kind:odd", "&slice=secret:hid", "&slice=secret:alone", "&sort=-map_at_50"):
            query = f"?protocol={protocol}&{columns}{chosen}"
            for page in ("", "leaderboard.csv", "leaderboard.json"):
                yield f"/b/board/{page}{query}"
            yield f"/api/v1/benchmarks/board/leaderboard/{query}"
        for submission in submissions:
            for page in ("report", "receipt"):
                yield f"/api/v1/submissions/{submission.pk}/{page}/?protocol={protocol}"
    for submission in submissions:
        yield f"/s/{submission.pk}/"
        yield f"/s/{submission.pk}/problems.csv"
        for page in ("", "problems/", "problems.csv"):
            yield f"/api/v1/submissions/{submission.pk}/{page}"
    yield from ("/", "/my/submissions/", "/b/board/protocol/", "/b/board/how-to-submit/", "/b/board/submit/")
    yield from ("/api/v1/benchmarks/", "/api/v1/benchmarks/board/", "/api/v1/submissions/", "/admin/leaderboard/score/")
    for score in Score.objects.all():
        yield f"/admin/leaderboard/score/{score.pk}/change/"


def body_of(client: Client, address: str) -> str:
    response = client.get(address)
    content = b"".join(response) if response.streaming else response.content
    return content.decode()


def test_no_body_tells_an_exact_number(cast: Cast, install: Install, places: Path) -> None:
    split = install("held_out")
    submissions = [submit(cast, split, places, seed, public=seed == 1) for seed in (1, 2)]
    exact = exact_numbers(split)
    assert len(exact) > 100
    people: list[User | None] = [None, cast.alice, cast.charlie, cast.mona]
    n_read = 0
    for person in people:
        client = Client()
        if person is not None:
            client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
        for address in addresses(submissions):
            body = body_of(client, address)
            assert told_exactly(body, exact) == [], f"{person} reads {address}"
            n_read += len(NUMBER.findall(body))
    assert n_read > 1000


def test_the_same_look_finds_exact_numbers_where_ground_truth_is_open(
    cast: Cast, install: Install, places: Path
) -> None:
    split = install("public")
    submission = submit(cast, split, places, 1, public=True)
    exact = exact_numbers(split)
    for address in (f"/api/v1/submissions/{submission.pk}/report/", "/b/board/leaderboard.json"):
        assert told_exactly(body_of(Client(), address), exact), address


def test_a_sealed_axis_is_rounded_on_open_ground_truth_too(cast: Cast, install: Install, places: Path) -> None:
    split = install("public")
    submission = submit(cast, split, places, 1, public=True)
    report = json.loads(body_of(Client(), f"/api/v1/submissions/{submission.pk}/report/?protocol=official"))
    receipt = json.loads(body_of(Client(), f"/api/v1/submissions/{submission.pk}/receipt/?protocol=official"))
    for told in (report, receipt["report"]):
        assert told["slices"]["secret"] == rounded_for(split.rules.display, told["slices"]["secret"])
        assert told["slices"]["kind"] != rounded_for(split.rules.display, told["slices"]["kind"])
    row = json.loads(body_of(Client(), "/b/board/leaderboard.json?slice=secret:hid"))["rows"][0]
    told = row["metrics"]["mAP@10"]
    assert told == report["slices"]["secret"]["hid"]["mAP@10"]
    assert told != Score.objects.values("value", "low", "high", "n").get(
        evaluation__protocol="official", axis="secret", slice="hid", metric="mAP@10"
    )


def test_a_slice_of_one_query_tells_no_value(cast: Cast, install: Install, places: Path) -> None:
    submission = submit(cast, install("held_out"), places, 1, public=True)
    report = json.loads(body_of(Client(), f"/api/v1/submissions/{submission.pk}/report/"))
    assert report["slices"]["secret"]["alone"]["mAP@10"] == {"value": None, "low": None, "high": None, "n": 1}
    assert Score.objects.filter(slice="alone", metric="mAP@10", value__isnull=False).exists()


def test_the_report_says_how_it_is_rounded_and_is_what_its_digest_names(
    cast: Cast, install: Install, places: Path
) -> None:
    submission = submit(cast, install("held_out"), places, 1, public=True)
    body = body_of(Client(), f"/api/v1/submissions/{submission.pk}/report/?protocol=official")
    report = json.loads(body)
    assert report["rounding"] == {"percent": True, "decimals": 2}
    assert "timings" not in report
    seen = json.loads(body_of(Client(), f"/api/v1/submissions/{submission.pk}/"))["evaluations"]
    digest = next(evaluation["report_digest"] for evaluation in seen if evaluation["protocol"] == "official")
    assert hashlib.sha256(body.encode()).hexdigest() == digest


def test_rows_that_look_alike_share_a_rank(cast: Cast, split: Split) -> None:
    split.ground_truth = "held_out"
    split.save()
    for name, value in (("a", 0.123412), ("b", 0.123414), ("c", 0.2)):
        scored(cast, split, name, {"mAP@10": value})
    rows = read_board(split, BoardQuery()).rows
    assert [(row.name, row.rank) for row in rows] == [("c", 1), ("a", 2), ("b", 2)]
