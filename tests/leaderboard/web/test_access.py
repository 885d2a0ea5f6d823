"""Every address, walked by everyone: who gets what is this map, and nothing else."""

import re

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from leaderboard.models import ApiToken, Split, Submission, TokenScope, User, Visibility, issue_token
from tests.cast import Cast
from tests.leaderboard.scored import scored
from tests.leaderboard.web.conftest import Visit

PEOPLE = ("nobody", "charlie", "bob", "alice", "mona")
IN, GONE, OPEN = 302, 404, 200
# Address -> status for nobody, a stranger, a member, the author, a moderator. {private} and {public} are submissions,
# {token} is alice's token.
READ = {
    "/": [OPEN] * 5,
    "/b/board/": [OPEN] * 5,
    "/b/board/leaderboard.csv": [OPEN] * 5,
    "/b/board/leaderboard.json": [OPEN] * 5,
    "/b/board/protocol/": [OPEN] * 5,
    "/b/board/how-to-submit/": [OPEN] * 5,
    "/b/board/submit/": [IN, OPEN, OPEN, OPEN, OPEN],
    "/b/nothing/": [GONE] * 5,
    "/submit/": [IN] * 5,
    "/s/{public}/": [OPEN] * 5,
    "/s/{public}/problems.csv": [OPEN] * 5,
    "/s/{private}/": [GONE, GONE, OPEN, OPEN, OPEN],
    "/s/{private}/problems.csv": [GONE, GONE, OPEN, OPEN, OPEN],
    "/my/submissions/": [IN, OPEN, OPEN, OPEN, OPEN],
    "/my/tokens/": [IN, OPEN, OPEN, OPEN, OPEN],
    "/admin/": [IN, IN, IN, IN, OPEN],
    "/admin/leaderboard/submission/": [IN, IN, IN, IN, OPEN],
    "/admin/leaderboard/auditevent/": [IN, IN, IN, IN, OPEN],
    "/admin/leaderboard/user/": [IN, IN, IN, IN, 403],
    "/admin/leaderboard/apitoken/": [IN, IN, IN, IN, 403],
    "/api/docs/": [OPEN] * 5,
    "/api/schema/": [OPEN] * 5,
    "/api/v1/benchmarks/": [OPEN] * 5,
    "/api/v1/benchmarks/board/": [OPEN] * 5,
    "/api/v1/benchmarks/board/leaderboard/": [OPEN] * 5,
    "/keys/": [OPEN] * 5,
    "/api/v1/keys/": [OPEN] * 5,
    "/api/v1/submissions/": [OPEN] * 5,
    "/api/v1/submissions/{public}/": [OPEN] * 5,
    "/api/v1/submissions/{public}/problems/": [OPEN] * 5,
    "/api/v1/submissions/{public}/problems.csv": [OPEN] * 5,
    "/api/v1/submissions/{public}/report/": [OPEN] * 5,
    "/api/v1/submissions/{public}/receipt/": [OPEN] * 5,
    "/api/v1/submissions/{private}/": [GONE, GONE, OPEN, OPEN, OPEN],
    "/api/v1/submissions/{private}/problems/": [GONE, GONE, OPEN, OPEN, OPEN],
    "/api/v1/submissions/{private}/problems.csv": [GONE, GONE, OPEN, OPEN, OPEN],
    "/api/v1/submissions/{private}/report/": [GONE, GONE, OPEN, OPEN, OPEN],
    "/api/v1/submissions/{private}/receipt/": [GONE, GONE, OPEN, OPEN, OPEN],
}
WRITE = {
    "/theme/": [IN] * 5,
    "/b/board/submit/": [IN, 422, 422, 422, 422],
    "/s/{private}/publish/": [IN, GONE, IN, IN, IN],
    "/s/{private}/withdraw/": [IN, GONE, IN, IN, IN],
    "/my/tokens/": [IN, OPEN, OPEN, OPEN, OPEN],
    "/my/tokens/{token}/revoke/": [IN, GONE, GONE, IN, GONE],
    "/api/v1/submissions/": [401, 400, 400, 400, 400],
    "/api/v1/submissions/{private}/publish/": [401, GONE, OPEN, OPEN, 403],
    "/api/v1/submissions/{private}/withdraw/": [401, GONE, OPEN, OPEN, 403],
    "/api/v1/submissions/{public}/withdraw/": [401, 403, OPEN, OPEN, 403],
}
# allauth's and the administration's own addresses have tests of their own.
OTHERS = ("accounts/", "admin/")


@pytest.fixture
def private(cast: Cast, split: Split) -> Submission:
    return scored(cast, split, "secret sauce", {"mAP@10": 0.9}, visibility=Visibility.PRIVATE)


@pytest.fixture
def public(cast: Cast, split: Split) -> Submission:
    return scored(cast, split, "open book", {"mAP@10": 0.5})


@pytest.fixture
def token(cast: Cast) -> ApiToken:
    return issue_token(cast.alice, "laptop", TokenScope.SUBMIT)[0]


def person(cast: Cast, name: str) -> User | None:
    return None if name == "nobody" else getattr(cast, name)


@pytest.mark.parametrize("name", PEOPLE)
def test_reading_gives_each_person_exactly_what_the_map_says(
    name: str, cast: Cast, visit: Visit, private: Submission, public: Submission, token: ApiToken
) -> None:
    client = visit(person(cast, name))
    found = {path: _read(client, _filled(path, private, public, token))[0] for path in READ}
    assert found == {path: statuses[PEOPLE.index(name)] for path, statuses in READ.items()} | {
        "/submit/": IN  # One benchmark leaves nothing to choose.
    }


@pytest.mark.parametrize("name", PEOPLE)
@pytest.mark.parametrize("path", WRITE)
def test_writing_gives_each_person_exactly_what_the_map_says(
    name: str, path: str, cast: Cast, visit: Visit, private: Submission, public: Submission, token: ApiToken
) -> None:
    response = visit(person(cast, name)).post(_filled(path, private, public, token))
    assert response.status_code == WRITE[path][PEOPLE.index(name)]


@pytest.mark.parametrize("name", ["nobody", "charlie"])
def test_no_page_that_a_stranger_reads_names_what_is_private(
    name: str, cast: Cast, visit: Visit, private: Submission, public: Submission, token: ApiToken
) -> None:
    client = visit(person(cast, name))
    for path in READ:
        _, content = _read(client, _filled(path, private, public, token))
        assert b"secret sauce" not in content, path
        if "{private}" not in path:
            assert str(private.pk).encode() not in content, path


@pytest.mark.parametrize(("name", "knows"), [(name, name in PEOPLE[2:]) for name in PEOPLE])
def test_the_file_of_a_public_run_is_named_to_its_team_alone(
    name: str, knows: bool, cast: Cast, visit: Visit, public: Submission
) -> None:
    Submission.objects.filter(pk=public.pk).update(file_name="plan-b.json", decision_reason="seen twice")
    client = visit(person(cast, name))
    for path in ("/s/{public}/", "/api/v1/submissions/", "/api/v1/submissions/{public}/"):
        content = client.get(path.format(public=public.pk)).content
        assert (b"plan-b.json" in content) is knows, path
    answer = client.get(f"/api/v1/submissions/{public.pk}/").json()
    assert answer["decision_reason"] == ("seen twice" if knows else "")


def test_what_is_private_answers_as_what_does_not_exist(cast: Cast, visit: Visit, private: Submission) -> None:
    client = visit(cast.charlie)
    absent = "00000000-0000-4000-8000-000000000000"
    for path in ("/s/{}/", "/api/v1/submissions/{}/"):
        hidden, nothing = client.get(path.format(private.pk)), client.get(path.format(absent))
        assert _without_secrets(hidden.content) == _without_secrets(nothing.content)


def test_every_address_is_in_the_map() -> None:
    mapped = {_shape(path) for path in [*READ, *WRITE]}
    own = {path for path in _addresses(get_resolver()) if not path.startswith(OTHERS)}
    assert {_shape(f"/{path}") for path in own} <= mapped


def test_only_a_submitter_token_writes(cast: Cast, private: Submission) -> None:
    _, reading = issue_token(cast.alice, "reader", TokenScope.READ)
    headers = {"Authorization": f"Token {reading}"}
    client = Client(headers=headers)
    assert client.get(f"/api/v1/submissions/{private.pk}/").status_code == 200
    refused = client.post(f"/api/v1/submissions/{private.pk}/publish/")
    assert refused.status_code == 403
    assert refused.json()["code"] == "scope"


def _filled(path: str, private: Submission, public: Submission, token: ApiToken) -> str:
    return path.format(private=private.pk, public=public.pk, token=token.pk)


def _read(client: Client, path: str) -> tuple[int, bytes]:
    """Status and whole content; a file is closed when it was read to its end."""
    response = client.get(path)
    content = b"".join(response)
    return response.status_code, content


def _without_secrets(content: bytes) -> bytes:
    content = re.sub(rb'name="csrfmiddlewaretoken" value="\w+"', b"", content)
    return re.sub(rb"[0-9a-f]{8}-[0-9a-f-]{27}", b"ID", content)


def _addresses(resolver: URLResolver) -> list[str]:
    found = []
    for entry in resolver.url_patterns:
        if isinstance(entry, URLPattern):
            found.append(str(entry.pattern))
        else:
            found += [f"{entry.pattern}{rest}" for rest in _addresses(entry)]
    return found


def _shape(path: str) -> str:
    path = re.sub(r"<slug:\w+>", "board", path)
    return re.sub(r"<\w+:\w+>|\{\w+\}", "*", path)
