"""``make demo``: the server with the mini benchmark, two accounts, and a handful of runs sent like anyone's."""

import time
from pathlib import Path

from leaderboard.local.stack import EVERYTHING, Stack
from leaderboard.local.supervisor import say, tend


def run_server(data_dir: Path, port: int, *, furnished: bool) -> None:
    """Bring everything up, show the address, and tend it until StopRequested."""
    begun = time.monotonic()
    say(f"CIRBoard starts; its data is in {data_dir}")
    with Stack(data_dir, EVERYTHING, port=port, report=say) as stack:
        stack.lock.say(f"{stack.base_url}/")
        say(f"Up after {time.monotonic() - begun:.1f} s: {stack.base_url}/")
        say(f"\nOpen {stack.base_url}/   Logs: {stack.places.logs}   Ctrl-C stops everything.")
        tend(stack)
