"""PostgreSQL and Valkey: made once per data directory, then started on sockets that only we can reach."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psycopg

from leaderboard.local.binaries import PostgresBinaries, find_postgres, find_valkey
from leaderboard.local.deathsig import tie_to_this_process
from leaderboard.local.errors import DataDirectoryError, StepError
from leaderboard.local.health import postgres_answers, valkey_answers
from leaderboard.local.identity import Identity, service_user
from leaderboard.local.places import Places, write_private
from leaderboard.local.process import POLL_S, Recipe

ROLE = DATABASE = "cirboard"
PORT = 5432  # No TCP port: it is part of the socket's file name.
LEFTOVERS_END_WITHIN_S = 20.0


@dataclass(frozen=True)
class Services:
    """The two services of one data directory.

    ``durable=False`` spares the waiting for the disk: a killed process still loses nothing, a power cut may.
    """

    places: Places
    password: str
    durable: bool = True

    @property
    def sockets(self) -> Path:
        return self.places.sockets / "services"

    @property
    def valkey_socket(self) -> Path:
        return self.sockets / "valkey.sock"

    def database_url(self, name: str = DATABASE) -> str:
        return f"postgresql://{ROLE}:{quote(self.password)}@/{name}?host={quote(str(self.sockets))}&port={PORT}"

    @property
    def broker_url(self) -> str:
        return f"redis+socket://{self.valkey_socket}?virtual_host=0"

    @property
    def cache_url(self) -> str:
        return f"unix://{self.valkey_socket}?db=1"

    def recipes(self) -> Iterator[Recipe]:
        """Prepare both for starting, and say how."""
        user = service_user()
        user.check_can_reach(self.sockets)
        user.check_can_reach(self.places.postgres)
        user.own(self.sockets)
        user.own(self.places.valkey)
        postgres = find_postgres(user)
        self._create_cluster(postgres, user)
        yield self._postgres(postgres, user)
        yield self._valkey(find_valkey(user), user)

    def create_database(self) -> None:
        """Create our database in a running PostgreSQL, unless it is there."""
        with psycopg.connect(self.database_url("postgres"), autocommit=True) as connection:
            known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
            if known is None:
                connection.execute(f"CREATE DATABASE {DATABASE}")

    def _postgres(self, binaries: PostgresBinaries, user: Identity) -> Recipe:
        options = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.sockets),
            "unix_socket_permissions": "0700",
            "port": str(PORT),
        }
        if not self.durable:
            options |= {"fsync": "off", "full_page_writes": "off"}
        url = self.database_url("postgres")
        return Recipe(
            name="postgres",
            command=(
                str(binaries.postgres),
                "-D",
                str(self.places.postgres),
                *(part for name, value in options.items() for part in ("-c", f"{name}={value}")),
            ),
            environment=_plain_environment(),
            user=user,
            folder=self.places.postgres,
            is_ready=lambda: postgres_answers(url),
            remedy=f"If {self.places.data} was copied or restored, check that it is whole; to begin anew, move it away.",
            # SIGINT is PostgreSQL's fast shutdown: clients are cut off, nothing needs recovery.
            stop_signal=signal.SIGINT,
            death_signal=signal.SIGINT,
            prepare=self._await_end_of_leftovers,
        )

    def _valkey(self, binary: Path, user: Identity) -> Recipe:
        options = {
            "port": "0",
            "unixsocket": str(self.valkey_socket),
            "unixsocketperm": "700",
            "dir": str(self.places.valkey),
            "save": "",
            "appendonly": "yes",
            "appendfsync": "everysec" if self.durable else "no",
        }
        return Recipe(
            name="valkey",
            command=(str(binary), *(part for name, value in options.items() for part in (f"--{name}", value))),
            environment=_plain_environment(),
            user=user,
            folder=self.places.valkey,
            is_ready=lambda: valkey_answers(str(self.valkey_socket)),
            remedy=f"It holds no results: {self.places.valkey} may be moved away, and queued work wakes up again.",
        )

    def _create_cluster(self, binaries: PostgresBinaries, user: Identity) -> None:
        """``initdb`` beside the final place, so that an interrupted one is never mistaken for a cluster."""
        cluster = self.places.postgres
        if cluster.exists():
            made_by = int((cluster / "PG_VERSION").read_text(encoding="ascii"))
            if made_by != binaries.major:
                raise DataDirectoryError(
                    f"{cluster} was made by PostgreSQL {made_by}, and {binaries.postgres} is {binaries.major}. "
                    f"Install PostgreSQL {made_by}, or move {self.places.data} away to begin anew."
                )
            return
        draft = cluster.with_name("postgres.new")
        shutil.rmtree(draft, ignore_errors=True)
        user.own(draft)
        password_file = self.sockets / "password"
        write_private(password_file, self.password)
        os.chown(password_file, user.uid, user.gid)
        _run_initdb(binaries, draft, password_file, user)
        password_file.unlink()
        draft.rename(cluster)

    def _await_end_of_leftovers(self) -> None:
        """Let the processes of a killed predecessor end, then remove its lock files.

        PostgreSQL's own check for a living predecessor goes by process id, and takes any process of ours that happens
        to have that id for one. We hold the data directory's lock, so what is left over can only be ending.
        """
        deadline = time.monotonic() + LEFTOVERS_END_WITHIN_S
        while leftovers := processes_in(self.places.postgres):
            if time.monotonic() > deadline:
                raise DataDirectoryError(f"{self.places.postgres} is still used by process {leftovers[0]}. End it.")
            time.sleep(POLL_S)
        (self.places.postgres / "postmaster.pid").unlink(missing_ok=True)
        (self.sockets / f".s.PGSQL.{PORT}.lock").unlink(missing_ok=True)


def processes_in(folder: Path) -> list[int]:
    """The processes whose working directory is ``folder``, as far as we may see them."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                working_directory = (entry / "cwd").readlink()
            except OSError:  # It ended, is another user's, or is a zombie.
                continue
            if working_directory == folder.resolve():
                found.append(int(entry.name))
    return found


def _run_initdb(binaries: PostgresBinaries, cluster: Path, password_file: Path, user: Identity) -> None:
    command: list[str | Path] = [
        *(binaries.initdb, "-D", cluster, "-U", ROLE, "--pwfile", password_file),
        *("--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C.UTF-8", "--no-instructions"),
    ]
    done = subprocess.run(  # noqa: S603 - the command is ours
        command,
        check=False,
        cwd=cluster,
        env=_plain_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=tie_to_this_process(signal.SIGKILL),
        **user.change_of_user,
    )
    if done.returncode != 0:
        raise StepError(f"initdb failed:\n\n{done.stdout}\nFree some disk space, or set CIRBOARD_DATA elsewhere.")


def _plain_environment() -> Mapping[str, str]:
    """Without the caller's PG* variables and locale, which would change what the services do."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8", "TZ": "UTC"}
