"""The three ways to have a server here: furnished, empty, or only its services. Each lasts until StopRequested."""

from pathlib import Path

from leaderboard.local.furniture import furnish
from leaderboard.local.stack import EVERYTHING, SERVICES, Stack
from leaderboard.local.supervisor import say, tend


def run_demo(data_dir: Path, port: int) -> None:
    """The server with the mini benchmark, two accounts and a handful of runs."""
    with _started(data_dir, EVERYTHING, port) as stack:
        stack.lock.say(f"{stack.base_url}/")
        say(furnish(stack, say))
        _keep_up(stack)


def run_server(data_dir: Path, port: int) -> None:
    """The server as it is on this data directory."""
    with _started(data_dir, EVERYTHING, port) as stack:
        stack.lock.say(f"{stack.base_url}/")
        say(f"\n    {stack.base_url}/")
        _keep_up(stack)


def run_services(data_dir: Path, _port: int) -> None:
    """PostgreSQL and Valkey, and what a process has to be told to use them."""
    with _started(data_dir, SERVICES, 0) as stack:
        stack.lock.say("services only")
        environment = stack.environment()
        say("\n".join(f"export {name}='{environment[name]}'" for name in sorted(environment) if "CIRBOARD" in name))
        _keep_up(stack)


def _started(data_dir: Path, processes: tuple[str, ...], port: int) -> Stack:
    say(f"CIRBoard starts. Its data are in {data_dir}")
    return Stack(data_dir, processes, port=port, report=say)


def _keep_up(stack: Stack) -> None:
    say(f"\nLogs are in {stack.places.logs}. Ctrl-C stops everything.")
    tend(stack)
