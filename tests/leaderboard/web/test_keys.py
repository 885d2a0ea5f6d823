"""Pages lead to the receipt of a result and to the keys that sign receipts."""

from pathlib import Path

import pytest
from django.test import Client

from evaluator.receipt import load_signing_key
from leaderboard.models import Split
from leaderboard.results.receipts import list_key
from tests.cast import Cast
from tests.leaderboard.scored import scored


def test_the_page_of_a_result_links_to_its_receipt_and_the_keys(cast: Cast, split: Split) -> None:
    submission = scored(cast, split, "signed", {"mAP@10": 0.5})
    page = Client().get(f"/s/{submission.pk}/").content.decode()
    assert f"/api/v1/submissions/{submission.pk}/receipt/?protocol=official" in page
    assert '"/keys/"' in page


def test_a_result_without_a_receipt_links_to_none(cast: Cast, split: Split) -> None:
    submission = scored(cast, split, "unsigned", {"mAP@10": 0.5}, receipt_digest="")
    assert "/receipt/" not in Client().get(f"/s/{submission.pk}/").content.decode()


@pytest.mark.django_db
def test_before_the_first_key_the_page_says_so() -> None:
    assert "None yet" in Client().get("/keys/").content.decode()


@pytest.mark.django_db
def test_the_page_of_keys_shows_public_ones_alone(signing_key: Path) -> None:
    key = list_key(load_signing_key(signing_key).public_key())
    for address in ("/keys/", "/api/v1/keys/"):
        content = Client().get(address).content.decode()
        assert key.public_key in content
        assert key.key_id in content
        assert "PRIVATE" not in content
