"""Bundles of the public benchmarks, made once per session from their official files."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from evaluator.importers.bundle_writer import write_bundle
from evaluator.importers.circo import read_circo
from evaluator.importers.cirr import read_cirr
from evaluator.importers.domain_conversion import read_domain_conversion
from evaluator.importers.fashioniq import Gallery, read_fashioniq
from evaluator.importers.genecis import Task, read_genecis
from evaluator.importers.icir import read_icir
from evaluator.importers.pinpoint import read_pinpoint
from evaluator.public.bundle import Benchmark, load_benchmark


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


@pytest.fixture(scope="session")
def cirr_bundle(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """CIRR val."""
    out = tmp_path_factory.mktemp("bundles") / "cirr"
    write_bundle(out, read_cirr(shared / "data" / "cirr", "val"))
    return out


@pytest.fixture(scope="session")
def cirr_test1_bundle(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """CIRR test1, whose ground truth its organisers hold."""
    out = tmp_path_factory.mktemp("bundles") / "cirr-test1"
    write_bundle(out, read_cirr(shared / "data" / "cirr", "test1"))
    return out


@pytest.fixture(scope="session")
def fashioniq_bundles(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """FashionIQ val, by the name of the gallery's protocol."""
    folder = tmp_path_factory.mktemp("bundles")
    galleries: tuple[Gallery, ...] = ("original", "val")
    for gallery in galleries:
        write_bundle(folder / gallery, read_fashioniq(shared / "data" / "fashioniq", "val", gallery))
    return {f"{gallery}_split": folder / gallery for gallery in galleries}


@pytest.fixture(scope="session")
def genecis_bundles(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """GeneCIS's two tasks about objects."""
    folder = tmp_path_factory.mktemp("bundles")
    tasks: tuple[Task, ...] = ("change_object", "focus_object")
    for task in tasks:
        write_bundle(folder / task, read_genecis(shared / "data" / "genecis", task))
    return {task: folder / task for task in tasks}


@pytest.fixture(scope="session")
def icir_bundle(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """i-CIR's miniature."""
    out = tmp_path_factory.mktemp("bundles") / "icir"
    write_bundle(out, read_icir(shared / "golden" / "icir"))
    return out


@pytest.fixture(scope="session")
def icir(icir_bundle: Path) -> Benchmark:
    return load_benchmark(icir_bundle)


@pytest.fixture(scope="session")
def ltll_bundle(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Domain conversion on LTLL."""
    out = tmp_path_factory.mktemp("bundles") / "ltll"
    write_bundle(out, read_domain_conversion(shared / "data" / "domain_conversion", "ltll"))
    return out


@pytest.fixture(scope="session")
def ltll(ltll_bundle: Path) -> Benchmark:
    return load_benchmark(ltll_bundle)


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


@pytest.fixture(scope="session")
def cirr_cases(shared: Path) -> GoldenCases:
    return GoldenCases(shared / "golden" / "cirr")


@pytest.fixture(scope="session")
def fashioniq_cases(shared: Path) -> GoldenCases:
    return GoldenCases(shared / "golden" / "fashioniq")


@pytest.fixture(scope="session")
def genecis_cases(shared: Path) -> GoldenCases:
    return GoldenCases(shared / "golden" / "genecis")


@pytest.fixture(scope="session")
def icir_cases(shared: Path) -> GoldenCases:
    return GoldenCases(shared / "golden" / "icir")


@pytest.fixture(scope="session")
def freedom_cases(shared: Path) -> GoldenCases:
    return GoldenCases(shared / "golden" / "freedom")
