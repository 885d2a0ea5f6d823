"""Fifth step of a check: every different image id of a file, looked at once."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evaluator.formats.entries import NULL, Entries
from evaluator.formats.nearest import NearestIds
from evaluator.formats.problems import ProblemLog
from evaluator.formats.result_format import ResultFormat
from evaluator.public.bundle import Benchmark
from evaluator.public.id_patterns import match_ids
from evaluator.public.lookup import positions_in

KNOWN, FORM, UNKNOWN, ILL_FORMED = range(4)
_CODES = {FORM: "image-id-form", UNKNOWN: "image-unknown", ILL_FORMED: "image-ill-formed"}


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The different ids of a file.

    Attributes:
        texts: (U,) ids as the file writes them.
        codes: (N,) int32 place in ``texts`` of each entry, `NULL` where it is no id.
        bare: (U,) ids as the benchmark would write them.
        places: (U,) int, position in the benchmark's image ids of the image that each stands for, -1 for none.
        states: (U,) KNOWN; FORM, a valid id written otherwise; UNKNOWN, not in the closed gallery; or ILL_FORMED, no
            id that an open gallery could hold.
    """

    texts: pa.Array
    codes: NDArray[np.int32]
    bare: pa.Array
    places: NDArray[np.int64]
    states: NDArray[np.int8]

    def text(self, entry: int) -> str:
        """The id of an entry as the file writes it."""
        written: str = self.texts[int(self.codes[entry])].as_py()
        return written


def look_up_ids(entries: Entries, benchmark: Benchmark, result_format: ResultFormat, log: ProblemLog) -> Vocabulary:
    """Look at every different id and report, for each entry, what is wrong with it."""
    look_up = _look_up_closed if benchmark.manifest.gallery_policy == "closed" else _look_up_open
    bare, places, states = look_up(entries.texts, benchmark, result_format)
    vocabulary = Vocabulary(entries.texts, entries.codes, bare, places, states)
    if states.any():
        _report(entries, vocabulary, benchmark, log)
    return vocabulary


def _look_up_closed(
    texts: pa.Array, benchmark: Benchmark, result_format: ResultFormat
) -> tuple[pa.Array, NDArray[np.int64], NDArray[np.int8]]:
    places = benchmark.places_of(texts)
    states = np.where(places >= 0, KNOWN, UNKNOWN).astype(np.int8)
    strangers = np.flatnonzero(places < 0)
    if not len(strangers):
        return texts, places, states
    bare = texts.to_pylist()
    for number in strangers.tolist():
        bare[number] = result_format.bare_id(bare[number])
    bare_ids = pa.array(bare, pa.string())
    places[strangers] = positions_in(bare_ids.take(pa.array(strangers)), benchmark.image_ids)
    states[strangers[places[strangers] >= 0]] = FORM
    return bare_ids, places, states


def _look_up_open(
    texts: pa.Array, benchmark: Benchmark, result_format: ResultFormat
) -> tuple[pa.Array, NDArray[np.int64], NDArray[np.int8]]:
    written = texts.to_pylist()
    bare = [result_format.bare_id(text) for text in written]
    is_same = np.fromiter((name == text for name, text in zip(bare, written, strict=True)), np.bool_, len(bare))
    bare_ids = pa.array(bare, pa.string())
    is_id = match_ids(benchmark.manifest.image_id_pattern, bare_ids)
    states = np.where(is_id, np.where(is_same, KNOWN, FORM), ILL_FORMED).astype(np.int8)
    return bare_ids, np.full(len(bare), -1), states


def _report(entries: Entries, vocabulary: Vocabulary, benchmark: Benchmark, log: ProblemLog) -> None:
    states = np.where(vocabulary.codes == NULL, KNOWN, vocabulary.states[vocabulary.codes])
    closed = benchmark.manifest.gallery_policy == "closed"
    nearest = NearestIds(benchmark.image_ids.to_pylist() if closed else ())
    for state, code in _CODES.items():
        found = np.flatnonzero(states == state)
        for entry in log.keep_first(code, found):
            _report_entry(state, entry, entries, vocabulary, benchmark, nearest, log)


def _report_entry(
    state: int,
    entry: int,
    entries: Entries,
    vocabulary: Vocabulary,
    benchmark: Benchmark,
    nearest: NearestIds,
    log: ProblemLog,
) -> None:
    query, rank = entries.place(entry)
    text = vocabulary.text(entry)
    bare = vocabulary.bare[int(vocabulary.codes[entry])].as_py()
    if state == FORM:
        message, expected, hint = f'"{text}" stands for {bare}.', bare, ""
    elif state == UNKNOWN:
        expected = f"one of the {len(benchmark.image_ids):,} images of the gallery"
        message, hint = f"{text} is not in the gallery.", nearest.hint(text)
    else:
        expected = f"an id that matches the regular expression {benchmark.manifest.image_id_pattern}"
        message, hint = f'"{text}" cannot be an image id.', nearest.hint(bare)
    log.report(
        _CODES[state],
        f"Query {query}, rank {rank}: {message}",
        query=query,
        rank=rank,
        value=text if state == UNKNOWN else f'"{text}"',
        expected=expected,
        hint=hint,
    )
