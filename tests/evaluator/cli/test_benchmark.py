import errno
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluator.cli import main
from tests.evaluator.importers.generic_example import change, example


def run(*arguments):
    return CliRunner().invoke(main, [*map(str, arguments)])


def test_new_writes_files_that_the_check_finds_no_fault_with(tmp_path):
    made = run("benchmark", "new", tmp_path / "My Shop!")
    assert made.exit_code == 0
    checked = run("benchmark", "check", tmp_path / "My Shop!")
    assert checked.exit_code == 0
    assert "my-shop test, version 1, ground truth held_out\n6 queries, 12 images in 1 gallery" in checked.stdout
    assert "positives per query: 1 to 2, mean 1.5; 6 hard negatives" in checked.stdout
    assert "axis source: 2 values, sealed" in checked.stdout


def test_new_takes_a_name(tmp_path):
    assert run("benchmark", "new", tmp_path / "x", "--name", "street-looks").exit_code == 0
    assert 'name = "street-looks"' in (tmp_path / "x" / "benchmark.toml").read_text()


@pytest.mark.parametrize("name", ["", "A", "a b", "../a", "x" * 51, '"'])
def test_new_refuses_what_is_no_name(name, tmp_path):
    assert run("benchmark", "new", tmp_path / "x", "--name", name).exit_code == 2
    assert not (tmp_path / "x").exists()


def test_new_overwrites_nothing(tmp_path):
    (tmp_path / "mine").write_text("text")
    result = run("benchmark", "new", tmp_path)
    assert result.exit_code == 2
    assert "is not empty; name a new folder" in result.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine"]


def test_check_exits_1_on_errors_and_lists_them(tmp_path):
    folder = example(tmp_path / "shop", gallery_csv=("img-2\n", "img-1\n"))
    result = run("benchmark", "check", folder)
    assert result.exit_code == 1
    assert 'error: gallery.csv, line 3, column image_id: "img-1" stands twice' in result.stdout
    assert f"{folder}: " in result.stdout.splitlines()[-1]


def test_check_exits_2_where_there_is_no_folder(tmp_path):
    assert run("benchmark", "check", tmp_path / "nothing").exit_code == 2


def test_check_exits_2_where_a_file_may_not_be_read(tmp_path, monkeypatch):
    folder = example(tmp_path / "shop")

    def refuse(path, *_arguments, **_options):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    # Root may read every file, so that taking its rights away would not do.
    monkeypatch.setattr(Path, "read_bytes", refuse)
    monkeypatch.setattr(Path, "open", refuse)
    assert run("benchmark", "check", folder).exit_code == 2


def test_what_a_file_holds_cannot_command_the_terminal(tmp_path):
    folder = example(tmp_path / "shop", ground_truth_csv=("q1,img-7,positive", "q1,img-7,\x1b[31m"))
    result = run("benchmark", "check", folder)
    assert "\x1b" not in result.stdout
    assert "\\u001b[31m" in result.stdout


def test_import_generic_writes_nothing_where_there_are_errors(tmp_path):
    folder = example(tmp_path / "shop")
    change(folder / "queries.csv", "at night", "")
    result = run("import", "generic", "--source", folder, "--out", tmp_path / "bundle")
    assert result.exit_code == 1
    assert "has 1 error; nothing was written" in result.stderr
    assert not (tmp_path / "bundle").exists()
