"""Files in which every entry is a fault, and what checking one takes.

python -m tests.performance.hostile_files KIND FOLDER
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from evaluator.formats.read import read_run
from evaluator.public.bundle import load_benchmark
from tests.performance.contestants import peak_bytes
from tests.performance.workload import Workload

Entries = Callable[[list[str]], list[Any]]
"""From a faultless list to a faulty one."""

_draw = np.random.default_rng(1)
KINDS: dict[str, Entries] = {
    "unknown": lambda images: [_draw.bytes(16).hex() for _ in images],
    "misspelt": lambda images: [f"{image[:-1]}g" for image in images],
    "disguised": lambda images: [f" {image.upper()}.jpg" for image in images],
    "repeated": lambda images: [images[0]] * len(images),
    "number": lambda images: list(range(len(images))),
    "nested": lambda images: [[image] for image in images],
}


def write_hostile(workload: Workload, kind: str) -> Path:
    """The workload's file with a fault in every entry."""
    run = json.loads(workload.official.read_bytes())
    path = workload.folder / f"{kind}.json"
    faulty = {query: {"retrieved_items": KINDS[kind](entry["retrieved_items"])} for query, entry in run.items()}
    path.write_text(json.dumps(faulty), encoding="utf-8")
    return path


def main() -> None:
    kind, folder = sys.argv[1:]
    workload = Workload(Path(folder))
    benchmark = load_benchmark(workload.bundle)
    begun, cpu_begun = time.perf_counter(), time.process_time()
    reading = read_run(workload.folder / f"{kind}.json", benchmark)
    took = {
        "wall_s": time.perf_counter() - begun,
        "cpu_s": time.process_time() - cpu_begun,
        "peak_bytes": peak_bytes(),
        "n_problems": reading.problems.n_errors + reading.problems.n_warnings,
        "counts": reading.problems.counts,
        "accepted": reading.run is not None,
    }
    sys.stdout.write(json.dumps(took))


if __name__ == "__main__":
    main()
