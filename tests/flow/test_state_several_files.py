"""Runs of several files travel through real workers as one zip, and the table shows the official numbers."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from evaluator.cli.packing import pack
from evaluator.importers.bundle_writer import write_bundle
from evaluator.importers.cirr import read_cirr
from evaluator.importers.fashioniq import CATEGORIES, read_fashioniq
from leaderboard.models import Submission, Visibility
from leaderboard.tables.board import Cell, read_board
from leaderboard.tables.query import BoardQuery
from tests.flow.board_stack import BoardStack, assert_scored_exactly_once

FLOAT32 = 2e-7
"""How far a fraction may lie from a per cent that was printed from single precision."""


def test_cirrs_two_files_get_the_official_numbers(shared: Path, server_as_shipped: BoardStack, tmp_path: Path) -> None:
    write_bundle(tmp_path / "cirr", read_cirr(shared / "data/cirr", "val"))
    golden = shared / "golden/cirr"
    files = [golden / f"random_seed11.{part}.json.gz" for part in ("recall", "recall_subset")]
    server = server_as_shipped.with_bundle(tmp_path / "cirr", pack(files, tmp_path / "run.zip").read_bytes())
    assert server.split.n_queries == 4181
    submission = published(server, within_s=60)
    assert_scored_exactly_once(submission, server.split)
    expected = expected_of(golden)["random_seed11"]
    cells = cells_of(server, "hard")
    for part, hits in expected["hard_hits"].items():
        for k, n_hits in hits.items():
            assert cells[f"{part}_at_{k}"].value == n_hits / expected["queries"]
            assert cells[f"{part}_at_{k}"].n == expected["queries"]
    assert cells["recall_at_50"].text == f"{expected['A_searle_hard_label_percent']['cirr_recall_at50']:.3f}"
    soft = expected["B_cirplant_soft_label_fraction"]["recall_inset_top1_correct_composition"]
    assert cells_of(server, "soft")["recall_subset_at_1"].value == pytest.approx(soft, abs=1e-12)


def test_fashioniqs_three_files_get_the_official_numbers(
    shared: Path, server_as_shipped: BoardStack, tmp_path: Path
) -> None:
    write_bundle(tmp_path / "fashioniq", read_fashioniq(shared / "data/fashioniq", "val", "val"))
    golden = shared / "golden/fashioniq"
    files = [golden / f"random_seed21.val_split.{category}.val.pred.json.gz" for category in CATEGORIES]
    server = server_as_shipped.with_bundle(tmp_path / "fashioniq", pack(files, tmp_path / "run.zip").read_bytes())
    assert_scored_exactly_once(published(server, within_s=60), server.split)
    expected = expected_of(golden)["random_seed21.val_split"]
    for k in (10, 50):
        value = cells_of(server, "val_split")[f"recall_at_{k}"].value
        assert value == pytest.approx(expected["average"][f"fiq_recall_at{k}"] / 100, abs=FLOAT32)
        of_dress = cells_of(server, "val_split", "category:dress")[f"recall_at_{k}"].value
        assert of_dress == expected["dress"]["hits"][str(k)] / expected["dress"]["queries"]


def published(server: BoardStack, within_s: float) -> Submission:
    """Upload, wait, and make it public."""
    submission = server.upload()
    server.await_scored(submission, within_s=within_s)
    Submission.objects.filter(pk=submission.pk).update(visibility=Visibility.PUBLIC, published_at=timezone.now())
    return submission


def cells_of(server: BoardStack, protocol: str, chosen: str = "") -> dict[str, Cell]:
    """The one row of the split's table."""
    (row,) = read_board(server.split, BoardQuery(protocol=protocol, slice=chosen)).rows
    return row.cells


def expected_of(golden: Path) -> dict[str, Any]:
    """What the official evaluators printed."""
    expected: dict[str, Any] = json.loads((golden / "expected.json").read_bytes())
    return expected
