"""Several files of one run become one zip, the same bytes whatever the files are called and whenever it is packed."""

import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from evaluator.formats.limits import Limits
from evaluator.formats.problems import ProblemLog
from evaluator.formats.read import FORMATS
from evaluator.formats.unpack import unpack
from evaluator.formats.wording import counted, plain

RUN_ZIP: Final = "run.zip"
OLDEST: Final = (1980, 1, 1, 0, 0, 0)
"""The first moment that a zip can name."""


def check_number(n_files: int, run_format: str) -> None:
    """Refuse more files than a run of the format has; a format that this version does not know is the server's to check.

    Raises:
        click.UsageError: Naming how many there may be.
    """
    known = FORMATS.get(run_format)
    if known is not None and n_files > known.most_files:
        most = counted(known.most_files, "file", "files")
        one = "send one of them" if known.most_files == 1 else "send those of one run"
        raise click.UsageError(f"a run in {known.family}'s format has at most {most}, and {n_files} were named; {one}")


def pack(files: Sequence[Path], target: Path) -> Path:
    """Write a zip that holds the files, unpacked where they were packed, named by their place.

    Raises:
        click.UsageError: If a file cannot be unpacked.
    """
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, file in enumerate(files, start=1):
            archive.writestr(zipfile.ZipInfo(f"{number}.json", OLDEST), _content(file), zipfile.ZIP_DEFLATED)
    return target


def _content(file: Path) -> bytes:
    log = ProblemLog()
    contents, _ = unpack(file, log, Limits())
    if not contents:
        raise click.UsageError(plain(f"{file.name}: {' '.join(problem.message for problem in log)}"))
    return bytes(contents[0])
