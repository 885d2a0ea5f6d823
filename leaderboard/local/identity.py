"""Who runs PostgreSQL and Valkey.

An ordinary user runs everything as themselves. PostgreSQL refuses to run as root, so root's two services drop to the
account ``postgres`` if the system has it, and to ``nobody`` otherwise.
"""

import os
import pwd
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from leaderboard.local.errors import DataDirectoryError

SERVICE_ACCOUNTS = ("postgres", "nobody")


class ChangeOfUser(TypedDict):
    """subprocess's arguments to run as somebody else; all None to stay who we are."""

    user: int | None
    group: int | None
    extra_groups: list[int] | None


@dataclass(frozen=True)
class Identity:
    """A user to run a process as; ``dropped`` when it is not the user who asked."""

    name: str
    uid: int
    gid: int
    dropped: bool

    @property
    def change_of_user(self) -> ChangeOfUser:
        """For ``subprocess.Popen(..., **identity.change_of_user)``."""
        if not self.dropped:
            return {"user": None, "group": None, "extra_groups": None}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def own(self, directory: Path) -> None:
        """Make ``directory`` exist and be private to this user."""
        directory.mkdir(parents=True, exist_ok=True)
        if directory.stat().st_uid != self.uid:
            os.chown(directory, self.uid, self.gid)
        directory.chmod(0o700)

    def check_can_reach(self, directory: Path) -> None:
        """Raise unless this user can pass through every folder above ``directory``."""
        if not self.dropped:
            return
        for folder in directory.resolve().parents:
            if not self._may_pass(folder):
                raise DataDirectoryError(
                    f"{folder} is closed to the account {self.name!r}, which runs the database because PostgreSQL "
                    f"refuses to run as root. Choose a data directory outside it: "
                    f"CIRBOARD_DATA=/var/lib/cirboard (the default for root)."
                )

    def _may_pass(self, folder: Path) -> bool:
        status = folder.stat()
        if status.st_uid == self.uid:
            return bool(status.st_mode & 0o100)
        if status.st_gid == self.gid:
            return bool(status.st_mode & 0o010)
        return bool(status.st_mode & 0o001)


def invoking_user() -> Identity:
    """The user who started the supervisor."""
    return Identity(_account_name(os.geteuid()), os.geteuid(), os.getegid(), dropped=False)


def service_user() -> Identity:
    """The user for PostgreSQL and Valkey: the invoking one, unless that is root."""
    if os.geteuid() != 0:
        return invoking_user()
    for name in SERVICE_ACCOUNTS:
        try:
            account = pwd.getpwnam(name)
        except KeyError:
            continue
        return Identity(account.pw_name, account.pw_uid, account.pw_gid, dropped=True)
    raise DataDirectoryError(
        "Started as root, but there is no account 'postgres' or 'nobody' to run the database as. "
        "Make one (useradd --system postgres) or start as an ordinary user."
    )


def _account_name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)
