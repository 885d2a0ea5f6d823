"""Reading what the commands that score are given: a protocol's name and the files of a run."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click

from evaluator.cli.terminal import say
from evaluator.formats.read import Reading, read_run
from evaluator.formats.report_text import group_lines, verdict
from evaluator.formats.wording import plain
from evaluator.public.bundle import Benchmark, BundleError
from evaluator.public.lists import RunMismatchError
from evaluator.public.manifest import ManifestError, Protocol
from evaluator.public.run import Run
from evaluator.score import GroundTruthError

REFUSED: Final = 1
REFUSALS: Final = (RunMismatchError,)
"""What is wrong with a run."""

TROUBLES: Final = (ManifestError, BundleError, GroundTruthError, OSError)
"""What is wrong with a bundle or a path."""


def protocol_of(benchmark: Benchmark, name: str | None) -> Protocol:
    """The protocol that `--protocol` names, or the first."""
    try:
        return benchmark.manifest.protocol(name)
    except ManifestError as error:
        raise click.BadParameter(plain(str(error)), param_hint="--protocol") from None


def read_or_refuse(
    run_files: Sequence[Path], benchmark: Benchmark, protocol: str | None, *, lenient: bool, as_json: bool
) -> tuple[Run, dict[str, Any]]:
    """The run and its problems; the command ends here if there are errors."""
    reading = read_run(run_files, benchmark, protocol, lenient=lenient)
    names = " and ".join(path.name for path in run_files)
    return _accepted(reading, names, as_json=as_json), reading.problems.to_json()


def print_problems(problems: dict[str, Any]) -> None:
    """Print the groups of a check's report."""
    for group in problems["groups"]:
        say()
        for line in group_lines(group):
            say(line)


def _accepted(reading: Reading, file_name: str, *, as_json: bool) -> Run:
    """The run of a file without errors; the problems of any other are printed, and the command ends."""
    if reading.run is not None:
        return reading.run
    problems = reading.problems.to_json()
    if as_json:
        click.echo(json.dumps({"problems": problems}, indent=2))
    else:
        say(verdict(reading, file_name))
        print_problems(problems)
    raise click.exceptions.Exit(REFUSED)
