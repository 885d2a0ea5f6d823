"""What a receipt says, with every value checked: anybody can sign anything with a key of their own."""

import math
from dataclasses import dataclass
from typing import Any, TypeVar

from evaluator.public.manifest import MOST_DECIMALS, Display
from evaluator.receipt.errors import ReceiptError

Kind = TypeVar("Kind", str, int, bool, dict[str, Any])
_WORDS = {str: "text", int: "a whole number", bool: "true or false", dict: "an object"}


@dataclass(frozen=True, slots=True)
class Statement:
    """The parts of a receipt that a person asks for.

    Attributes:
        issuer_name: Who says that they signed it.
        issuer_address: Where they say they are.
        issued_at: UTC, as the receipt writes it.
        submission_id: Of the server.
        artefact_sha256: Of the submitted file.
        benchmark: Name.
        version: Of the benchmark.
        split: Of the benchmark.
        protocol: By which the run was scored.
        primary: The metric that ranks.
        value: Of the primary metric, a fraction for rates; None where it cannot be given.
        interval: 95 %, or None.
        n: Queries or groups averaged.
        rankable: Whether the row may be ranked.
        digests: Of run, manifest, queries, gallery and ground truth.
        rounding: How values are rounded; None at full precision.
    """

    issuer_name: str
    issuer_address: str
    issued_at: str
    submission_id: str
    artefact_sha256: str
    benchmark: str
    version: str
    split: str
    protocol: str
    primary: str
    value: float | None
    interval: tuple[float, float] | None
    n: int
    rankable: bool
    digests: dict[str, str]
    rounding: Display | None


def statement_of(receipt: dict[str, Any]) -> Statement:
    """Read what a receipt says.

    Raises:
        ReceiptError: Naming the first part that is missing or of another type.
    """
    report = _part(receipt, "report", dict)
    benchmark, digests = _part(report, "benchmark", dict), _part(report, "digests", dict)
    submission, issuer = _part(receipt, "submission", dict), _part(receipt, "issuer", dict)
    primary = _part(report, "primary", str)
    estimate = _part(_part(report, "metrics", dict), primary, dict)
    low, high = _number(estimate, "low"), _number(estimate, "high")
    return Statement(
        issuer_name=_part(issuer, "name", str),
        issuer_address=_part(issuer, "address", str),
        issued_at=_part(receipt, "issued_at", str),
        submission_id=_part(submission, "id", str),
        artefact_sha256=_part(submission, "artefact_sha256", str),
        benchmark=_part(benchmark, "name", str),
        version=_part(benchmark, "version", str),
        split=_part(benchmark, "split", str),
        protocol=_part(report, "protocol", str),
        primary=primary,
        value=_number(estimate, "value"),
        interval=None if low is None or high is None else (low, high),
        n=_part(estimate, "n", int),
        rankable=_part(report, "rankable", bool),
        digests={name: _part(digests, name, str) for name in ("run", "manifest", "queries", "gallery", "ground_truth")},
        rounding=_rounding(receipt),
    )


def _rounding(receipt: dict[str, Any]) -> Display | None:
    if "rounding" not in receipt:
        raise ReceiptError("rounding is missing; it says how values are rounded, or null")
    if receipt["rounding"] is None:
        return None
    found = _part(receipt, "rounding", dict)
    decimals = _part(found, "decimals", int)
    if not 0 <= decimals <= MOST_DECIMALS:
        raise ReceiptError(f"rounding.decimals must lie between 0 and {MOST_DECIMALS}")
    return Display(percent=_part(found, "percent", bool), decimals=decimals)


def _part(parent: dict[str, Any], name: str, kind: type[Kind]) -> Kind:
    value = parent.get(name)
    # Not isinstance: true is an int to Python, and no count.
    if type(value) is not kind:
        raise ReceiptError(
            f"{name[:80]} must be {_WORDS[kind]}, and is {'missing' if value is None else 'something else'}"
        )
    return value


def _number(estimate: dict[str, Any], name: str) -> float | None:
    value = estimate.get(name)
    if name not in estimate or not (value is None or type(value) in {int, float}):
        raise ReceiptError(f"{name} of the primary metric must be a number or null")
    try:
        number = None if value is None else float(value)
    except OverflowError:
        raise ReceiptError(f"{name} of the primary metric is larger than a double can hold") from None
    if number is not None and not math.isfinite(number):
        raise ReceiptError(f"{name} of the primary metric must be finite")
    return number
