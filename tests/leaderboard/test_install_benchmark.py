"""A bundle is installed once, healed when damaged, and never replaced by other content of the same version."""

import shutil
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from evaluator.public.bundle import load_benchmark
from leaderboard.models import AuditEvent, Benchmark, BenchmarkVersion, Split
from tests.board import write_board


@pytest.fixture
def sealed(settings: Settings, places: Path) -> Path:
    settings.SEALED_ROOT = places / "sealed"
    return places / "sealed"


def install(bundle: Path, capsys: pytest.CaptureFixture[str]) -> str:
    call_command("install_benchmark", str(bundle))
    return capsys.readouterr().out


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.django_db
def test_both_sides_go_to_their_volumes(
    board: Path, sealed: Path, places: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "installed, 12 queries" in install(board, capsys)
    split = Split.objects.get()
    assert (str(split), split.folder) == ("Board version 1 val", "board/1/val")
    assert files_of(places / "public" / split.folder) == files_of(board / "public")
    assert files_of(sealed / split.folder) == files_of(board / "sealed")
    assert split.manifest["protocols"][0]["name"] == "official"
    assert split.rules == load_benchmark(board).manifest
    assert (split.n_queries, split.n_images) == (12, 80)


@pytest.mark.django_db
def test_the_sealed_side_is_closed_to_everyone_else(
    board: Path, sealed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install(board, capsys)
    modes = {path.stat().st_mode & 0o777 for path in [sealed, *sealed.rglob("*")] if path.is_dir()}
    assert modes == {0o700}
    assert {path.stat().st_mode & 0o777 for path in sealed.rglob("*") if path.is_file()} == {0o600}


@pytest.mark.django_db
def test_installing_again_changes_nothing(board: Path, sealed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(board, capsys)
    inode = (sealed / "board/1/val").stat().st_ino
    assert "already installed" in install(board, capsys)
    assert (sealed / "board/1/val").stat().st_ino == inode
    assert (Benchmark.objects.count(), BenchmarkVersion.objects.count(), Split.objects.count()) == (1, 1, 1)
    assert AuditEvent.objects.filter(action="benchmark installed").count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("damaged", ["sealed/board/1/val/ground_truth.parquet", "public/board/1/val/queries.parquet"])
def test_installing_again_heals_a_damaged_file(
    damaged: str, board: Path, sealed: Path, places: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install(board, capsys)
    (places / damaged).write_bytes(b"")
    install(board, capsys)
    assert files_of(sealed / "board/1/val") == files_of(board / "sealed")
    assert files_of(places / "public/board/1/val") == files_of(board / "public")


@pytest.mark.django_db
def test_other_content_under_the_same_version_is_refused(
    board: Path, sealed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install(board, capsys)
    before = files_of(sealed)
    write_board(tmp_path / "other", seed=6)
    with pytest.raises(CommandError, match="give the bundle a new version"):
        install(tmp_path / "other", capsys)
    assert files_of(sealed) == before
    write_board(tmp_path / "newer", seed=6, version="2")
    install(tmp_path / "newer", capsys)
    assert [version.version for version in BenchmarkVersion.objects.order_by("version")] == ["1", "2"]


@pytest.mark.django_db
def test_a_bundle_that_was_changed_by_hand_is_refused(
    board: Path, sealed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_board(tmp_path / "other", seed=6)
    shutil.copytree(board, tmp_path / "mixed")
    shutil.copy(tmp_path / "other/sealed/ground_truth.parquet", tmp_path / "mixed/sealed/ground_truth.parquet")
    with pytest.raises(CommandError, match="ground truth of this bundle"):
        install(tmp_path / "mixed", capsys)
    assert not sealed.exists()
    assert not Benchmark.objects.exists()


@pytest.mark.django_db
def test_without_a_sealed_root_it_says_which_variable_to_set(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CommandError, match="CIRBOARD_SEALED_ROOT"):
        install(board, capsys)


@pytest.mark.django_db
def test_a_folder_that_is_no_bundle_is_refused(
    sealed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not sealed.exists()
    with pytest.raises(CommandError, match="cirboard import"):
        install(tmp_path, capsys)
