"""How long the stages of scoring take once the weights of the bootstrap are cached.

python -m tests.performance.report_times FOLDER ROUNDS
"""

import json
import sys
from pathlib import Path
from statistics import median

from evaluator.public.bundle import load_benchmark
from evaluator.public.run import load_run
from evaluator.score import score
from tests.performance.workload import EVERYTHING, Workload


def main() -> None:
    folder, rounds = sys.argv[1:]
    workload = Workload(Path(folder))
    benchmark, run = load_benchmark(workload.bundle), load_run(workload.canonical)
    reports = [score(run, benchmark, workload.bundle / "sealed", EVERYTHING) for _ in range(int(rounds) + 1)]
    # The first drew the weights.
    timings = {stage: median(report.timings[stage] for report in reports[1:]) for stage in reports[0].timings}
    n_slices = sum(len(values) for values in reports[0].slices.values())
    sizes = {"n_metrics": len(reports[0].metrics), "n_slices": n_slices, "n_units": reports[0].bootstrap["n_units"]}
    sys.stdout.write(json.dumps({"timings_s": timings, "n_queries": len(reports[0].query_ids), **sizes}))


if __name__ == "__main__":
    main()
