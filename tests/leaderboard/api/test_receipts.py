"""Whoever may read a report may take its receipt, and check it with the keys that the server lists."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.test import Client

from evaluator.cli import main
from evaluator.receipt import load_signing_key, sign
from leaderboard.models import Split, Submission, Visibility
from leaderboard.results.receipts import list_key
from leaderboard.storage.artefacts import put_bytes
from tests.cast import Cast
from tests.evaluator.receipts import document
from tests.leaderboard.api.conftest import Program
from tests.leaderboard.scored import RECEIPT, add_scores, scored


@pytest.fixture
def submission(cast: Cast, split: Split, signing_key: Path) -> Submission:
    """A public result with a real receipt, whose key is listed."""
    key = load_signing_key(signing_key)
    list_key(Ed25519PrivateKey.generate().public_key())
    list_key(key.public_key())
    digest = put_bytes(json.dumps(sign(document(), key)).encode()).digest
    return scored(cast, split, "signed", {"mAP@10": 0.5}, receipt_digest=digest)


def test_a_receipt_that_was_downloaded_is_verified_by_the_command(submission: Submission, tmp_path: Path) -> None:
    response = Client().get(f"/api/v1/submissions/{submission.pk}/receipt/?protocol=official")
    assert response["Content-Disposition"] == f'attachment; filename="receipt-{submission.pk}-official.json"'
    (tmp_path / "receipt.json").write_bytes(b"".join(response))
    (tmp_path / "keys.json").write_bytes(Client().get("/api/v1/keys/").content)
    command = ["verify", str(tmp_path / "receipt.json"), "--key", str(tmp_path / "keys.json")]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 0, result.output
    assert "one of those" in result.output


def test_the_receipt_is_that_of_the_protocol_that_was_asked_for(cast: Cast, split: Split) -> None:
    submission = scored(cast, split, "a", {"mAP@10": 0.9})
    add_scores(submission, {"mAP@10": 0.1}, protocol="clean", receipt_digest=put_bytes(b"{}").digest)
    address = f"/api/v1/submissions/{submission.pk}/receipt/"
    assert b"".join(Client().get(address)) == RECEIPT
    assert b"".join(Client().get(f"{address}?protocol=clean")) == b"{}"
    assert Client().get(f"{address}?protocol=nothing").json()["code"] == "not-scored"


def test_a_private_receipt_is_for_the_team_alone(cast: Cast, split: Split, program: Program) -> None:
    submission = scored(cast, split, "a", {"mAP@10": 0.9}, visibility=Visibility.PRIVATE)
    address = f"/api/v1/submissions/{submission.pk}/receipt/"
    assert b"".join(program(cast.bob).get(address)) == RECEIPT
    for client in (Client(), program(cast.charlie)):
        assert client.get(address).status_code == 404


def test_what_was_scored_before_there_were_receipts_says_so(cast: Cast, split: Split) -> None:
    submission = scored(cast, split, "a", {"mAP@10": 0.9}, receipt_digest="")
    response = Client().get(f"/api/v1/submissions/{submission.pk}/receipt/")
    assert (response.status_code, response.json()["code"]) == (404, "no-receipt")
