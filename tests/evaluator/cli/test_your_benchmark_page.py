"""The page for organisers works as written, without a server; what needs one is run with the other pages."""

import os
import re
import subprocess
import sys
from pathlib import Path

from evaluator.importers.generic.example import SETTINGS
from evaluator.importers.generic.queries import NEEDED
from evaluator.importers.generic.rules import BASE_COLUMNS
from evaluator.public.metric_names import CUTOFF_FAMILIES, SPREADS, WHOLE_FAMILIES

PAGE = Path(__file__).parents[3] / "docs" / "your-benchmark.md"
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NEEDS_A_SERVER = "manage.py"


def test_the_commands_of_the_page_work_as_written(tmp_path):
    blocks = [block for block in BLOCK.findall(PAGE.read_text()) if NEEDS_A_SERVER not in block]
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join(blocks)],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(blocks) == 2
    assert "mAP@5" in done.stdout


def test_the_page_names_every_column_and_metric():
    text = PAGE.read_text()
    for column in {*NEEDED, *BASE_COLUMNS, "label", "kind", "weight", "multiplicity", "image_id"}:
        assert f"`{column}`" in text
    for family in (*CUTOFF_FAMILIES, *WHOLE_FAMILIES, *SPREADS):
        assert f"`{family.split('@')[0]}" in text


def test_every_line_of_the_example_that_sets_a_key_of_the_rules_explains_it():
    lines = SETTINGS[SETTINGS.index("[[protocols]]\n") :].splitlines()
    assert all("#" in line for line in lines if " = " in line and not line.startswith('title = "'))
