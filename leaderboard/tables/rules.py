"""What a split's manifest says about how it is scored and shown."""

from dataclasses import dataclass
from typing import Any

from leaderboard.models import Split


class UnknownChoiceError(ValueError):
    """A page or a request asked for something that the benchmark does not have."""

    def __init__(self, kind: str, asked: str, known: list[str]) -> None:
        self.kind = kind
        self.code = f"unknown-{kind}"
        self.remedy = f"use one of: {', '.join(known)}" if known else f"there is no {kind} at all yet"
        super().__init__(f"there is no {kind} {asked!r} here")


@dataclass(frozen=True, slots=True)
class Protocol:
    """The rules that a reader of a table needs."""

    name: str
    title: str
    description: str
    metrics: tuple[str, ...]
    primary: str
    list_length: tuple[int, int]
    truth: str
    delete_references: bool
    short_lists: bool
    language_metric: str
    language_axis: str


@dataclass(frozen=True, slots=True)
class Display:
    """How numbers of a benchmark are shown."""

    percent: bool
    decimals: int


def protocols_of(split: Split) -> tuple[Protocol, ...]:
    return tuple(_protocol(entry) for entry in split.manifest["protocols"])


def protocol_of(split: Split, name: str | None) -> Protocol:
    """The protocol of that name, or the first."""
    protocols = protocols_of(split)
    if not name:
        return protocols[0]
    for protocol in protocols:
        if protocol.name == name:
            return protocol
    raise UnknownChoiceError("protocol", name, [protocol.name for protocol in protocols])


def display_of(split: Split) -> Display:
    display = split.manifest["display"]
    return Display(percent=display["percent"], decimals=display["decimals"])


def axis_titles(split: Split) -> dict[str, str]:
    return {axis["name"]: axis["title"] for axis in split.manifest["slice_axes"]}


def _protocol(entry: dict[str, Any]) -> Protocol:
    language = entry.get("language") or {}
    shortest, longest = entry["list_length"]
    return Protocol(
        name=entry["name"],
        title=entry["title"],
        description=entry["description"],
        metrics=tuple(entry["metrics"]),
        primary=entry["primary"],
        list_length=(shortest, longest),
        truth=entry.get("truth", "as_listed"),
        delete_references=entry.get("delete_references", False),
        short_lists=entry.get("short_lists", False),
        language_metric=language.get("metric", ""),
        language_axis=language.get("axis", ""),
    )
