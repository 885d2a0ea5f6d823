"""Fifth step of a check: every different image id of a file, looked at once."""

import re
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evaluator.formats.entries import NULL, Entries
from evaluator.formats.nearest import NearestIds
from evaluator.formats.problems import ProblemLog
from evaluator.formats.result_format import ResultFormat
from evaluator.public.bundle import Benchmark

KNOWN, FORM, UNKNOWN, ILL_FORMED = range(4)
_CODES = {FORM: "image-id-form", UNKNOWN: "image-unknown", ILL_FORMED: "image-ill-formed"}


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The different ids of a file.

    Attributes:
        texts: (U,) ids as the file writes them.
        codes: (N,) int32 place in ``texts`` of each entry, `NULL` where it is no id.
        bare: (U,) ids as the benchmark would write them.
        states: (U,) KNOWN; FORM, a valid id written otherwise; UNKNOWN, not in the closed gallery; or ILL_FORMED, no
            id that an open gallery could hold.
    """

    texts: pa.Array
    codes: NDArray[np.int32]
    bare: pa.Array
    states: NDArray[np.int8]

    def text(self, entry: int) -> str:
        """The id of an entry as the file writes it."""
        written: str = self.texts[int(self.codes[entry])].as_py()
        return written


def look_up_ids(entries: Entries, benchmark: Benchmark, result_format: ResultFormat, log: ProblemLog) -> Vocabulary:
    """Look at every different id and report, for each entry, what is wrong with it."""
    look_up = _look_up_closed if benchmark.manifest.gallery_policy == "closed" else _look_up_open
    bare, states = look_up(entries.texts, benchmark, result_format)
    vocabulary = Vocabulary(entries.texts, entries.codes, bare, states)
    if states.any():
        _report(entries, vocabulary, benchmark, log)
    return vocabulary


def _look_up_closed(
    texts: pa.Array, benchmark: Benchmark, result_format: ResultFormat
) -> tuple[pa.Array, NDArray[np.int8]]:
    known = to_bools(pc.is_in(texts, value_set=benchmark.image_ids))
    states = np.where(known, KNOWN, UNKNOWN).astype(np.int8)
    strangers = np.flatnonzero(~known).tolist()
    if not strangers:
        return texts, states
    bare = texts.to_pylist()
    for place in strangers:
        bare[place] = result_format.bare_id(bare[place])
    bare_ids = pa.array(bare, pa.string())
    states[~known & to_bools(pc.is_in(bare_ids, value_set=benchmark.image_ids))] = FORM
    return bare_ids, states


def _look_up_open(
    texts: pa.Array, benchmark: Benchmark, result_format: ResultFormat
) -> tuple[pa.Array, NDArray[np.int8]]:
    is_id = re.compile(benchmark.manifest.image_id_pattern).fullmatch
    written = texts.to_pylist()
    bare = [result_format.bare_id(text) for text in written]
    states = np.fromiter(
        (
            ILL_FORMED if not is_id(name) else KNOWN if name == text else FORM
            for name, text in zip(bare, written, strict=True)
        ),
        np.int8,
        len(bare),
    )
    return pa.array(bare, pa.string()), states


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
        expected = f"an id of the form {benchmark.manifest.image_id_pattern}"
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


def to_bools(values: pa.Array) -> NDArray[np.bool_]:
    """An Arrow column of booleans as NumPy's."""
    found: NDArray[np.bool_] = values.to_numpy(zero_copy_only=False).astype(bool)
    return found
