"""Where the local server keeps its things.

One rule: ``CIRBOARD_DATA`` if set, else ``/var/lib/cirboard`` for root, else ``$XDG_DATA_HOME/cirboard``
(``~/.local/share/cirboard``). Everything lies in that one directory; removing it removes the server's memory.
"""

import fcntl
import hashlib
import json
import os
import secrets
import shutil
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from evaluator.receipt import draw_signing_key
from leaderboard.local.errors import AlreadyRunningError, DataDirectoryError

ROOT_DATA = Path("/var/lib/cirboard")
# A Unix socket's path holds at most 107 bytes; the longest name put below the socket directory is 30.
SOCKET_PATH_LIMIT = 107
LONGEST_SOCKET_NAME = 30


def default_data_directory() -> Path:
    """The data directory by the one rule above."""
    chosen = os.environ.get("CIRBOARD_DATA")
    if chosen:
        return Path(chosen).expanduser().absolute()
    if os.geteuid() == 0:
        return ROOT_DATA
    return Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser().absolute() / "cirboard"


@dataclass(frozen=True)
class Places:
    """The folders and files below one data directory."""

    data: Path

    @property
    def postgres(self) -> Path:
        return self.data / "postgres"

    @property
    def valkey(self) -> Path:
        return self.data / "valkey"

    @property
    def public(self) -> Path:
        return self.data / "public"

    @property
    def sealed(self) -> Path:
        return self.data / "sealed"

    @property
    def signing_key(self) -> Path:
        return self.data / "signing-key.pem"

    @property
    def artefacts(self) -> Path:
        return self.data / "artefacts"

    @property
    def static(self) -> Path:
        return self.data / "static"

    @property
    def bundles(self) -> Path:
        return self.data / "bundles"

    @property
    def logs(self) -> Path:
        return self.data / "logs"

    @property
    def sockets(self) -> Path:
        """Short enough for a socket's path, and the same at every start, so that a restart finds no leftovers."""
        inside = self._inner_sockets
        if len(os.fsencode(inside)) + LONGEST_SOCKET_NAME <= SOCKET_PATH_LIMIT:
            return inside
        digest = hashlib.sha256(os.fsencode(self.data)).hexdigest()[:12]
        return Path("/tmp") / f"cirboard-{os.geteuid()}-{digest}"  # noqa: S108 - ownership is checked in create()

    @property
    def _inner_sockets(self) -> Path:
        return self.data / "run"

    def remove_outer_sockets(self) -> None:
        """Leave nothing behind outside the data directory."""
        if self.sockets != self._inner_sockets:
            shutil.rmtree(self.sockets, ignore_errors=True)

    def create(self) -> None:
        """Make the folders that belong to the invoking user."""
        self.data.mkdir(parents=True, exist_ok=True)
        if not os.access(self.data, os.W_OK):
            raise DataDirectoryError(f"{self.data} is not writable for you. Set CIRBOARD_DATA to a folder of yours.")
        # The service user passes through these two on its way to its own, private folders.
        self.data.chmod(0o711)
        _create_unshared(self.sockets, 0o711)
        for folder in (self.public, self.sealed, self.artefacts, self.bundles, self.logs):
            folder.mkdir(exist_ok=True)
            folder.chmod(0o700)

    def read_or_draw_secrets(self) -> Mapping[str, str]:
        """The passwords of this data directory, drawn once."""
        path = self.data / "secrets.json"
        if not path.exists():
            self.data.mkdir(parents=True, exist_ok=True)
            drawn = {"database_password": secrets.token_urlsafe(24), "secret_key": secrets.token_urlsafe(48)}
            write_private(path, json.dumps(drawn, indent=1))
        known: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
        return known

    def draw_signing_key(self) -> None:
        """Make the key that signs receipts, if there is none."""
        if not self.signing_key.exists():
            draw_signing_key(self.signing_key)

    def is_held(self) -> bool:
        """Whether a supervisor holds the data directory now."""
        try:
            with (self.data / "supervisor.lock").open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except FileNotFoundError:
            return False
        except BlockingIOError:
            return True
        return False

    @contextmanager
    def locked(self) -> Iterator["Lock"]:
        """Hold the data directory: the kernel drops the lock with the process, however that ends."""
        path = self.data / "supervisor.lock"
        with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+", encoding="utf-8") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise AlreadyRunningError(
                    f"A server is already running on {self.data} ({file.read()}). "
                    f"Open that one, stop it with Ctrl-C, or set CIRBOARD_DATA to another folder."
                ) from None
            lock = Lock(file.fileno())
            lock.say("still starting")
            yield lock


@dataclass(frozen=True)
class Lock:
    """The held lock file; its text tells a second supervisor where the first one is."""

    descriptor: int

    def say(self, text: str) -> None:
        line = f"process {os.getpid()}, {text}".encode()
        os.pwrite(self.descriptor, line, 0)
        os.ftruncate(self.descriptor, len(line))


def write_private(path: Path, text: str) -> None:
    """Write ``text`` whole or not at all, readable by its owner only."""
    draft = path.with_name(path.name + ".new")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def _create_unshared(directory: Path, mode: int) -> None:
    """Make ``directory``, and refuse one that somebody else put there first (its name can be guessed)."""
    directory.mkdir(mode=mode, exist_ok=True)
    status = directory.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
        raise DataDirectoryError(f"{directory} belongs to somebody else. Remove it, or set CIRBOARD_DATA elsewhere.")
    directory.chmod(mode)
