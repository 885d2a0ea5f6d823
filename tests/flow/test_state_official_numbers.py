"""Official files travel through real workers and come out with the official evaluators' numbers, and soon."""

import json
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker

from evaluator.importers.bundle_writer import write_bundle
from evaluator.importers.circo import read_circo
from evaluator.importers.pinpoint import read_pinpoint
from leaderboard.models import Score, Submission
from tests.flow.board_stack import BoardStack, assert_scored_exactly_once, connected_to, installed_stack

VISIBLE_WITHIN_S = 2.0
N_UPLOADS = 10


def test_circos_example_gets_the_official_numbers_within_two_seconds(
    shared: Path, django_db_blocker: DjangoDbBlocker
) -> None:
    def make(bundle: Path) -> bytes:
        write_bundle(bundle, read_circo(shared / "data/circo", "val"))
        return (shared / "golden/circo/official_example.json.gz").read_bytes()

    expected = json.loads((shared / "golden/circo/expected.json").read_bytes())["official_example"]["exact"]
    with idle_server(django_db_blocker, make) as server:
        elapsed_s = []
        for _ in range(N_UPLOADS):
            begun = time.monotonic()
            submission = server.upload()
            server.await_scored(submission, within_s=30)
            elapsed_s.append(time.monotonic() - begun)
        assert_scored_exactly_once(submission, server.split)
        overall = scores_of(submission, "official")
        assert {k: overall[f"mAP@{k}"] for k in expected["mAP"]} == pytest.approx(expected["mAP"], abs=1e-12)
        recall = {k: overall[f"target_recall@{k}"] for k in expected["Recall"]}
        assert recall == pytest.approx(expected["Recall"], abs=1e-12)
        rows = Score.objects.filter(evaluation__submission=submission, axis="aspect", metric="mAP@10")
        by_aspect = dict(rows.values_list("slice", "value"))
        assert by_aspect == pytest.approx(expected["semantic_mAP@10"], abs=1e-12)
    assert statistics.median(elapsed_s) < VISIBLE_WITHIN_S, elapsed_s


def test_pinpoints_full_file_gets_the_official_numbers(shared: Path, django_db_blocker: DjangoDbBlocker) -> None:
    def make(bundle: Path) -> bytes:
        write_bundle(bundle, read_pinpoint(shared / "data/pinpoint"))
        return (shared / "golden/pinpoint/random_seed31.json.gz").read_bytes()

    expected = json.loads((shared / "golden/pinpoint/expected.json").read_bytes())["random_seed31"]["exact"]
    with idle_server(django_db_blocker, make) as server:
        submission = server.upload()
        server.await_scored(submission, within_s=60)
        assert_scored_exactly_once(submission, server.split)
        overall = scores_of(submission, "official")
        for k in (1, 5, 10, 50):
            for name in ("mAP", "precision", "recall"):
                assert overall[f"{name}@{k}"] == pytest.approx(expected[f"{name}@{k}"], abs=1e-12)
            assert overall[f"negative_recall@{k}"] == pytest.approx(expected[f"NegRecall@{k}"], abs=1e-12)
        assert overall["linguistic_range"] == pytest.approx(expected["ling_sens_range"], abs=1e-12)


@contextmanager
def idle_server(blocker: DjangoDbBlocker, make: Callable[[Path], bytes]) -> Iterator[BoardStack]:
    with installed_stack(blocker, make) as board, blocker.unblock(), connected_to(board.stack):
        yield board


def scores_of(submission: Submission, protocol: str) -> dict[str, float | None]:
    rows = Score.objects.filter(evaluation__submission=submission, evaluation__protocol=protocol, axis="")
    return dict(rows.values_list("metric", "value"))
