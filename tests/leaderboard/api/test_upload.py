"""Runs are sent as a form or as the raw body, checked without being stored, and refused in words."""

import contextlib
import gzip
import io
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import zstandard
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from gunicorn.http.errors import ChunkMissingTerminator, InvalidChunkSize, NoMoreData
from pytest_django import Settings

from leaderboard.models import Method, Split, Submission
from leaderboard.storage import artefacts
from leaderboard.web.turns import turns
from tests.board import run_file
from tests.cast import Cast
from tests.leaderboard.api.conftest import Program

ADDRESS = "/api/v1/submissions/"
RUN = run_file()


def send(client: Client, content: bytes = RUN, **fields: Any) -> Any:
    fields = {"benchmark": "board", "method": "Looking Glass", **fields}
    return client.post(ADDRESS, {**fields, "run": SimpleUploadedFile("run.json", content)})


def test_a_form_makes_a_submission_of_the_personal_team(cast: Cast, split: Split, program: Program) -> None:
    response = send(program(cast.alice), variant="large", paradigm="training-free", zero_shot="true", year="2026")
    assert response.status_code == 201
    answer = response.json()
    submission = Submission.objects.get(pk=answer["id"])
    assert submission.split == split
    assert artefacts.path(submission.artefact_digest).read_bytes() == RUN
    assert answer["method"] | {"team": "alice", "variant": "large", "year": 2026} == answer["method"]
    assert submission.team.members.get() == cast.alice
    assert (answer["status"], answer["visibility"], answer["in_work"]) == ("received", "private", True)


def test_a_method_of_a_team_is_named_by_both(cast: Cast, split: Split, program: Program) -> None:
    response = send(program(cast.bob), method="wonderland/Looking Glass")
    assert response.status_code == 201
    assert Submission.objects.get(split=split).method == cast.method


def test_nobody_submits_for_a_team_of_others(cast: Cast, split: Split, program: Program) -> None:
    response = send(program(cast.charlie), method="wonderland/Looking Glass")
    assert (response.status_code, response.json()["code"]) == (403, "not-your-team")
    assert not Submission.objects.filter(split=split).exists()


@pytest.mark.usefixtures("split")
@pytest.mark.parametrize(
    ("kind", "pack"),
    [
        ("application/json", bytes),
        ("application/gzip", gzip.compress),
        ("application/octet-stream", zstandard.compress),
    ],
)
def test_a_raw_body_is_stored_as_it_came(cast: Cast, program: Program, kind: str, pack: Any) -> None:
    content = pack(RUN)
    address = f"{ADDRESS}?benchmark=board&method=raw&file_name=../../etc/run.json"
    response = program(cast.alice).generic("POST", address, content, content_type=kind)
    assert response.status_code == 201
    submission = Submission.objects.get()
    assert artefacts.path(submission.artefact_digest).read_bytes() == content
    assert submission.file_name == "run.json"


@pytest.mark.usefixtures("split")
def test_a_body_in_chunks_is_read_to_its_end(cast: Cast, program: Program) -> None:
    extra = {"wsgi.input": io.BytesIO(RUN), "wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"}
    response = program(cast.alice).generic(
        "POST", f"{ADDRESS}?benchmark=board&method=raw", content_type="application/json", CONTENT_LENGTH="", **extra
    )
    assert response.status_code == 201
    assert artefacts.path(Submission.objects.get().artefact_digest).read_bytes() == RUN


@pytest.mark.usefixtures("split")
@pytest.mark.parametrize("chunked", [True, False])
def test_a_body_over_the_limit_is_refused_and_not_kept(
    cast: Cast, program: Program, settings: Settings, places: Path, chunked: bool
) -> None:
    settings.UPLOAD_LIMIT_BYTES = len(RUN) - 1
    address = f"{ADDRESS}?benchmark=board&method=raw"
    extra: dict[str, Any] = {}
    if chunked:
        extra = {"wsgi.input": io.BytesIO(RUN), "wsgi.input_terminated": True, "CONTENT_LENGTH": ""}
    response = program(cast.alice).generic("POST", address, RUN, content_type="application/json", **extra)
    assert (response.status_code, response.json()["code"]) == (413, "file-too-large")
    assert not Submission.objects.exists()
    assert not [path for path in places.rglob("*") if path.is_file() and path.stat().st_size >= len(RUN) - 1]


@pytest.mark.usefixtures("split")
def test_a_length_that_is_too_large_is_refused_before_anything_is_read(
    cast: Cast, program: Program, settings: Settings
) -> None:
    class Unread(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            raise AssertionError(f"{size} bytes were asked for")

    declared = str(settings.UPLOAD_LIMIT_BYTES + 2 * 1024**2)
    response = program(cast.alice).generic(
        "POST",
        f"{ADDRESS}?benchmark=board&method=raw",
        content_type="application/json",
        **{"wsgi.input": Unread(), "CONTENT_LENGTH": declared},
    )
    assert response.status_code == 413


@pytest.mark.usefixtures("split")
@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"benchmark": ""}, "invalid-fields"),
        ({"benchmark": "nothing"}, "unknown-benchmark"),
        ({"split": "nothing"}, "unknown-split"),
        ({"method": ""}, "method-missing"),
        ({"method": "!!!"}, "method-name"),
        ({"paper_url": "javascript:alert(1)"}, "invalid-fields"),
        ({"paradigm": "magic"}, "invalid-fields"),
        ({"paper_url": f"https://example.org/{'a' * 300}"}, "invalid-fields"),
        ({"code_url": f"https://example.org/{'a' * 300}"}, "invalid-fields"),
        ({"method": "gol\u200bd"}, "invalid-fields"),
        ({"variant": "gol\u202ed"}, "invalid-fields"),
        ({"backbone": "gol\x1bd"}, "invalid-fields"),
        ({"description": "gol\u2066d"}, "invalid-fields"),
        ({"bibtex": "gol\ufeffd"}, "invalid-fields"),
    ],
)
def test_a_faulty_field_is_named_with_a_remedy(cast: Cast, program: Program, fields: dict[str, str], code: str) -> None:
    response = send(program(cast.alice), **fields)
    answer = response.json()
    assert response.status_code in {400, 404}
    assert answer["code"] == code
    assert answer["message"]
    assert answer["remedy"]


@pytest.mark.usefixtures("split")
def test_an_empty_file_says_so(cast: Cast, program: Program) -> None:
    response = send(program(cast.alice), b"")
    assert (response.status_code, response.json()["code"]) == (400, "empty-file")
    assert "0 bytes" in response.json()["message"]


@pytest.mark.usefixtures("split")
def test_a_form_without_a_file_says_so(cast: Cast, program: Program) -> None:
    response = program(cast.alice).post(ADDRESS, {"benchmark": "board", "method": "m"})
    assert (response.status_code, response.json()["code"]) == (400, "run-missing")


def test_a_used_quota_answers_429_with_the_moment(cast: Cast, split: Split, program: Program) -> None:
    Split.objects.filter(pk=split.pk).update(quota_per_week=1)
    client = program(cast.alice)
    assert send(client).status_code == 201
    response = send(client)
    assert (response.status_code, response.json()["code"]) == (429, "quota-used")


def test_a_closed_split_takes_nothing(cast: Cast, split: Split, program: Program) -> None:
    Split.objects.filter(pk=split.pk).update(closes_at=timezone.now() - timedelta(seconds=1))
    response = send(program(cast.alice))
    assert (response.status_code, response.json()["code"]) == (403, "closed")


@pytest.mark.usefixtures("split")
def test_a_dry_run_reports_every_problem_and_stores_nothing(cast: Cast, program: Program, places: Path) -> None:
    lists = json.loads(RUN)
    del lists["00001"]
    lists["00002"]["retrieved_items"][1] = lists["00002"]["retrieved_items"][0]
    content = {"benchmark": "board", "run": SimpleUploadedFile("run.json", json.dumps(lists).encode())}
    response = program(cast.alice).post(f"{ADDRESS}?dry_run=1", content)
    assert response.status_code == 200
    report = response.json()
    errors = {group["code"] for group in report["groups"] if group["severity"] == "error"}
    assert errors == {"query-missing", "image-repeated"}
    assert not Submission.objects.exists()
    assert not Method.objects.filter(name="").exists()
    assert not [path for path in (places / "artefacts").rglob("*") if path.is_file()]


@pytest.mark.usefixtures("split")
def test_a_dry_run_of_a_good_file_finds_nothing(cast: Cast, program: Program) -> None:
    response = program(cast.alice).generic(
        "POST", f"{ADDRESS}?benchmark=board&dry_run=1", RUN, content_type="application/json"
    )
    assert response.json()["n_errors"] == 0


@pytest.mark.usefixtures("split")
def test_a_body_that_breaks_off_is_refused_and_not_kept(cast: Cast, program: Program, places: Path) -> None:
    extra = {"wsgi.input": io.BytesIO(RUN), "CONTENT_LENGTH": str(len(RUN) + 10)}
    response = program(cast.alice).generic(
        "POST", f"{ADDRESS}?benchmark=board&method=raw", content_type="application/json", **extra
    )
    assert (response.status_code, response.json()["code"]) == (400, "upload-cut-off")
    assert "10 bytes before its end" in response.json()["message"]
    assert not Submission.objects.exists()
    assert not [path for path in places.rglob("*") if path.is_file() and path.stat().st_size == len(RUN)]


@pytest.mark.usefixtures("split")
def test_a_form_that_breaks_off_is_refused_and_not_kept(cast: Cast, program: Program) -> None:
    part = b'--x\r\nContent-Disposition: form-data; name="run"; filename="run.json"\r\n\r\n' + RUN
    extra = {"wsgi.input": io.BytesIO(part), "CONTENT_LENGTH": str(len(part) + 10)}
    response = program(cast.alice).generic("POST", ADDRESS, CONTENT_TYPE="multipart/form-data; boundary=x", **extra)
    assert (response.status_code, response.json()["code"]) == (400, "upload-cut-off")
    assert not Submission.objects.exists()


@pytest.mark.usefixtures("split")
@pytest.mark.parametrize("error", [NoMoreData, InvalidChunkSize(b"zz"), ChunkMissingTerminator(b"xx"), OSError])
def test_chunks_that_break_off_are_refused_and_not_kept(
    cast: Cast, program: Program, places: Path, error: Exception
) -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            found = super().read(size)
            if not found:
                raise error
            return found

    extra = {"wsgi.input": Broken(RUN), "wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"}
    response = program(cast.alice).generic(
        "POST", f"{ADDRESS}?benchmark=board&method=raw", CONTENT_TYPE="application/json", CONTENT_LENGTH="", **extra
    )
    assert (response.status_code, response.json()["code"]) == (400, "upload-cut-off")
    assert not Submission.objects.exists()
    assert not [path for path in places.rglob("*") if path.is_file() and path.stat().st_size == len(RUN)]


@pytest.mark.usefixtures("split")
@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({f"f{n}": "x" for n in range(2000)}, 400, "too-many-fields"),
        ({f"f{n}": SimpleUploadedFile("x", b"x") for n in range(300)}, 400, "too-many-fields"),
        ({"description": "x" * 3_000_000}, 413, "fields-too-large"),
    ],
)
def test_a_form_with_too_much_in_it_is_answered_as_json(
    cast: Cast, program: Program, fields: dict[str, Any], status: int, code: str
) -> None:
    response = send(program(cast.alice), **fields)
    assert (response.status_code, response.json()["code"]) == (status, code)


@pytest.mark.usefixtures("split")
def test_dry_runs_take_turns(cast: Cast, program: Program, settings: Settings) -> None:
    settings.DRY_RUN_WAIT_S = 0
    client, address = program(cast.alice), f"{ADDRESS}?dry_run=1"

    def check() -> tuple[int, str]:
        response = client.post(address, {"benchmark": "board", "run": SimpleUploadedFile("run.json", RUN)})
        return response.status_code, response.json().get("code", "")

    with contextlib.ExitStack() as others:
        for _ in range(settings.DRY_RUNS_AT_ONCE):
            others.enter_context(turns)
        assert check() == (503, "check-unavailable")
    # A turn that came is given back.
    assert [check() for _ in range(settings.DRY_RUNS_AT_ONCE + 1)] == [(200, "")] * (settings.DRY_RUNS_AT_ONCE + 1)
