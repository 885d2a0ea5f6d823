"""What docs/receipts.md says is so: its program checks a receipt, and its example is encoded as it says."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from evaluator.receipt import canonical, to_base64
from tests.evaluator.receipts import SERVERS_KEY, STRANGERS_KEY, receipt

PAGE = (Path(__file__).parents[2] / "docs" / "receipts.md").read_text()
PROGRAM = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[0]


def run_program(folder: Path, text: str, key: object = SERVERS_KEY) -> subprocess.CompletedProcess[str]:
    keys = {"keys": [{"public_key": to_base64(key.public_key().public_bytes_raw())}]}
    (folder / "receipt.json").write_text(text, encoding="utf-8")
    (folder / "keys.json").write_text(json.dumps(keys))
    command = [sys.executable, "-c", PROGRAM]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_program_on_the_page_accepts_a_receipt(tmp_path: Path) -> None:
    done = run_program(tmp_path, json.dumps(receipt(), ensure_ascii=False, indent=1))
    assert done.returncode == 0, done.stderr
    assert "intact: mAP@2" in done.stdout


@pytest.mark.parametrize("fault", ["changed", "stranger"])
def test_the_program_on_the_page_refuses_what_is_not_the_servers(fault: str, tmp_path: Path) -> None:
    text = json.dumps(receipt())
    changed = text.replace("0.1234567890123", "0.9234567890123") if fault == "changed" else text
    done = run_program(tmp_path, changed, SERVERS_KEY if fault == "changed" else STRANGERS_KEY)
    assert done.returncode != 0
    assert ("InvalidSignature" if fault == "changed" else "not a key of this server") in done.stderr


def test_the_example_on_the_page_is_encoded_as_it_says() -> None:
    (example,) = re.findall(r"`(\{.*?\})` becomes `(\{.*?\})`", PAGE, re.DOTALL)
    assert canonical(json.loads(example[0])).decode() == example[1]


def test_the_table_on_the_page_names_every_key() -> None:
    assert {f"`{key}`" for key in receipt()} <= set(re.findall(r"^\| (`\w+`) \|", PAGE, re.MULTILINE))
