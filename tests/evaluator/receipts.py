"""Receipts of a report with every kind of value, and keys that never change."""

from datetime import UTC, datetime
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from evaluator.public.manifest import Display
from evaluator.receipt import make_receipt, sign

SERVERS_KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
STRANGERS_KEY = Ed25519PrivateKey.from_private_bytes(bytes(reversed(range(32))))
DIGEST = "0123456789abcdef" * 4


def estimate(value: float | None, n: int = 12) -> dict[str, Any]:
    ends = {"low": None, "high": None} if value is None else {"low": value / 3, "high": value * 1.2345678}
    return {"value": value, **ends, "n": n}


def report() -> dict[str, Any]:
    """As a report gives its JSON values."""
    return {
        "benchmark": {"name": "small", "version": "1", "split": "val"},
        "protocol": "official",
        "primary": "mAP@2",
        "rankable": True,
        "metrics": {
            "mAP@2": estimate(0.1234567890123),
            "delta_mAP@2": estimate(-0.0000001),
            "recall@6": estimate(None),
        },
        "slices": {"colour": {"réd": {"mAP@2": estimate(1 / 3)}, "blue": {"mAP@2": estimate(0.5, n=2)}}},
        "digests": dict.fromkeys(("run", "manifest", "queries", "gallery", "ground_truth"), DIGEST),
        "warnings": [{"code": "interval-rough", "message": "Few units."}],
        "versions": {"evaluator": "0.1.0", "scoring_revision": 1},
        "bootstrap": {"seed": 20240601, "replicates": 10000, "unit": "query", "n_units": 12},
        "timings": {"score": 0.123},
    }


def document(rounding: Display | None = None, **changes: Any) -> dict[str, Any]:
    """A receipt without its signature."""
    return make_receipt(
        {**report(), **changes},
        issuer_name="CIRBoard",
        issuer_address="https://board.example.org",
        issued_at=datetime(2026, 12, 1, 2, 3, 4, tzinfo=UTC),
        submission_id="7f0c2f0e-7d3a-4c39-9d2f-1c8c5f7f1f00",
        evaluation_id="0b0e53ce-0a8b-4c3b-8a0d-6a3cf0f0a001",
        artefact_sha256=DIGEST,
        rounding=rounding,
    )


def receipt(rounding: Display | None = None, **changes: Any) -> dict[str, Any]:
    """A receipt as the server signed it."""
    return sign(document(rounding, **changes), SERVERS_KEY)
