"""`cirboard verify` says who signed, whether it is intact, and what it says; its exit status says the same."""

import json
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from evaluator.cli import main
from evaluator.public.manifest import Display
from evaluator.public.run import run_from_lists, save_run
from evaluator.receipt import sign, to_base64
from tests.evaluator.receipts import SERVERS_KEY, STRANGERS_KEY, document, receipt
from tests.evaluator.small_bundle import IMAGES, write_small_bundle

LISTS = {f"q{number}": [image for image in IMAGES if image != f"i{number}"][:6] for number in range(4)}
KEY = SERVERS_KEY.public_key().public_bytes_raw()
ID = sha256(KEY).hexdigest()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "receipt.json"
    path.write_text(json.dumps(receipt()))
    return path


def verify(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["verify", *map(str, arguments)])


def test_it_says_who_signed_and_what(file: Path) -> None:
    result = verify(file, "--key", KEY.hex())
    assert result.exit_code == 0, result.output
    for words in (
        "receipt.json is intact.",
        f"signed by key {ID}",
        "the key that you gave",
        "https://board.example.org, 2026-12-01T02:03:04Z",
        "small val, version 1",
        "protocol   official",
        "mAP@2 0.1234567890123, 95 % interval 0.04115",
        "n = 12",
        "run        0123456789abcdef",
    ):
        assert words in result.stdout


def test_without_a_key_it_says_what_that_does_not_prove_and_where_keys_are(file: Path) -> None:
    result = verify(file)
    assert result.exit_code == 0
    assert "anybody may have signed it" in result.stdout
    assert "https://board.example.org/keys/" in result.stdout
    assert "--key" in result.stdout


@pytest.mark.parametrize("form", ["base64", "file", "list"])
def test_the_key_is_text_or_a_file(form: str, file: Path, tmp_path: Path) -> None:
    text = to_base64(KEY)
    listed = {"keys": [{"public_key": to_base64(bytes(reversed(KEY)))}, {"public_key": text}]}
    (tmp_path / "file").write_text(KEY.hex())
    (tmp_path / "list").write_text(json.dumps(listed))
    assert verify(file, "--key", text if form == "base64" else tmp_path / form).exit_code == 0


def test_a_changed_receipt_is_not_intact_and_its_numbers_are_not_repeated(file: Path) -> None:
    file.write_text(file.read_text().replace("0.1234567890123", "0.9234567890123"))
    for key in ([], ["--key", KEY.hex()]):
        result = verify(file, *key)
        assert result.exit_code == 1
        assert "NOT INTACT" in result.stdout
        assert "0.92345" not in result.stdout


def test_a_receipt_by_somebody_else_is_not_the_servers(file: Path) -> None:
    file.write_text(json.dumps(sign(document(), STRANGERS_KEY)))
    result = verify(file, "--key", KEY.hex())
    assert result.exit_code == 1
    assert "signed by another key than the one given" in result.stdout
    assert "0.12345" not in result.stdout


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"\xff", b'{"format": 1, "format": 1}'])
def test_what_is_no_receipt_exits_2_in_one_line(content: bytes, file: Path) -> None:
    file.write_bytes(content)
    result = verify(file)
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    assert result.stderr.count("\n") == 1


def test_an_unsigned_report_is_no_receipt(file: Path) -> None:
    file.write_text(json.dumps(document()))
    result = verify(file)
    assert result.exit_code == 2
    assert "signature is missing" in result.stderr


@pytest.mark.parametrize("key", ["nothing", "00" * 31, "."])
def test_what_is_no_key_exits_2(key: str, file: Path) -> None:
    assert verify(file, "--key", key).exit_code == 2


def test_what_a_stranger_wrote_obeys_no_terminal(file: Path) -> None:
    text = json.dumps(sign(document(protocol="\x1b[31m\nreceipt.json is intact."), STRANGERS_KEY))
    file.write_text(text)
    result = verify(file)
    assert "\x1b" not in result.stdout
    assert result.stdout.count("\nreceipt.json is intact.") == 0


def test_rounded_values_are_said_to_be_rounded(file: Path) -> None:
    file.write_text(json.dumps(receipt(Display(percent=False, decimals=3))))
    assert "mAP@2 0.123, 95 % interval 0.041 to 0.152 (rounded" in verify(file).stdout


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """A benchmark, whose run's receipt lies beside it."""
    benchmark = write_small_bundle(tmp_path / "small")
    digests = dict.fromkeys(("queries", "gallery", "ground_truth"), "0" * 64)
    digests |= {"run": run_from_lists(LISTS).digest, "manifest": benchmark.manifest.digest}
    (tmp_path / "receipt.json").write_text(json.dumps(receipt(digests=digests)))
    (tmp_path / "run.json").write_text(json.dumps({q: {"retrieved_items": images} for q, images in LISTS.items()}))
    save_run(tmp_path / "run.npz", run_from_lists(LISTS))
    return tmp_path / "small"


@pytest.mark.parametrize("name", ["run.json", "run.npz"])
def test_the_run_that_was_scored_is_recognised(name: str, bundle: Path, tmp_path: Path) -> None:
    result = verify(tmp_path / "receipt.json", "--run", tmp_path / name, "--bundle", bundle)
    assert result.exit_code == 0, result.output
    assert f"{name} is the run that was scored" in result.stdout


@pytest.mark.parametrize("fault", ["order", "problems", "bundle"])
def test_another_run_is_not_the_one_that_was_scored(fault: str, bundle: Path, tmp_path: Path) -> None:
    lists = {
        query: images[::-1] if fault == "order" else images[: fault != "problems"] for query, images in LISTS.items()
    }
    (tmp_path / "run.json").write_text(json.dumps({q: {"retrieved_items": images} for q, images in lists.items()}))
    if fault == "bundle":
        write_small_bundle(tmp_path / "other", version="2")
        bundle = tmp_path / "other"
    result = verify(tmp_path / "receipt.json", "--run", tmp_path / "run.json", "--bundle", bundle)
    assert result.exit_code == 1, result.output
    assert ("another version" if fault == "bundle" else "NOT the run") in result.stdout


def test_a_run_needs_its_bundle(file: Path) -> None:
    assert verify(file, "--run", file).exit_code == 2
