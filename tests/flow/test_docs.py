"""The commands in README.md and docs/ work as written: every block fenced as ``sh`` is run, in order, per page.

Blocks without a language are shown, not run: they hold placeholders, or start what the tests start themselves.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluator.importers.bundle_writer import write_bundle
from evaluator.importers.circo import read_circo
from evaluator.importers.mini.bundle import write_bundle as draw_mini
from leaderboard.local.furniture import SEED
from leaderboard.local.stack import EVERYTHING, Stack, temporary_data_directory

CHECKOUT = Path(__file__).parents[2]
PAGES = (CHECKOUT / "README.md", *sorted((CHECKOUT / "docs").glob("*.md")))
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BUNDLE = re.compile(r"(?<=install_benchmark )([\w-]+)")


@pytest.fixture(scope="module")
def server() -> Iterator[Stack]:
    with temporary_data_directory() as folder, Stack(folder, EVERYTHING, durable=False) as stack:
        yield stack


@pytest.fixture(scope="module")
def environment(server: Stack, shared: Path) -> dict[str, str]:
    """What somebody has who followed the other pages: the commands, a server with benchmarks, and a token."""
    accounts = json.loads(server.manage("create_demo_accounts"))
    circo = server.places.data / "circo-val"
    write_bundle(circo, read_circo(shared / "data" / "circo", "val"))
    mini = draw_mini(server.places.data / "mini", SEED)
    for bundle in (circo, mini):
        server.manage("install_benchmark", str(bundle), sealed=True)
    return {
        **server.environment(sealed=True),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "CIRBOARD_DATA": str(server.places.data),
        "CIRBOARD_SERVER": server.base_url,
        "CIRBOARD_TOKEN": accounts["researcher"]["token"],
    }


@pytest.fixture
def desk(tmp_path: Path, shared: Path) -> Path:
    """A folder with the official files as DIR, a run, and the checkout's own manage.py."""
    official = tmp_path / "DIR"
    official.mkdir()
    places = [shared / "data" / "circo" / "annotations", *(shared / "data" / "pinpoint").iterdir()]
    places += (shared / "data" / "genecis").glob("*.json")
    places += (shared / "golden" / "icir").glob("*_files.csv")
    places += [shared / "data" / "domain_conversion" / "ltll" / "full_files.csv"]
    for source in places:
        (official / source.name).symlink_to(source)
    for folder in ("captions", "image_splits"):
        (official / folder).mkdir()
        for benchmark in ("cirr", "fashioniq"):
            for source in (shared / "data" / benchmark / folder).iterdir():
                (official / folder / source.name).symlink_to(source)
    shutil.copy(shared / "data" / "circo" / "submission_examples" / "submission_val.json", tmp_path / "run.json")
    (tmp_path / "manage.py").symlink_to(CHECKOUT / "manage.py")
    return tmp_path


def commands_of(page: Path) -> list[str]:
    return BLOCK.findall(page.read_text())


def in_the_checkout(line: str, desk: Path) -> str:
    """The pages call make in the checkout, where the bundle lies too; here the bundle lies on the desk."""
    return BUNDLE.sub(rf"{desk}/\1", line.replace("make", f"make -C {CHECKOUT}", 1))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_commands_of_a_page_work_as_written(page: Path, desk: Path, environment: dict[str, str]) -> None:
    for block in commands_of(page):
        lines = [in_the_checkout(line, desk) if line.startswith("make ") else line for line in block.splitlines()]
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", "\n".join(lines)],
            cwd=desk,
            env=environment,
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )
        assert done.returncode == 0, f"{block}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"


def test_the_readme_and_the_page_about_submitting_have_commands_to_run() -> None:
    assert commands_of(CHECKOUT / "README.md")
    assert commands_of(CHECKOUT / "docs" / "submit.md")
    assert commands_of(CHECKOUT / "docs" / "organise.md")


def test_every_setting_is_documented() -> None:
    settings = set(re.findall(r'"(CIRBOARD_\w+)"', (CHECKOUT / "leaderboard" / "settings.py").read_text()))
    documented = set(re.findall(r"`(CIRBOARD_\w+)`", (CHECKOUT / "docs" / "server.md").read_text()))
    assert settings == documented


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
