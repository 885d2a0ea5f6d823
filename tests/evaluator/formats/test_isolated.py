"""The confined check: the same verdict, and no way to hurt the caller."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from dataclasses import replace

import psutil
import pytest

from evaluator.formats.isolated import ENVIRONMENT, CheckerError, check_file
from evaluator.formats.kinds import KINDS
from evaluator.formats.limits import MIB, Limits
from evaluator.formats.problems import KEPT_PER_CODE, ProblemLog
from evaluator.formats.problems_csv import MOST_BYTES, write_problems_csv
from evaluator.formats.read import read_run
from evaluator.public.run import load_run

HEAVY = b"[" + b"[]," * 20_000_000 + b"[]]"
SLOW = b'{"0": [' + b'"\\u0041",' * 11_000_000 + b'""]}'


@pytest.fixture
def out(tmp_path):
    """Where the canonical run is put, in a folder of its own."""
    (tmp_path / "out").mkdir()
    return tmp_path / "out" / "run.npz"


@pytest.fixture
def write(tmp_path):
    """Write a file as an upload would."""

    def write(content):
        path = tmp_path / "upload"
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return path

    return write


def test_an_accepted_file_leaves_its_canonical_run(write, out, circo, circo_lists):
    path = write(circo_lists)
    outcome = check_file(path, circo.public_root, out)
    assert (outcome.status, outcome.failure, outcome.n_queries, outcome.n_entries) == ("accepted", None, 3, 12)
    assert load_run(out).digest == outcome.run_digest == read_run(path, circo).run.digest
    assert list(out.parent.iterdir()) == [out]


def test_a_refused_file_leaves_its_problems_and_no_run(write, out, circo, circo_lists):
    path = write({**circo_lists, "0": [1, 1, 2, "=x"]})
    outcome = check_file(path, circo.public_root, out)
    assert (outcome.status, outcome.run_digest) == ("rejected", None)
    assert {group["code"] for group in outcome.report["groups"]} == {"image-repeated", "image-ill-formed"}
    assert "image-ill-formed,error" in outcome.problems_csv.read_text(encoding="utf-8")
    assert list(out.parent.iterdir()) == [outcome.problems_csv]


def test_warnings_come_with_an_accepted_run(write, out, circo, circo_lists):
    outcome = check_file(write({**circo_lists, "0": [100, 1, 2, 3]}), circo.public_root, out)
    assert (outcome.status, outcome.report["n_warnings"]) == ("accepted", 1)
    assert outcome.problems_csv.exists()
    assert out.exists()


def test_the_protocol_is_the_one_that_was_named(write, out, pinpoint, pinpoint_lists):
    assert check_file(write(pinpoint_lists), pinpoint.public_root, out, protocol="pairs").status == "rejected"


def test_too_much_memory_is_the_files_doing(write, out, circo):
    outcome = check_file(write(HEAVY), circo.public_root, out, limits=replace(Limits(), memory_bytes=256 * MIB))
    assert (outcome.status, outcome.failure) == ("failed", "memory")
    assert [group["code"] for group in outcome.report["groups"]] == ["file-too-demanding"]
    assert list(out.parent.iterdir()) == []


def test_too_much_time_is_the_files_doing(write, out, circo):
    outcome = check_file(write(SLOW), circo.public_root, out, limits=replace(Limits(), wall_s=2))
    assert outcome.elapsed_s < 5
    assert (outcome.status, outcome.failure) == ("failed", "timeout")
    assert [group["code"] for group in outcome.report["groups"]] == ["file-too-demanding"]
    assert "took more than 2 seconds, and" in outcome.report["groups"][0]["shown"][0]["message"]


def test_processor_time_is_limited_apart_from_the_clock(write, out, circo):
    outcome = check_file(write(SLOW), circo.public_root, out, limits=replace(Limits(), cpu_s=2))
    assert outcome.failure == "timeout"
    assert "2 seconds of processor time" in outcome.report["groups"][0]["shown"][0]["message"]


def test_a_huge_id_is_reported_in_a_few_words(write, out, circo):
    outcome = check_file(write(b'{"0": ["' + b"9" * 10_000_000 + b'"]}'), circo.public_root, out)
    assert outcome.status == "rejected"
    messages = [problem["message"] for group in outcome.report["groups"] for problem in group["shown"]]
    assert max(map(len, messages)) < 200


def test_a_sentence_around_a_huge_id_stays_whole(write, pinpoint):
    reading = read_run(write({"k" * 1_000_000: {"z" * 1_000_000: 1, "retrieved_items": []}}), pinpoint)
    (problem,) = reading.problems.kept["list-key-unknown"]
    assert problem.message.startswith("In query kk")
    assert problem.message.endswith("zz is ignored.")
    assert len(problem.message) < 250


def test_a_small_file_does_not_become_a_large_table(write, out, pinpoint):
    inner = b",".join(b'"a%d":1' % number for number in range(10_000))
    content = b'{"' + b"k" * 120_000 + b'": {' + inner + b', "retrieved_items": []}}'
    outcome = check_file(write(content), pinpoint.public_root, out)
    assert outcome.status == "rejected"
    assert outcome.problems_csv.stat().st_size < 10_000_000


def test_a_table_of_very_many_problems_says_how_many_it_leaves_out(tmp_path):
    log = ProblemLog()
    for code in list(KINDS)[:8]:
        for number in range(KEPT_PER_CODE + 1):
            log.report(code, f"{number} {'m' * 400}")
    path = tmp_path / "problems.csv"
    write_problems_csv(path, log)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert path.stat().st_size < MOST_BYTES + 10_000
    left_out = 8 * (KEPT_PER_CODE + 1) - (len(lines) - 2)
    assert lines[-1] == f',,"{left_out:,} problems are left out here: the table would be too large."'


def test_output_past_the_limit_is_the_files_doing(write, out, circo):
    lists = {str(number): [f"x{entry}" for entry in range(300)] for number in range(3)}
    script = """
        import resource, sys
        from pathlib import Path
        from evaluator.formats.isolated import check_file
        resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))
        outcome = check_file(*map(Path, sys.argv[1:]))
        print(outcome.failure, *[group["code"] for group in outcome.report["groups"]])
    """
    command = [sys.executable, "-c", textwrap.dedent(script), str(write(lists)), str(circo.public_root), str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["output", "file-too-demanding"]


def test_limits_reach_the_child(write, out, circo, circo_lists):
    outcome = check_file(write(circo_lists), circo.public_root, out, limits=replace(Limits(), packed_bytes=5))
    assert [group["code"] for group in outcome.report["groups"]] == ["file-too-large"]


def test_a_bundle_that_is_not_there_is_our_fault(write, out, tmp_path):
    with pytest.raises(CheckerError, match=r"benchmark\.toml does not exist"):
        check_file(write({}), tmp_path / "nowhere", out)


def test_a_protocol_that_is_not_there_is_our_fault(write, out, circo):
    with pytest.raises(CheckerError, match="no protocol"):
        check_file(write({}), circo.public_root, out, protocol="other")


def test_a_check_that_had_no_time_to_start_is_our_fault(write, out, circo):
    with pytest.raises(CheckerError, match="did not start"):
        check_file(write({}), circo.public_root, out, limits=replace(Limits(), wall_s=0.001))


def test_nothing_of_the_callers_environment_is_passed_on(monkeypatch):
    monkeypatch.setenv("CIRBOARD_SECRET_KEY", "hush")
    assert "CIRBOARD_SECRET_KEY" not in ENVIRONMENT
    assert not {name for name in ENVIRONMENT if "SECRET" in name or "DATABASE" in name}


CALLER = """
    import sys
    from pathlib import Path
    from evaluator.formats.isolated import check_file
    check_file(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]))
"""


def test_the_child_dies_with_a_caller_that_is_killed(write, out, circo):
    arguments = [str(write(SLOW)), str(circo.public_root), str(out)]
    caller = subprocess.Popen([sys.executable, "-c", textwrap.dedent(CALLER), *arguments])
    child = wait_for(lambda: next(iter(psutil.Process(caller.pid).children()), None))
    wait_for(lambda: child.cpu_times().user > 0.5)
    assert os.getsid(child.pid) == child.pid
    assert child.environ().keys() == ENVIRONMENT.keys()
    caller.send_signal(signal.SIGKILL)
    caller.wait()
    psutil.wait_procs([child], timeout=5)
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


def wait_for(found, limit_s=20.0):
    end, never = time.monotonic() + limit_s, threading.Event()
    while time.monotonic() < end:
        if value := found():
            return value
        never.wait(0.01)
    raise AssertionError("it did not happen in time")
