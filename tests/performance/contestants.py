"""What is compared: one way of scoring a generated run, done once in this process, which says what it took.

    python -m tests.performance.contestants NAME FOLDER

Each contestant is a function that imports what it needs and hands back the work. Imports are timed apart. The work
starts at files on the disk, which the machine holds in memory, and ends at the mean of each of the three metrics.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.performance.workload import EVERYTHING, THREE, THREE_METRICS, Workload

Scores = dict[str, float]
Work = Callable[[Workload], Scores]
"""From a run to metric -> mean over the queries."""

AP, AP_AT_10, RECALL_AT_10 = THREE_METRICS
BLOCK_BYTES = 1 << 20
TREC_AP_AT_10 = "trec's mAP@10"
"""Divides by all positives, where ours divides by at most 10."""


def floor() -> Work:
    """Read the official file in blocks of 1 MiB and add up its bytes, as words of eight: each byte is touched once."""

    def work(workload: Workload) -> Scores:
        block, total = np.zeros(BLOCK_BYTES // 8, np.uint64), 0
        with workload.official.open("rb", buffering=0) as stream:
            while n_bytes := stream.readinto(block.view(np.uint8)):
                block.view(np.uint8)[n_bytes:] = 0
                total += int(block.sum())
        return {"sum": float(total)}

    return work


def set_loop() -> Work:
    """What one writes without a library: the parsed file, a set of positives per query, a loop over each list."""

    def work(workload: Workload) -> Scores:
        with workload.official.open(encoding="utf-8") as stream:
            run = json.load(stream)
        positives = {query: set(images) for query, images in _positives(workload).items()}
        sums = [0.0, 0.0, 0.0]
        for query, entry in run.items():
            wanted, found, total, total_at_10, found_at_10 = positives[query], 0, 0.0, 0.0, 0
            for rank, image in enumerate(entry if isinstance(entry, list) else entry["retrieved_items"], 1):
                if image in wanted:
                    found += 1
                    total += found / rank
                    if rank <= 10:
                        total_at_10, found_at_10 = total, found
            sums[0] += total / len(wanted)
            sums[1] += total_at_10 / min(10, len(wanted))
            sums[2] += found_at_10 / len(wanted)
        return {name: value / len(run) for name, value in zip(THREE_METRICS, sums, strict=True)}

    return work


def pytrec_eval() -> Work:
    """pytrec-eval-terrier: trec_eval behind dictionaries."""
    import pytrec_eval as library

    def work(workload: Workload) -> Scores:
        run, judged = _scored(workload), _judged(workload)
        measures = {"map": AP, "map_cut_10": TREC_AP_AT_10, "recall_10": RECALL_AT_10}
        evaluator = library.RelevanceEvaluator(judged, {"map", "map_cut.10", "recall.10"})
        each = evaluator.evaluate(run).values()
        return {name: sum(values[measure] for values in each) / len(each) for measure, name in measures.items()}

    return work


def ir_measures() -> Work:
    """ir-measures, which hands these measures to pytrec-eval-terrier."""
    import ir_measures as library

    def work(workload: Workload) -> Scores:
        run, judged = _scored(workload), _judged(workload)
        names = {library.AP: AP, library.AP @ 10: TREC_AP_AT_10, library.R @ 10: RECALL_AT_10}
        found = library.calc_aggregate(list(names), judged, run)
        return {name: float(found[measure]) for measure, name in names.items()}

    return work


def ranx() -> Work:
    """ranx, whose loops are compiled when first called: here, with the imports."""
    import ranx as library

    names = {"map": AP, "map@10": TREC_AP_AT_10, "recall@10": RECALL_AT_10}

    def work_on(run: dict[str, dict[str, int]], judged: dict[str, dict[str, int]]) -> Scores:
        found = library.evaluate(library.Qrels(judged), library.Run(run), list(names))
        return {name: float(found[measure]) for measure, name in names.items()}

    work_on({"q": {"a": 2, "b": 1}}, {"q": {"b": 1}})
    return lambda workload: work_on(_scored(workload), _judged(workload))


def official() -> Work:
    """Ours, from the official file: every check of the validator, the join with the ground truth, three metrics."""
    from evaluator.formats.read import read_run
    from evaluator.metrics.registry import compute
    from evaluator.public.bundle import load_benchmark
    from evaluator.public.lists import lists_of
    from evaluator.sealed.ground_truth import load_ground_truth
    from evaluator.sealed.judged import judge

    def work(workload: Workload) -> Scores:
        benchmark = load_benchmark(workload.bundle)
        rules = benchmark.manifest.protocol(THREE)
        run = read_run(workload.official, benchmark, THREE).run
        assert run is not None
        truth = load_ground_truth(workload.bundle / "sealed")
        judged = judge(run, lists_of(run, benchmark, rules), benchmark, truth, rules)
        return {name: float(compute(name, judged).mean()) for name in THREE_METRICS}

    return work


def whole_report() -> Work:
    """Ours, from the official file to the whole report: all metrics, slices, 10,000 replicates, intervals, digests."""
    from evaluator.formats.read import read_run
    from evaluator.public.bundle import load_benchmark
    from evaluator.score import score

    def work(workload: Workload) -> Scores:
        benchmark = load_benchmark(workload.bundle)
        run = read_run(workload.official, benchmark, EVERYTHING).run
        assert run is not None
        report = score(run, benchmark, workload.bundle / "sealed", EVERYTHING)
        return {name: found.value for name, found in report.metrics.items() if found.value is not None}

    return work


def canonical() -> Work:
    """Ours, from the canonical run: load it, check it against the galleries, join, three metrics.

    One run was scored so before the clock starts: the benchmark, its ground truth and what is looked up once for both
    are in memory, as when several runs are compared.
    """
    from evaluator.metrics.registry import compute
    from evaluator.public.bundle import load_benchmark
    from evaluator.public.lists import lists_of
    from evaluator.public.run import load_run
    from evaluator.sealed.ground_truth import load_ground_truth
    from evaluator.sealed.judged import judge

    first = Workload(Path(sys.argv[2]))
    benchmark, truth = load_benchmark(first.bundle), load_ground_truth(first.bundle / "sealed")
    rules = benchmark.manifest.protocol(THREE)

    def work(workload: Workload) -> Scores:
        run = load_run(workload.canonical)
        judged = judge(run, lists_of(run, benchmark, rules), benchmark, truth, rules)
        return {name: float(compute(name, judged).mean()) for name in THREE_METRICS}

    work(first)
    return work


CONTESTANTS: dict[str, Callable[[], Work]] = {
    contestant.__name__: contestant
    for contestant in (floor, set_loop, pytrec_eval, ir_measures, ranx, official, whole_report, canonical)
}


def _positives(workload: Workload) -> dict[str, list[str]]:
    found: dict[str, list[str]] = json.loads(workload.positives.read_bytes())
    return found


def _judged(workload: Workload) -> dict[str, dict[str, int]]:
    return {query: dict.fromkeys(images, 1) for query, images in _positives(workload).items()}


def _scored(workload: Workload) -> dict[str, dict[str, int]]:
    """The run with a falling score at each rank, as these libraries want it."""
    with workload.official.open(encoding="utf-8") as stream:
        run = json.load(stream)
    lists = {query: entry if isinstance(entry, list) else entry["retrieved_items"] for query, entry in run.items()}
    return {query: dict(zip(images, range(len(images), 0, -1), strict=True)) for query, images in lists.items()}


def peak_bytes() -> int:
    """Most memory that this process held.

    Not `ru_maxrss`: a child starts there with what its parent held when it was forked.
    """
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


def main() -> None:
    name, folder = sys.argv[1:]
    begun = time.perf_counter()
    work = CONTESTANTS[name]()
    imported = time.perf_counter()
    cpu_begun = time.process_time()
    scores = work(Workload(Path(folder)))
    took: dict[str, Any] = {
        "wall_s": time.perf_counter() - imported,
        "cpu_s": time.process_time() - cpu_begun,
        "import_s": imported - begun,
        "peak_bytes": peak_bytes(),
        "scores": scores,
    }
    sys.stdout.write(json.dumps(took))


if __name__ == "__main__":
    main()
