"""Bundles of the public benchmarks, made once per session from their official files."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from evaluator.importers.bundle_writer import write_bundle
from evaluator.importers.circo import read_circo
from evaluator.importers.pinpoint import read_pinpoint


@pytest.fixture(scope="session")
def circo_bundle(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """CIRCO val."""
    out = tmp_path_factory.mktemp("bundles") / "circo"
    write_bundle(out, read_circo(shared / "data" / "circo", "val"))
    return out


@pytest.fixture(scope="session")
def pinpoint_bundle(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """PinPoint."""
    out = tmp_path_factory.mktemp("bundles") / "pinpoint"
    write_bundle(out, read_pinpoint(shared / "data" / "pinpoint"))
    return out


class GoldenCases:
    """Files of one folder of golden cases, and what the official code printed for them."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.expected: dict[str, Any] = json.loads((folder / "expected.json").read_bytes())

    def path(self, name: str) -> Path:
        """The file of a case, plain or gzip."""
        plain = self.folder / f"{name}.json"
        return plain if plain.exists() else plain.with_suffix(".json.gz")

    def content(self, name: str) -> Any:
        """The file of a case, parsed."""
        raw = self.path(name).read_bytes()
        return json.loads(gzip.decompress(raw) if self.path(name).suffix == ".gz" else raw)


@pytest.fixture(scope="session")
def circo_cases(shared: Path) -> GoldenCases:
    return GoldenCases(shared / "golden" / "circo")


@pytest.fixture(scope="session")
def pinpoint_cases(shared: Path) -> GoldenCases:
    return GoldenCases(shared / "golden" / "pinpoint")
