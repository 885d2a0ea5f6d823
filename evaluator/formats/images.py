"""Sixth step of a check: images that stand twice in a list, or in a list where they should not."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evaluator.formats.entries import Entries
from evaluator.formats.problems import ProblemLog
from evaluator.formats.result_format import ResultFormat
from evaluator.formats.vocabulary import NULL, Vocabulary
from evaluator.public.bundle import Benchmark

Ints = NDArray[np.int64]


def check_places(
    entries: Entries, vocabulary: Vocabulary, benchmark: Benchmark, result_format: ResultFormat, log: ProblemLog
) -> None:
    """Report repeated images, reference images, excluded images, and images of other galleries."""
    same = vocabulary.bare.dictionary_encode()
    names = same.dictionary
    code_of_text = np.append(to_ints(same.indices), NULL)
    images = code_of_text[vocabulary.codes]
    _report_repeated(entries, vocabulary, images, log)
    for column, code, what, hint in (
        ("reference_images", "reference-in-list", "the reference image of this query", result_format.reference_note),
        ("exclude", "image-excluded", "excluded for this query", ""),
    ):
        found = _entries_named(entries, images, names, benchmark.query_table.column(column).combine_chunks())
        _report_found(found, code, what, hint, entries, vocabulary, log)
    if benchmark.manifest.gallery_policy == "closed" and len(benchmark.gallery_ids) > 1:
        found = _entries_outside_gallery(entries, images, names, benchmark)
        _report_found(found, "image-outside-gallery", "not in the gallery of this query", "", entries, vocabulary, log)


def _report_repeated(entries: Entries, vocabulary: Vocabulary, images: Ints, log: ProblemLog) -> None:
    repeats, firsts = _find_repeats(entries, images)
    for place in log.keep_first("image-repeated", np.arange(len(repeats))):
        entry, first = int(repeats[place]), int(firsts[place])
        query, rank = entries.place(entry)
        first_rank = entries.place(first)[1]
        text, first_text = vocabulary.text(entry), vocabulary.text(first)
        written = "" if text == first_text else f', written "{first_text}"'
        log.report(
            "image-repeated",
            f"Query {query}, rank {rank}: {text} already stands at rank {first_rank}{written}.",
            query=query,
            rank=rank,
            value=text,
            expected="each image once",
            hint=f"Drop it here; rank {first_rank} stays.",
        )


def _find_repeats(entries: Entries, images: Ints) -> tuple[Ints, Ints]:
    """Entries whose image stands earlier in the same list, in file order, and that earlier entry for each."""
    chosen = np.flatnonzero(images != NULL)
    keys = _keys(entries, images)[chosen]
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    is_repeat = np.zeros(len(keys), bool)
    is_repeat[1:] = keys[1:] == keys[:-1]
    first = np.maximum.accumulate(np.where(is_repeat, 0, np.arange(len(keys))))
    repeats, firsts = chosen[order[is_repeat]], chosen[order[first[is_repeat]]]
    by_entry = np.argsort(repeats)
    return repeats[by_entry], firsts[by_entry]


def _keys(entries: Entries, images: Ints) -> Ints:
    """(N,) one number for each pair of list and image; entries that are no ids share the list's last number."""
    width = int(images.max(initial=0)) + 2
    keys: Ints = entries.list_of() * width + np.where(images == NULL, width - 1, images)
    return keys


def _entries_named(entries: Entries, images: Ints, names: pa.Array, named: pa.Array) -> Ints:
    """Entries that hold an image which their own query names.

    Args:
        entries: The lists.
        images: (N,) place of each entry's image in ``names``.
        names: (W,) different images.
        named: (Q,) for each query of the benchmark, a list of image ids.
    """
    per_list = named.take(pa.array(entries.queries))
    lists = to_ints(pc.list_parent_indices(per_list))
    codes = to_ints(pc.index_in(pc.list_flatten(per_list), value_set=names).fill_null(NULL))
    width = int(images.max(initial=0)) + 2
    wanted = (lists * width + codes)[codes != NULL]
    return np.flatnonzero(_is_in(_keys(entries, images), np.unique(wanted)))


def _entries_outside_gallery(entries: Entries, images: Ints, names: pa.Array, benchmark: Benchmark) -> Ints:
    """Entries whose image is in some gallery, but not in that of their query."""
    table, gallery_ids = benchmark.gallery_table, pa.array(benchmark.gallery_ids)
    width = len(benchmark.image_ids)
    members = to_ints(pc.index_in(table.column("gallery_id"), value_set=gallery_ids)) * width
    members += to_ints(pc.index_in(table.column("image_id"), value_set=benchmark.image_ids))
    asked = to_ints(pc.index_in(benchmark.query_table.column("gallery_id"), value_set=gallery_ids))
    place = np.append(to_ints(pc.index_in(names, value_set=benchmark.image_ids).fill_null(NULL)), NULL)[images]
    keys = asked[entries.queries[entries.list_of()]] * width + place
    return np.flatnonzero((place != NULL) & ~_is_in(keys, np.sort(members)))


def _is_in(keys: Ints, ascending: Ints) -> NDArray[np.bool_]:
    if not len(ascending):
        return np.zeros(len(keys), bool)
    places = np.minimum(np.searchsorted(ascending, keys), len(ascending) - 1)
    found: NDArray[np.bool_] = ascending[places] == keys
    return found


def _report_found(
    found: Ints, code: str, what: str, hint: str, entries: Entries, vocabulary: Vocabulary, log: ProblemLog
) -> None:
    for entry in log.keep_first(code, found):
        query, rank = entries.place(entry)
        text = vocabulary.text(entry)
        log.report(
            code, f"Query {query}, rank {rank}: {text} is {what}.", query=query, rank=rank, value=text, hint=hint
        )


def to_ints(values: pa.Array) -> Ints:
    """An Arrow column of integers as NumPy's int64."""
    numbers: Ints = values.to_numpy(zero_copy_only=False) if isinstance(values, pa.Array) else values.to_numpy()
    return numbers.astype(np.int64)
