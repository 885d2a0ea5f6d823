"""Why an upload is not taken. Each says so to the person who uploaded, in one sentence and with a remedy."""

from datetime import datetime
from typing import ClassVar

from leaderboard.models import Split


class IntakeError(Exception):
    """An upload that is not taken. ``code`` is stable and for programs, the message is for the uploader."""

    code: ClassVar[str] = "not-taken"

    @property
    def message(self) -> str:
        return str(self)


class EmptyFileError(IntakeError):
    """Nothing arrived."""

    code = "empty-file"

    def __init__(self) -> None:
        super().__init__("The file is empty (0 bytes). Check that it was written completely and upload it again.")


class FileTooLargeError(IntakeError):
    """More arrived than is taken."""

    code = "file-too-large"

    def __init__(self, limit_bytes: int) -> None:
        super().__init__(
            f"The file is larger than {limit_bytes / 1e6:,.0f} MB, the most that is taken. "
            "Compress it with gzip or zstd, or shorten its lists to the length that the benchmark asks for."
        )


class NotYourTeamError(IntakeError):
    """The method belongs to a team that the uploader is not in."""

    code = "not-your-team"

    def __init__(self) -> None:
        super().__init__("You are not a member of the team that this method belongs to. Ask one of its members.")


class NotOpenYetError(IntakeError):
    """The split's window has not begun."""

    code = "not-open-yet"

    def __init__(self, split: Split, opens_at: datetime) -> None:
        super().__init__(f"{split} opens for submissions at {in_words(opens_at)}.")


class ClosedError(IntakeError):
    """The split's window is over."""

    code = "closed"

    def __init__(self, split: Split, closes_at: datetime) -> None:
        super().__init__(f"{split} closed for submissions at {in_words(closes_at)}.")


class QuotaError(IntakeError):
    """The team has used what it may submit. ``resets_at`` is when the next place becomes free."""

    code = "quota-used"

    def __init__(self, split: Split, quota: int, resets_at: datetime, what: str = "runs") -> None:
        super().__init__(
            f"Your team has submitted the {quota} {what} that {split} allows in seven days. "
            f"The next can be submitted from {in_words(resets_at)} on."
        )
        self.resets_at = resets_at


class RefusedQuotaError(QuotaError):
    """Too many files of the team were refused."""

    code = "refused-quota-used"

    def __init__(self, split: Split, quota: int, resets_at: datetime) -> None:
        super().__init__(split, quota, resets_at, "files with problems")


class MethodNameError(IntakeError):
    """A method's short name that cannot be part of an address."""

    code = "method-name"

    def __init__(self, slug: str) -> None:
        super().__init__(
            f"{slug[:80]!r} cannot be a method's short name. Use 1 to 80 letters, digits, hyphens and underscores."
        )


class CheckUnavailableError(IntakeError):
    """A dry run did not come to an end, through no fault of the file."""

    code = "check-unavailable"

    def __init__(self) -> None:
        super().__init__("The file could not be checked just now. It is not the file's fault; try again, or upload it.")


class CheckBusyError(IntakeError):
    """No slot was free for a dry run."""

    code = "check-busy"

    def __init__(self, why: str) -> None:
        super().__init__(f"{why} Try again in half a minute, or upload the file: uploads are checked in turn.")


class CheckTooLongError(IntakeError):
    """A dry run took more than one may; an upload's check may take more, so this says nothing about the file."""

    code = "check-too-long"

    def __init__(self) -> None:
        super().__init__(
            "Checking this file takes more time or memory than a check before the upload may. Upload it: it may take "
            "more then. To check it without uploading, use cirboard validate on your own machine."
        )


def in_words(moment: datetime) -> str:
    """A moment with its time zone."""
    return f"{moment:%-d %B %Y, %H:%M:%S} {moment:%Z}".rstrip()
