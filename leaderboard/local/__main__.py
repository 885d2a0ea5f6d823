"""The whole server on this machine.

demo: until Ctrl-C, with a small benchmark, two accounts and some runs;
serve: the same without these;
services: PostgreSQL and Valkey alone, for work on the code;
manage: a management command with the server's environment, for instance ``manage install_benchmark BUNDLE``.
"""

import argparse
import os
import signal
import sys
from pathlib import Path
from typing import NoReturn

from leaderboard.local.deathsig import die_with_parent
from leaderboard.local.errors import LocalProfileError, NotRunningError
from leaderboard.local.places import Places, default_data_directory
from leaderboard.local.server import run_demo, run_server, run_services
from leaderboard.local.stack import applications_of
from leaderboard.local.supervisor import StopRequested, say, stopping_on_signals

FIRST_PORT = 8000
ACTIONS = {"demo": run_demo, "serve": run_server, "services": run_services}


def main() -> int:
    """Do what the command line asks, and turn what a person can cause into a message and an exit status."""
    chosen = _parser().parse_args()
    os.umask(0o022)
    try:
        with stopping_on_signals():
            if chosen.action == "manage":
                manage(chosen.data, chosen.arguments)
            if chosen.stop_with_parent:
                die_with_parent(signal.SIGTERM)
            ACTIONS[chosen.action](chosen.data, chosen.port)
    except StopRequested:
        say("Stopped. The data are kept: the next start goes on with them.")
    except LocalProfileError as error:
        sys.stderr.write(f"\n{error}\n")
        return 1
    return 0


def manage(data_dir: Path, arguments: list[str]) -> NoReturn:
    """Become ``manage.py`` with what the score worker knows, so that benchmarks can be installed.

    Raises:
        NotRunningError: If there is no server on that data directory.
    """
    places = Places(data_dir)
    if not places.is_held():
        raise NotRunningError(
            f"No server is running on {data_dir}, and this needs its database. "
            "Start one first, in another terminal: make demo, or make serve."
        )
    environment = applications_of(places).environment(sealed=True)
    os.execve(sys.executable, [sys.executable, "-m", "django", *arguments], environment)  # noqa: S606 - no shell wanted


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m leaderboard.local", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=default_data_directory(), help="data directory (%(default)s)")
    actions = parser.add_subparsers(dest="action", required=True)
    for name in ACTIONS:
        action = actions.add_parser(name)
        action.add_argument("--port", type=int, default=FIRST_PORT, help="port, or the next free one (%(default)s)")
        action.add_argument("--stop-with-parent", action="store_true", help="end when the calling process (make) does")
    action = actions.add_parser("manage")
    action.add_argument("arguments", nargs=argparse.REMAINDER)
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
