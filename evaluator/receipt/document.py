"""The document of a receipt: a report without its timings, and which submission it is about."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final

from evaluator.public.manifest import Display

FORMAT: Final = "cirboard-receipt-1"
INTERVAL_ENDS: Final = frozenset({"low", "high"})


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


def rounded_for(display: Display, value: Any) -> Any:
    """Round every fraction among JSON values as the benchmark's page shows it.

    Whatever is no whole number is rounded, wherever it stands, so that nothing exact slips through under a new name.
    The ends of intervals in percent have a decimal less than values, but at least one; they are the keys ``low`` and
    ``high``.

    Args:
        display: The manifest's.
        value: JSON values; counts are int and stay.

    Returns:
        The same values in the same unit, fractions for rates.

    Example:
        >>> rounded_for(Display(percent=True, decimals=2), {"value": 0.123456, "low": 0.11111, "high": None, "n": 800})
        {'value': 0.1235, 'low': 0.111, 'high': None, 'n': 800}
    """
    return _rounded(display, value, display.decimals)


def _rounded(display: Display, value: Any, decimals: int) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(display, entry, _decimals_of(key, display)) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(display, entry, decimals) for entry in value]
    return _as_shown(value, display, decimals) if isinstance(value, float) else value


def _decimals_of(key: str, display: Display) -> int:
    return max(display.decimals - 1, 1) if display.percent and key in INTERVAL_ENDS else display.decimals


def _as_shown(value: float, display: Display, decimals: int) -> float:
    """The number on the page, back in its own unit. Decimal, since a division of floats would leave digits behind."""
    if not display.percent:
        return float(f"{value:z.{decimals}f}")
    return float(Decimal(f"{value * 100:z.{decimals}f}").scaleb(-2))
