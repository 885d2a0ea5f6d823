"""A scored run gets a receipt that stands, says no more than the page, and names a key that is listed."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from evaluator.public.bundle import load_benchmark
from evaluator.public.run import run_from_lists
from evaluator.receipt import canonical, load_signing_key, parse_receipt, public_keys_in, statement_of, verify
from evaluator.report import Report
from evaluator.score import score
from leaderboard.models import AuditEvent, Evaluation, SigningKey, Split
from leaderboard.results.receipts import StoredReceipt, list_key
from leaderboard.storage import artefacts
from leaderboard.tables.numbers import show_interval, show_value
from tests.board import run_file
from tests.cast import Cast
from tests.leaderboard.submissions import accepted, evaluation_of


@pytest.fixture
def report(board: Path) -> Report:
    lists = {query: entry["retrieved_items"] for query, entry in json.loads(run_file()).items()}
    return score(run_from_lists(lists), load_benchmark(board), board / "sealed", "official")


@pytest.fixture
def evaluation(cast: Cast, split: Split) -> Evaluation:
    return evaluation_of(accepted(cast, split))


def receipt_of(report: Report, evaluation: Evaluation) -> dict:
    stored = StoredReceipt.of(report, evaluation)
    return parse_receipt(artefacts.path(stored.digest).read_bytes())


def test_it_is_signed_by_the_servers_key_and_holds_the_report(
    report: Report, evaluation: Evaluation, signing_key: Path, settings: Settings
) -> None:
    settings.ADDRESS = "https://board.example.org"
    receipt = receipt_of(report, evaluation)
    assert verify(receipt, [load_signing_key(signing_key).public_key()]).stands
    whole = report.to_json()
    del whole["timings"]
    assert canonical(receipt["report"]) == canonical(whole)
    said = statement_of(receipt)
    assert said.issuer_address == "https://board.example.org"
    assert said.submission_id == str(evaluation.submission_id)
    assert said.artefact_sha256 == evaluation.submission.artefact_digest
    assert receipt["submission"]["evaluation_id"] == str(evaluation.pk)
    assert said.rounding is None


@pytest.mark.usefixtures("signing_key")
@pytest.mark.parametrize(("percent", "decimals"), [(True, 2), (True, 1), (True, 0), (False, 4)])
def test_on_held_out_ground_truth_it_says_no_more_than_the_page(
    percent: bool, decimals: int, report: Report, evaluation: Evaluation
) -> None:
    evaluation.split.ground_truth = "held_out"
    evaluation.split.manifest["display"] = {"percent": percent, "decimals": decimals}
    display = evaluation.split.rules.display
    receipt = receipt_of(report, evaluation)
    assert verify(receipt).stands
    assert receipt["rounding"] == {"percent": percent, "decimals": decimals}
    metrics, whole = receipt["report"]["metrics"], report.to_json()["metrics"]
    slices = [
        (receipt["report"]["slices"]["kind"][kind], report.to_json()["slices"]["kind"][kind])
        for kind in ("odd", "even")
    ]
    for rounded, exact in [(metrics, whole), *slices]:
        for name, found in rounded.items():
            assert show_value(found["value"], display) == show_value(exact[name]["value"], display)
            for end in ("low", "high"):
                shown = show_interval(found[end], found[end], display)
                assert shown == show_interval(exact[name][end], exact[name][end], display)
    assert metrics["mAP@50"] != whole["mAP@50"]


@pytest.mark.django_db
def test_a_key_is_listed_once_and_stays_when_another_takes_its_place(signing_key: Path) -> None:
    first = load_signing_key(signing_key).public_key()
    assert list_key(first) == list_key(first)
    call_command("create_signing_key", replace=True, verbosity=0)
    second = load_signing_key(signing_key).public_key()
    listed = [public_keys_in(key.public_key)[0].public_bytes_raw() for key in SigningKey.objects.all()]
    assert listed == [second.public_bytes_raw(), first.public_bytes_raw()]
    assert signing_key.stat().st_mode & 0o777 == 0o600
    assert AuditEvent.objects.filter(action="signing key created").count() == 1


@pytest.mark.django_db
def test_a_key_is_never_overwritten_by_mistake(signing_key: Path) -> None:
    before = signing_key.read_bytes()
    with pytest.raises(CommandError, match="--replace"):
        call_command("create_signing_key")
    assert signing_key.read_bytes() == before


@pytest.mark.django_db
def test_a_process_that_is_not_told_of_the_key_creates_none() -> None:
    with pytest.raises(CommandError, match="CIRBOARD_SIGNING_KEY"):
        call_command("create_signing_key")
