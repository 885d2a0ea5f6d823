"""A benchmark with a sealed axis and with a slice of one query, and a look for its exact numbers in what is told."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
from django.core.management import call_command

from evaluator.importers.bundle_writer import write_bundle
from evaluator.public.manifest import SliceAxis
from evaluator.public.rounding import rounded_for
from evaluator.sealed.ground_truth import SLICE_SCHEMA
from leaderboard.models import Evaluation, Score, Split, Submission
from leaderboard.storage import artefacts
from tests.board import board_parts, query_id, ranked_at_random, run_file
from tests.cast import Cast
from tests.leaderboard.really_scored import scored_file

N_QUERIES, N_IMAGES = 15, 97
NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
SECRET = SliceAxis("secret", "Secret", sealed=True)
SEALED_SLICES = pa.Table.from_pylist(
    [
        {"query_id": query_id(q), "axis": "secret", "value": "alone" if q == 0 else ("hid", "den")[q % 2]}
        for q in range(N_QUERIES)
    ],
    SLICE_SCHEMA,
)


def install_board(places: Path, ground_truth: str) -> Split:
    """Install it, in a process that has the sealed root."""
    parts = board_parts(n_queries=N_QUERIES, n_images=N_IMAGES)
    axes = (*parts.manifest.slice_axes, SECRET)
    manifest = replace(parts.manifest, ground_truth=ground_truth, slice_axes=axes)
    write_bundle(places / "bundle", replace(parts, manifest=manifest, sealed_slices=SEALED_SLICES))
    call_command("install_benchmark", str(places / "bundle"), verbosity=0)
    return Split.objects.get()


def submit(cast: Cast, split: Split, places: Path, seed: int, *, public: bool) -> Submission:
    file = places / f"run-{seed}.json"
    file.write_bytes(run_file(N_QUERIES, N_IMAGES, ranked_at_random(seed)))
    return scored_file(cast, split, places / "bundle", [file], f"random-{seed}", public=public)


def exact_numbers(split: Split) -> set[float]:
    """Every score, end of an interval and value per query that is not what the page shows anyway."""
    exact = {x for row in Score.objects.values_list("value", "low", "high") for x in row if x is not None}
    for digest in Evaluation.objects.values_list("per_query_digest", flat=True):
        with np.load(artefacts.path(digest), allow_pickle=False) as arrays:
            for name in arrays.files:
                if name not in {"query_ids", "n_units"}:
                    exact |= set(np.unique(arrays[name]).tolist())
    display = split.rules.display
    return {x for x in exact if abs(rounded_for(display, {"value": x})["value"] - x) > 1e-9}


def told_exactly(body: str, exact: set[float]) -> list[str]:
    """Numbers in a body that are one of these, as fractions or in percent."""
    known = np.array(sorted(exact))
    return [
        text
        for text in NUMBER.findall(body)
        if any((np.abs(known - float(text) / unit) < 1e-9).any() for unit in (1.0, 100.0))
    ]
