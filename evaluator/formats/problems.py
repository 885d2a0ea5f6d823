"""Problems of a submitted file: every one found, grouped by code, with place, value, expectation and remedy."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluator.formats.kinds import KINDS, Severity
from evaluator.formats.wording import VALUE_LENGTH, cut, plain

__all__ = ["KEPT_PER_CODE", "SHOWN_PER_CODE", "Problem", "ProblemLog", "Severity"]

SHOWN_PER_CODE = 20
KEPT_PER_CODE = 10_000
MESSAGE_LENGTH = 1000


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault at one place.

    Attributes:
        code: Stable name of the kind of fault, such as ``image-repeated``; a key of `KINDS`.
        severity: An error refuses the file; a warning is shown beside the accepted run.
        message: One sentence for the researcher, complete in itself.
        query: Query id as the file writes it, or None where the fault is the file's.
        rank: 1-based place in the query's list, or None.
        value: The offending value as text, control characters escaped, at most 80 characters; or None.
        expected: What would have been right.
        hint: What to do, with the nearest valid id where one is near; "" where ``expected`` says it all.
    """

    code: str
    severity: Severity
    message: str
    query: str | None = None
    rank: int | None = None
    value: str | None = None
    expected: str = ""
    hint: str = ""


@dataclass
class ProblemLog:
    """Collects problems: counts all, keeps the first 10,000 of each kind so that memory is bounded.

    Attributes:
        forgiven: Codes of errors that are only warnings in this check.
    """

    counts: dict[str, int] = field(default_factory=dict)
    kept: dict[str, list[Problem]] = field(default_factory=dict)
    forgiven: frozenset[str] = frozenset()

    def report(
        self,
        code: str,
        message: str,
        *,
        query: str | None = None,
        rank: int | None = None,
        value: str | None = None,
        expected: str = "",
        hint: str = "",
    ) -> None:
        """Record one problem. Texts may hold anything, at any length: they are escaped and cut here.

        A long query id or value is cut within the other texts too, so that what they say around it stays whole.
        """
        if not self.has_room(code):
            self.count_only(code, 1)
            return
        long = [name for name in (query, (value or "").strip('"')) if name and len(name) > VALUE_LENGTH]
        self.add(
            Problem(
                code=code,
                severity="warning" if code in self.forgiven else KINDS[code].severity,
                message=_sentence(message, long),
                query=None if query is None else _short(query, VALUE_LENGTH),
                rank=rank,
                value=None if value is None else _short(value, VALUE_LENGTH),
                expected=_sentence(expected, long),
                hint=_sentence(hint, long),
            )
        )

    def add(self, problem: Problem) -> None:
        """Record one problem."""
        count = self.counts.get(problem.code, 0)
        self.counts[problem.code] = count + 1
        if count < KEPT_PER_CODE:
            self.kept.setdefault(problem.code, []).append(problem)

    def count_only(self, code: str, n: int) -> None:
        """Count further problems of a kind that was already recorded, without making an object for each."""
        self.counts[code] += n

    def keep_first(self, code: str, places: NDArray[np.int64]) -> Iterator[int]:
        """The places whose problems will be kept, to be reported one by one; the others are only counted."""
        room = max(KEPT_PER_CODE - self.counts.get(code, 0), 0)
        yield from places[:room].tolist()
        if len(places) > room:
            self.count_only(code, len(places) - room)

    def start_over(self) -> None:
        """Drop what was recorded: the file turned out to be something else, which explains it all."""
        self.counts.clear()
        self.kept.clear()

    def has_room(self, code: str) -> bool:
        """Whether another problem of this kind would be kept."""
        return self.counts.get(code, 0) < KEPT_PER_CODE

    @property
    def n_errors(self) -> int:
        """Number of errors, warnings not counted."""
        return sum(self.counts[code] for code, kept in self.kept.items() if kept[0].severity == "error")

    @property
    def n_warnings(self) -> int:
        """Number of warnings."""
        return sum(self.counts.values()) - self.n_errors

    def __iter__(self) -> Iterator[Problem]:
        """All kept problems, errors first, kinds in the order in which they were first met."""
        for severity in ("error", "warning"):
            for kept in self.kept.values():
                if kept[0].severity == severity:
                    yield from kept

    def to_json(self, shown_per_code: int = SHOWN_PER_CODE) -> dict[str, Any]:
        """The report of a check.

        Returns:
            ``{"n_errors", "n_warnings", "groups": [{"code", "severity", "title", "remedy", "count", "shown": [...]}]}``.
            Groups stand errors first; ``shown`` holds the first ``shown_per_code`` problems as objects.
        """
        groups = [
            {
                "code": code,
                "severity": kept[0].severity,
                "title": KINDS[code].title(self.counts[code]),
                "remedy": KINDS[code].remedy,
                "count": self.counts[code],
                "shown": [asdict(problem) for problem in kept[:shown_per_code]],
            }
            for code, kept in self.kept.items()
        ]
        groups.sort(key=lambda group: group["severity"] != "error")
        return {"n_errors": self.n_errors, "n_warnings": self.n_warnings, "groups": groups}


def _sentence(text: str, long: list[str]) -> str:
    for name in long:
        text = text.replace(name, cut(name, VALUE_LENGTH))
    return _short(text, MESSAGE_LENGTH)


def _short(text: str, length: int) -> str:
    """Cut before escaping too: escaping millions of letters takes seconds."""
    return cut(plain(cut(text, length)), length)
