"""What a split's manifest says about how it is scored and shown."""

from evaluator.public.manifest import Protocol
from leaderboard.models import Split


class UnknownChoiceError(ValueError):
    """A page or a request asked for something that the benchmark does not have."""

    def __init__(self, kind: str, asked: str, known: list[str]) -> None:
        self.kind = kind
        self.code = f"unknown-{kind}"
        self.remedy = f"use one of: {', '.join(known)}" if known else f"there is no {kind} at all yet"
        super().__init__(f"there is no {kind} {asked!r} here")


def protocol_of(split: Split, name: str | None) -> Protocol:
    """The protocol of that name, or the first."""
    protocols = split.rules.protocols
    if not name:
        return protocols[0]
    for protocol in protocols:
        if protocol.name == name:
            return protocol
    raise UnknownChoiceError("protocol", name, [protocol.name for protocol in protocols])


def axis_titles(split: Split) -> dict[str, str]:
    return {axis.name: axis.title for axis in split.rules.slice_axes}


def language_metric(protocol: Protocol) -> str:
    """The metric whose spread over wordings is taken, "" where the protocol compares none."""
    return protocol.language.metric if protocol.language else ""
