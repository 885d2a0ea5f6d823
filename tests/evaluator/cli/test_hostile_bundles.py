"""Bundles come from strangers too: whatever is wrong with one is said in words, with exit code 2."""

import json
import re
import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from evaluator.cli import main
from tests.evaluator.small_bundle import IMAGES, write_small_bundle

PUBLIC = ("public/queries.parquet", "public/galleries.parquet")
SEALED = ("sealed/ground_truth.parquet", "sealed/slices.parquet")
MANIFESTS = {
    "pattern-int": (r"^image_id_pattern = .*$", "image_id_pattern = 5"),
    "pattern-broken": (r"^image_id_pattern = .*$", 'image_id_pattern = "("'),
    "pattern-overflow": (r"^image_id_pattern = .*$", 'image_id_pattern = "a{99999999999999999999}"'),
    "title-int": (r"^title = .*$", "title = 5"),
    "title-absent": (r"^title = .*$", ""),
    "split-list": (r"^split = .*$", 'split = ["val"]'),
    "name-date": (r"^name = .*$", "name = 2020-01-01"),
    "truth-list": (r"^ground_truth = .*$", 'ground_truth = ["public"]'),
    "decimals-text": (r"^decimals = .*$", 'decimals = "x"'),
    "decimals-true": (r"^decimals = .*$", "decimals = true"),
    "decimals-many": (r"^decimals = .*$", "decimals = 999999999"),
    "decimals-negative": (r"^decimals = .*$", "decimals = -1"),
    "lengths-texts": (r"^list_length = \[[^\]]*\]", 'list_length = ["a", "b"]'),
    "lengths-text": (r"^list_length = \[[^\]]*\]", 'list_length = "ab"'),
    "lengths-one": (r"^list_length = \[[^\]]*\]", "list_length = [1]"),
    "lengths-negative": (r"^list_length = \[[^\]]*\]", "list_length = [-5, 2]"),
    "lengths-huge": (r"^list_length = \[[^\]]*\]", "list_length = [1, 999999999999999999]"),
    "metrics-int": (r"^metrics = \[", "metrics = [5, "),
    "metrics-nested": (r"^metrics = \[", "metrics = [[], "),
    "metrics-text": (r"^metrics = \[[^\]]*\]", 'metrics = "mAP@2"'),
    "metrics-long": (r'"mAP@6"', f'"mAP@{"9" * 5000}"'),
    "metrics-unknown": (r'"mAP@6"', r'"\\u001b]0;x\\u0007@6"'),
    "digest-int": (r"^ground_truth = \"[0-9a-f]{64}\"$", "ground_truth = 5"),
    "deep": (r"\A", "a = " + "[" * 5000 + "]" * 5000 + "\n"),
    "many-digits": (r"\A", "a = " + "9" * 5000 + "\n"),
    "unknown-key": (r"\A", r'"\\u001b[31m\\u202e" = 1' + "\n"),
    "format-text": (r"^bundle_format = .*$", r'bundle_format = "\\u001b[31m"'),
    "run-format": (r"^run_format = .*$", r'run_format = "\\u001b[31m"'),
    "language-group": (r'^metric = "mAP@2"$', 'metric = "linguistic_range"'),
    "language-ratio": (r'^metric = "mAP@2"$', 'metric = "relative_delta_mAP@2"'),
    "language-unknown": (r'^metric = "mAP@2"$', 'metric = "x"'),
    "language-absent": (r"^\[protocols.language\]\naxis = .*\nmetric = .*$", ""),
    "protocols-same": (r'^name = "clean"$', 'name = "official"'),
    "axes-same": (r'name = "secret"', 'name = "colour"'),
    "metrics-same": (r'"mAP@6"', '"mAP@2"'),
    "unit-absent": (r"^axis = \"need\"$", r'axis = "\\u202e"'),
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    write_small_bundle(folder / "small")
    return folder / "small"


@pytest.fixture
def bundle(whole, tmp_path):
    return shutil.copytree(whole, tmp_path / "small")


@pytest.fixture
def run_file(tmp_path):
    lists = {f"q{number}": [image for image in IMAGES if image != f"i{number}"][:6] for number in range(4)}
    path = tmp_path / "run.json"
    path.write_text(json.dumps({query: {"retrieved_items": images} for query, images in lists.items()}))
    return path


def assert_unusable(command, bundle, run_file):
    result = CliRunner().invoke(main, [command, str(bundle), str(run_file)])
    assert isinstance(result.exception, SystemExit), repr(result.exception)
    assert result.exit_code == 2, result.output
    assert "Error: " in result.stderr
    assert all(letter.isprintable() or letter == "\n" for letter in result.output)


@pytest.mark.parametrize("name", MANIFESTS)
def test_a_hostile_manifest_is_an_error_in_words(bundle, run_file, name):
    pattern, replacement = MANIFESTS[name]
    path = bundle / "public" / "benchmark.toml"
    content, n_changes = re.subn(pattern, replacement, path.read_text(), flags=re.MULTILINE)
    assert n_changes
    path.write_text(content)
    assert_unusable("evaluate", bundle, run_file)


@pytest.mark.parametrize("command", ["validate", "evaluate"])
def test_a_folder_in_the_manifests_place_is_an_error_in_words(bundle, run_file, command):
    (bundle / "public" / "benchmark.toml").unlink()
    (bundle / "public" / "benchmark.toml").mkdir()
    assert_unusable(command, bundle, run_file)


def commands_that_read(file):
    return ["validate", "evaluate"] if file == PUBLIC[0] else ["evaluate"]


@pytest.mark.parametrize("file", [*PUBLIC, *SEALED])
@pytest.mark.parametrize("what", ["absent", "folder", "bytes", "half", "empty"])
def test_a_damaged_file_is_an_error_in_words(bundle, run_file, file, what):
    path = bundle / file
    content = path.read_bytes()
    table = pq.read_table(path)
    path.unlink()
    if what == "folder":
        path.mkdir()
    elif what == "bytes":
        path.write_bytes(b"PAR1 no such thing PAR1")
    elif what == "half":
        path.write_bytes(content[: len(content) // 2] + bytes(200) + content[len(content) // 2 + 200 :])
    elif what == "empty":
        pq.write_table(table.slice(0, 0), path)
    for command in commands_that_read(file):
        assert_unusable(command, bundle, run_file)


@pytest.mark.parametrize("file", [*PUBLIC, *SEALED])
@pytest.mark.parametrize("what", ["absent", "twice", "other", "nulls"])
def test_a_column_that_is_not_as_declared_is_an_error_in_words(bundle, run_file, file, what):
    table = pq.read_table(bundle / file)
    for place, name in enumerate(table.column_names):
        if what == "absent" and not name.startswith("slice_"):
            changed = table.drop_columns([name])
        elif what == "twice":
            changed = table.append_column(name, table.column(name))
        elif what == "other":
            changed = table.set_column(place, name, pa.array([b"\xff"] * len(table)))
        elif what == "nulls" and name not in {"paraphrase_group", "image_id"}:
            changed = table.set_column(place, name, pa.nulls(len(table), table.column(name).type))
        else:
            continue
        pq.write_table(changed, bundle / file)
        for command in commands_that_read(file):
            assert_unusable(command, bundle, run_file)


@pytest.mark.parametrize("count", [-1, 0, 1 << 62])
def test_judgements_that_count_oddly_are_an_error_in_words(bundle, run_file, count):
    table = pq.read_table(bundle / SEALED[0])
    place = table.column_names.index("multiplicity")
    pq.write_table(table.set_column(place, "multiplicity", pa.array([count] * len(table))), bundle / SEALED[0])
    assert_unusable("evaluate", bundle, run_file)


@pytest.mark.parametrize("command", ["validate", "evaluate"])
def test_a_title_cannot_command_the_terminal_nor_pass_for_a_line(bundle, run_file, command):
    path = bundle / "public" / "benchmark.toml"
    hostile = r'title = "a\\u001b]0;x\\u0007\\u202eb\\nError: forged"'
    path.write_text(re.sub(r"^title = .*$", hostile, path.read_text(), count=1, flags=re.MULTILINE))
    result = CliRunner().invoke(main, [command, str(bundle), str(run_file)])
    assert result.exit_code == 0
    assert r"a\u001b]0;x\u0007\u202eb\u000aError: forged" in result.output
    assert all(letter.isprintable() or letter == "\n" for letter in result.output)
