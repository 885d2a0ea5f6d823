"""A command that runs to its end, as migrating the database does."""

import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path

from leaderboard.local.deathsig import tie_to_this_process
from leaderboard.local.errors import StepError


class Step:
    """A command under way; ``finish`` waits for it."""

    def __init__(self, command: tuple[str, ...], folder: Path, environment: Mapping[str, str]) -> None:
        self._command = command
        self._popen = subprocess.Popen(  # noqa: S603 - the command is ours
            command,
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=tie_to_this_process(signal.SIGKILL),  # noqa: PLW1509 - one prctl call, resolved beforehand
        )

    def finish(self) -> str:
        """What it printed.

        Raises:
            StepError: With its last lines, if it failed.
        """
        printed, complaints = self._popen.communicate()
        if self._popen.returncode != 0:
            lines = "\n".join((printed + complaints).splitlines()[-20:])
            raise StepError(f"{' '.join(self._command)} failed:\n\n{lines}")
        return printed
