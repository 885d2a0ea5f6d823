"""The document of a receipt: a report without its timings, and which submission it is about."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, Final

from evaluator.public.manifest import Display
from evaluator.public.rounding import rounded_for

FORMAT: Final = "cirboard-receipt-1"


def make_receipt(
    report: Mapping[str, Any],
    *,
    issuer_name: str,
    issuer_address: str,
    issued_at: datetime,
    submission_id: str,
    evaluation_id: str,
    artefact_sha256: str,
    rounding: Display | None,
) -> dict[str, Any]:
    """Make the document that a server signs.

    Args:
        report: As `Report.to_json` gives it.
        issuer_name: The server's name.
        issuer_address: Its address, without a slash at the end.
        issued_at: With a time zone.
        submission_id: Of the server.
        evaluation_id: Of the server.
        artefact_sha256: SHA-256 of the file as it was submitted, 64 hexadecimal digits.
        rounding: How the benchmark's page shows numbers where the ground truth is held out, so that a receipt says no
            more than the page; None for full precision.

    Returns:
        JSON values. ``report`` lacks the timings: they are no part of what was found.
    """
    found = {key: value for key, value in report.items() if key != "timings"}
    return {
        "format": FORMAT,
        "issuer": {"name": issuer_name, "address": issuer_address},
        "issued_at": issued_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "submission": {"id": submission_id, "evaluation_id": evaluation_id, "artefact_sha256": artefact_sha256},
        "rounding": asdict(rounding) if rounding else None,
        "report": rounded_for(rounding, found) if rounding else found,
    }
