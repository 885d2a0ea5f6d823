"""Whatever people write is text on every page, and no page needs an exception from its policy."""

import re
from html.parser import HTMLParser

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from leaderboard.models import FailureClass, Split, Submission, SubmissionStatus, User, Visibility
from tests.cast import Cast
from tests.leaderboard.scored import scored
from tests.leaderboard.submissions import DIGEST, submission_in
from tests.leaderboard.web.conftest import INVISIBLE, Visit

HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
POLICY = {
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
}
PAGES = [
    "/",
    "/b/board/",
    f"/b/board/?q={HOSTILE}",
    "/b/board/protocol/",
    "/b/board/how-to-submit/",
    "/b/board/submit/",
    "/my/submissions/",
    "/my/tokens/",
    "/api/docs/",
    "/accounts/password/change/",
    "/accounts/email/",
    "/accounts/logout/",
    "/nothing/",
    f"/b/board/?slice={HOSTILE}",
    f"/b/board/?sort={HOSTILE}",
]


class Markup(HTMLParser):
    """Collects what a policy without unsafe-inline would refuse, and what hostile text would have made."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = dict(attrs)
        if tag == "style" or (tag == "script" and "src" not in names and names.get("type") != "application/json"):
            self.faults.append(f"inline {tag}")
        for name, value in attrs:
            if name == "style" or name.startswith("on"):
                self.faults.append(f"{name} on {tag}")
            if name in {"href", "src", "action"} and re.match(r"\s*(javascript|data):", value or "", re.IGNORECASE):
                self.faults.append(f"{name}={value}")
        if tag == "img":
            self.faults.append("an image that nobody put there")


@pytest.fixture
def hostile(cast: Cast, split: Split) -> Submission:
    cast.team.name = HOSTILE[:80]
    cast.team.save()
    cast.alice.display_name = HOSTILE[:80]
    cast.alice.save()
    found = {"code": "query-missing", "severity": "warning", "title": HOSTILE, "remedy": HOSTILE, "count": 2}
    shown = {"message": HOSTILE, "query": HOSTILE, "rank": 1, "value": HOSTILE, "expected": HOSTILE, "hint": HOSTILE}
    report = {"n_errors": 0, "n_warnings": 2, "groups": [{**found, "shown": [shown, shown]}]}
    method = {"backbone": HOSTILE[:80], "description": HOSTILE, "bibtex": HOSTILE, "variant": HOSTILE[:80]}
    submission = scored(
        cast,
        split,
        HOSTILE[:80],
        {"mAP@10": 0.5},
        method={**method, "paper_url": "javascript:alert(1)"},
        slices={("kind", HOSTILE): {"mAP@10": 0.1}},
        warnings=[{"code": "x", "message": HOSTILE}],
    )
    Submission.objects.filter(pk=submission.pk).update(problems=report, file_name=HOSTILE[:120])
    return submission


def faults_of(content: bytes) -> list[str]:
    markup = Markup()
    markup.feed(content.decode())
    return markup.faults


@pytest.mark.usefixtures("hostile")
@pytest.mark.parametrize("page", PAGES)
def test_hostile_text_stays_text(page: str, cast: Cast, visit: Visit) -> None:
    response = visit(cast.alice).get(page)
    assert faults_of(response.content) == []
    assert b"<script>alert" not in response.content


def test_hostile_text_stays_text_on_its_own_page(hostile: Submission, visit: Visit) -> None:
    assert faults_of(visit(None).get(f"/s/{hostile.pk}/").content) == []


@pytest.mark.parametrize("status", SubmissionStatus.values)
@pytest.mark.parametrize("visibility", Visibility.values)
def test_every_state_has_a_page(cast: Cast, split: Split, visit: Visit, status: str, visibility: str) -> None:
    if visibility == Visibility.PUBLIC and status != SubmissionStatus.ACCEPTED:
        return
    columns = {
        SubmissionStatus.ACCEPTED: {"run_artefact_digest": DIGEST, "run_digest": DIGEST, "n_entries": 1},
        SubmissionStatus.FAILED: {"failure_class": FailureClass.OURS, "failure": HOSTILE},
    }.get(status, {})
    submission = submission_in(cast, split, status, visibility=visibility, decision_reason=HOSTILE, **columns)
    response = visit(cast.alice).get(f"/s/{submission.pk}/")
    assert response.status_code == 200
    assert faults_of(response.content) == []


@pytest.mark.usefixtures("split")
@pytest.mark.parametrize(
    "page", ["/", "/b/board/", "/nothing/", "/accounts/login/", "/api/v1/benchmarks/", "/admin/login/"]
)
def test_every_answer_carries_the_policy(page: str, visit: Visit) -> None:
    response = visit(None).get(page)
    sent = {part.strip() for part in response["Content-Security-Policy"].split(";")}
    assert sent >= POLICY
    assert "unsafe" not in response["Content-Security-Policy"]
    assert response["X-Frame-Options"] == "DENY"
    assert response["X-Content-Type-Options"] == "nosniff"


def test_a_file_name_cannot_break_out_of_a_header(hostile: Submission, visit: Visit) -> None:
    response = visit(None).get(f"/s/{hostile.pk}/problems.csv")
    assert response["Content-Disposition"] == f'attachment; filename="problems-{hostile.pk}.csv"'


@pytest.mark.usefixtures("split")
@pytest.mark.parametrize("sign", INVISIBLE)
@pytest.mark.parametrize("field", ["name", "variant", "backbone", "description", "bibtex", "paper_url"])
def test_a_method_is_described_without_invisible_characters(cast: Cast, visit: Visit, field: str, sign: str) -> None:
    start = "https://example.org/" if field == "paper_url" else ""
    run = SimpleUploadedFile("run.json", b"{}")
    response = visit(cast.alice).post("/b/board/submit/", {"name": "good", field: f"{start}a{sign}b", "run": run})
    assert response.status_code == 422
    assert f"U+{ord(sign):04X}" in response.content.decode() or field == "paper_url"


@pytest.mark.usefixtures("split")
def test_a_method_is_described_in_lines(cast: Cast, visit: Visit) -> None:
    lines = {"description": "one\r\ntwo", "bibtex": "@article{a,\r\n\ttitle={b}\r\n}"}
    run = SimpleUploadedFile("run.json", b"{}")
    assert visit(cast.alice).post("/b/board/submit/", {"name": "good", **lines, "run": run}).status_code == 302


@pytest.mark.usefixtures("split")
def test_an_address_longer_than_its_column_is_refused_with_the_form(cast: Cast, visit: Visit) -> None:
    form = {"name": "good", "paper_url": f"https://example.org/{'a' * 300}", "run": SimpleUploadedFile("r", b"{}")}
    assert visit(cast.alice).post("/b/board/submit/", form).status_code == 422


@pytest.mark.parametrize("sign", INVISIBLE)
@pytest.mark.parametrize(("model", "field"), [("method", "name"), ("team", "name"), ("user", "display_name")])
def test_the_administration_names_nothing_invisibly(
    cast: Cast, visit: Visit, model: str, field: str, sign: str
) -> None:
    target = {"method": cast.method, "team": cast.team, "user": cast.alice}[model]
    client = visit(User.objects.create_superuser("root@example.org", "x"))
    response = client.post(f"/admin/leaderboard/{model}/{target.pk}/change/", {field: f"a{sign}b"})
    assert response.status_code == 200
    assert f"U+{ord(sign):04X}" in response.content.decode()
