"""The page of measurements, docs/performance.md, and the tables on it."""

import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from tests.performance import targets
from tests.performance.contest import LIBRARIES, Took
from tests.performance.contestants import CONTESTANTS
from tests.performance.targets import Target

TITLES = {
    "floor": "the floor",
    "set_loop": "a loop with sets",
    "pytrec_eval": "pytrec-eval-terrier",
    "ir_measures": "ir-measures",
    "ranx": "ranx",
    "official": "**CIRBoard**, official file",
    "whole_report": "**CIRBoard**, whole report",
    "canonical": "**CIRBoard**, canonical run",
}
WORKLOADS = {
    "pinpoint": "PinPoint seven times over: 53,445 queries x 100 of 109,600 images, {size:.0f} MB of JSON",
    "icir": "i-CIR: 1,883 queries rank their instance's gallery, 752,092 images in all, {size:.0f} MB of JSON",
}
PACKAGES = ("pytrec-eval-terrier", "ir-measures", "ranx", "numpy", "pyarrow")
HOSTILE = {
    "unknown": "an id of the right form that is in no gallery",
    "misspelt": "an id with one wrong letter",
    "disguised": "an id in capitals, with a blank before and `.jpg` behind",
    "repeated": "the first id of the list again",
    "number": "a number",
    "nested": "a list",
}

HEAD = """# Speed and memory

What scoring a run costs here, beside what it costs elsewhere on the same files in the same session. `make bench` measures
it again and rewrites this page: it installs the compared libraries (the extra `bench`), makes the files from a seed and
takes some ten minutes. Targets that are missed fail there, and say so here.

Seconds are of one machine ({machine}); ratios carry over. Versions: {versions}.

## How it is measured

Each contestant runs in a process of its own, in turns with the others, {rounds} times (the floor and the canonical run
nine times, ranx once); medians are shown. The clock starts after imports (ranx's compilation counts as one) with files
that the machine holds in memory. It stops when the means of mAP, mAP@10 and recall@10 are there. Peak memory is that of
the whole process, imports included. What the libraries are given is built inside the clock: the parsed JSON, their
dictionaries, their ground truth (the positives alone, as JSON). CIRBoard reads its bundle inside the clock, hard
negatives included, unless said otherwise.

All agree to 1e-9 on mAP (trec_eval's, here `mAP_standard`) and recall@10. On mAP@10 only the loop can: trec_eval and
those that follow it divide by all positives, CIRBoard by at most 10.

"""


@dataclass(frozen=True)
class Results:
    """Everything that was measured.

    Attributes:
        contests: Workload -> contestant -> what it took.
        sizes: Workload -> bytes of its official file.
        reading: Entries of an official file -> seconds of processor time to score it.
        reports: Stages of the whole report at growing sizes, as `report_times` prints them.
        hostile: Kind of fault -> what checking a million of them took.
        rounds: How often each was run.
    """

    contests: Mapping[str, Mapping[str, Took]]
    sizes: Mapping[str, int]
    reading: Mapping[int, float]
    reports: Sequence[Mapping[str, Any]]
    hostile: Mapping[str, Mapping[str, Any]]
    rounds: int


def page(results: Results) -> str:
    """The page as Markdown."""
    head = HEAD.format(machine=_machine(), versions=_versions(), rounds=results.rounds)
    contests = [_contest_section(name, results) for name in results.contests]
    return head + "\n".join(
        [_definitions(), *contests, _bootstrap_section(results), _growth(results), _hostile(results)]
    )


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown, the first column to the left and numbers to the right."""
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def contest_table(contest: Mapping[str, Took]) -> str:
    """Contestants with their cost, and how many times ours that is."""
    ours = contest["official"]
    rows = []
    for name, title in TITLES.items():
        if name not in contest:
            rows.append([title, "not installed", *[""] * 5] if name in LIBRARIES else [title, *[""] * 6])
            continue
        took = contest[name]
        rows.append(
            [
                title,
                f"{took.wall_s:.2f}",
                f"{took.wall_s / ours.wall_s:.2f}",
                f"{took.cpu_s:.2f}",
                f"{took.peak_bytes / 1e6:,.0f}",
                f"{took.peak_bytes / ours.peak_bytes:.2f}",
                f"{took.import_s:.2f}",
            ]
        )
    return table(["", "seconds", "x ours", "processor s", "peak MB", "x ours", "before the clock, s"], rows)


def target_table(found: Sequence[Target]) -> str:
    """Targets, and whether they are met."""
    rows = [
        [target.what, f"{target.found:.2f}", target.wanted, "yes" if target.is_met else "**no**"] for target in found
    ]
    return table(["target", "measured", "wanted", "met"], rows)


def _machine() -> str:
    return f"{os.cpu_count()} cores shared with other work, {platform.system()} on {platform.machine()}"


def _versions() -> str:
    found = [f"Python {platform.python_version()}"]
    for package in PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            found.append(f"{package} not installed")
    return ", ".join(found)


def _definitions() -> str:
    lines = [f"- {TITLES[name]}: {' '.join((CONTESTANTS[name].__doc__ or '').split())}\n" for name in TITLES]
    return "".join(lines)


def _contest_section(name: str, results: Results) -> str:
    contest = results.contests[name]
    title = WORKLOADS[name].format(size=results.sizes[name] / 1e6)
    found = targets.speed_beside_the_set_loop(contest) + targets.canonical_beside_the_floor(contest)
    if all(library in contest for library in targets.TREC_LIBRARIES):
        found = targets.speed_over_libraries(contest) + targets.memory_beside_libraries(contest) + found
    return f"## {title}\n\n{contest_table(contest)}\n{target_table(found)}"


def _bootstrap_section(results: Results) -> str:
    rows = [
        [
            f"{report['n_queries']:,}",
            f"{report['n_units']:,}",
            f"{report['n_metrics']} x {report['n_slices'] + 1}",
            f"{report['timings_s']['estimate']:.2f}",
            f"{sum(report['timings_s'].values()):.2f}",
        ]
        for report in results.reports
    ]
    header = ["queries", "units", "metrics x (slices and all)", "intervals, s", "whole report, s"]
    text = (
        "## Intervals\n\nThe stage `estimate` of a report: every metric over all queries and over every slice, with "
        "10,000\nreplicates of whole units and the ends of the intervals. The weights are drawn once per benchmark and "
        "process and\nlie in memory; the run is in its canonical form. The first row is as large as PinPoint.\n\n"
    )
    return text + table(header, rows) + "\n" + target_table(targets.bootstrap_time(results.reports))


def _growth(results: Results) -> str:
    reading = targets.growth("official file, processor time", list(results.reading.values()))
    intervals = targets.growth("intervals", [report["timings_s"]["estimate"] for report in results.reports])
    rows = [[f"{entries:,}", f"{seconds:.2f}"] for entries, seconds in results.reading.items()]
    text = (
        "## Growth\n\nThree metrics from official files of three sizes; each doubling may cost at most 2.4 times.\n\n"
    )
    return text + table(["entries", "processor s"], rows) + "\n" + target_table(reading + intervals)


def _hostile(results: Results) -> str:
    rows = [
        [HOSTILE[kind], f"{took['n_problems']:,}", f"{took['wall_s']:.2f}", f"{took['peak_bytes'] / 1e6:,.0f}"]
        for kind, took in results.hostile.items()
    ]
    text = (
        "## A file of a million faults\n\nEvery entry of a PinPoint file with 7,635 x 131 entries is wrong in one way. "
        "All faults are\ncounted, the first 10,000 of a kind kept, each with its hint. The server stops a check after "
        "60 s of processor\ntime or at 2,147 MB; here at most 20 s and 1,074 MB are allowed.\n\n"
    )
    return text + table(["instead of each id", "problems", "seconds", "peak MB"], rows)
