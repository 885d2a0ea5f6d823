"""A report becomes a signed receipt, stored beside it. The score worker alone can do this."""

import json
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.conf import settings
from django.utils import timezone

from evaluator.receipt import key_id, make_receipt, sign, to_base64
from evaluator.report import Report
from leaderboard.models import Evaluation, SigningKey
from leaderboard.results.disclosure import Disclosure
from leaderboard.storage import artefacts
from leaderboard.storage.signing_key import read_signing_key

ISSUER_NAME = "CIRBoard"


@dataclass(frozen=True, slots=True)
class StoredReceipt:
    """A receipt's file, and the key that signed it."""

    digest: str
    public_key: Ed25519PublicKey

    @classmethod
    def of(cls, report: Report, evaluation: Evaluation) -> "StoredReceipt":
        """Sign and store it. Before the transaction: a file that nobody names harms nobody."""
        private_key = read_signing_key()
        disclosure = Disclosure.of(evaluation.split)
        document = make_receipt(
            disclosure.report(report.to_json()),
            issuer_name=ISSUER_NAME,
            issuer_address=settings.ADDRESS,
            issued_at=timezone.now(),
            submission_id=str(evaluation.submission_id),
            evaluation_id=str(evaluation.pk),
            artefact_sha256=evaluation.submission.artefact_digest,
            rounding=disclosure.rounding,
        )
        content = json.dumps(sign(document, private_key), ensure_ascii=False, allow_nan=False, indent=1)
        return cls(artefacts.put_bytes(content.encode()).digest, private_key.public_key())


def list_key(public_key: Ed25519PublicKey) -> SigningKey:
    """Let everybody know the key. Call it in the transaction that makes a receipt of its known."""
    key, _ = SigningKey.objects.get_or_create(
        key_id=key_id(public_key), defaults={"public_key": to_base64(public_key.public_bytes_raw())}
    )
    return key
