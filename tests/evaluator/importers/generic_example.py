"""The example that `cirboard benchmark new` writes, changed in one place."""

from pathlib import Path

from evaluator.importers.generic.check import check_source
from evaluator.importers.generic.example import write_example
from evaluator.importers.generic.faults import FaultLog


def example(folder: Path, **changes: tuple[str, str]) -> Path:
    """Write the example; ``queries_csv=("old", "new")`` replaces a text in queries.csv that must be there."""
    write_example(folder, "shop")
    for key, (old, new) in changes.items():
        change(folder / key.replace("_csv", ".csv").replace("_toml", ".toml"), old, new)
    return folder


def change(path: Path, old: str, new: str) -> None:
    """Replace a text in a file the first time it occurs; it must be there."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def found_in(folder: Path) -> FaultLog:
    """Everything that the check reports."""
    log = FaultLog()
    source = check_source(folder, log)
    assert (source is None) == (log.n("error") > 0)
    return log
