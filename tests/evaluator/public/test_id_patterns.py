"""An organiser's pattern cannot stop a worker, whatever ids a stranger sends."""

import json
import time

import pyarrow as pa
import pytest

from evaluator.formats.read import read_run
from evaluator.importers.source_error import ImportSourceError
from evaluator.public.bundle import load_benchmark
from evaluator.public.id_patterns import LONGEST_PATTERN, IdPatternError, check_id_pattern, match_ids
from evaluator.public.manifest import ManifestError
from tests.evaluator.small_bundle import write_small_bundle

SLOW_BY_BACKTRACKING = ("(a+)+", "(a|aa)+", "(a|a)*b", "(.*a){20}", "([a-z]+)*[0-9]", "a*a*a*a*a*a*b")


@pytest.mark.parametrize("pattern", SLOW_BY_BACKTRACKING)
def test_a_pattern_that_backtracks_takes_time_that_grows_with_the_length_alone(pattern):
    check_id_pattern(pattern)
    begun = time.process_time()
    assert not match_ids(pattern, pa.array(["a" * 50_000 + "!"] * 10)).any()
    assert time.process_time() - begun < 2


def test_a_run_under_a_pattern_that_backtracks_is_checked_at_once(tmp_path):
    benchmark = write_small_bundle(
        tmp_path / "bundle", run_format="lists", gallery_policy="open", image_id_pattern="(i+[0-9]*)+"
    )
    path = tmp_path / "run.json"
    path.write_text(json.dumps({f"q{number}": ["i" * 5_000 + "!", "i4"] for number in range(4)}))
    begun = time.process_time()
    reading = read_run(path, benchmark)
    assert dict(reading.problems.counts) == {"image-ill-formed": 4, "list-short": 1}
    assert time.process_time() - begun < 2


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(", "missing )"),
        ("a)|(b", "unexpected )"),
        ("(a)\\1", "invalid escape sequence: \\1"),
        ("(?=a)b", "invalid perl operator: (?="),
        ("a{99999999999999999999}", "too many repetitions"),
        ("a{2000}", "invalid repetition size: {2000}"),
        ("(a{1000}){1000}", "invalid repetition size"),
        ("a" * (LONGEST_PATTERN + 1), "301 letters"),
        ("\ud800", "surrogates not allowed"),
    ],
)
def test_what_cannot_be_matched_in_linear_time_is_refused_in_words(pattern, why):
    with pytest.raises(IdPatternError) as refused:
        check_id_pattern(pattern)
    assert why in str(refused.value)


def test_a_bundle_with_such_a_pattern_is_not_loaded(tmp_path):
    toml = write_small_bundle(tmp_path / "bundle").public_root / "benchmark.toml"
    toml.write_text(toml.read_text().replace('"i[0-9]+"', '"(?=i)i[0-9]+"'))
    with pytest.raises(ManifestError, match=r"image_id_pattern is no regular expression: invalid perl operator: \(\?="):
        load_benchmark(tmp_path / "bundle")


def test_a_bundle_with_such_a_pattern_is_not_written(tmp_path):
    with pytest.raises(ImportSourceError, match=r"image_id_pattern is no regular expression"):
        write_small_bundle(tmp_path / "bundle", image_id_pattern="(?=i)i[0-9]+")


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        ("a|b", "b", True),
        ("a|b", "ab", False),
        ("a", "a\n", False),
        ("(?s:.*)", "a\nb", True),
        (".{1,300}", "x" * 300, True),
        (".{1,300}", "x" * 301, False),
        (r"[\p{L}\p{N}_.,:/+-]+", "\u00e9t\u00e9/\u0663.jpg", True),
        (r"[\p{L}\p{N}_.,:/+-]+", "a b", False),
        (r"[0-9]+", "\u0661", False),
    ],
)
def test_an_id_matches_as_a_whole(pattern, text, matches):
    assert match_ids(pattern, pa.array([text])).tolist() == [matches]
