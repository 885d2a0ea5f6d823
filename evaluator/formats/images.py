"""Sixth step of a check: images that stand twice in a list, or in a list where they should not."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evaluator.formats.entries import NULL, Entries
from evaluator.formats.problems import ProblemLog
from evaluator.formats.result_format import ResultFormat
from evaluator.formats.vocabulary import Vocabulary
from evaluator.public.bundle import Benchmark
from evaluator.public.lists import has_repeats
from evaluator.public.lookup import positions_in
from evaluator.public.manifest import Protocol
from evaluator.public.membership import outside_gallery
from evaluator.public.pairs import pairs_of

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]


def check_places(
    entries: Entries,
    vocabulary: Vocabulary,
    benchmark: Benchmark,
    rules: Protocol,
    result_format: ResultFormat,
    log: ProblemLog,
) -> None:
    """Report repeated images, reference images, excluded images, and images of other galleries.

    Where the whole gallery must be ranked, a reference image that is in it belongs into the list.
    """
    images, names = _images(vocabulary)
    _report_repeated(entries, vocabulary, images, log)
    references, excluded = (
        _entries_named(entries, images, names, benchmark.query_table.column(column).combine_chunks())
        for column in ("reference_images", "exclude")
    )
    reference, note = "the reference image of this query", result_format.reference_note
    allowed = np.empty(0, np.int64) if rules.full_gallery else np.setdiff1d(references, excluded)
    for found, code, what, hint in (
        (allowed, "reference-in-list", reference, note),
        (np.intersect1d(references, excluded), "image-excluded", f"{reference}, which may not be returned", note),
        (np.setdiff1d(excluded, references), "image-excluded", "excluded for this query", ""),
    ):
        _report_found(found, code, what, hint, entries, vocabulary, log)
    if benchmark.manifest.gallery_policy == "closed" and len(benchmark.gallery_ids) > 1:
        places = vocabulary.places if names is vocabulary.texts else benchmark.places_of(names)
        strays = outside_gallery(benchmark, entries.queries[entries.list_of], images, places)
        found = np.flatnonzero(strays & np.append(places >= 0, False)[images])
        _report_found(found, "image-outside-gallery", "not in the gallery of this query", "", entries, vocabulary, log)


def _images(vocabulary: Vocabulary) -> tuple[Codes, pa.Array]:
    """(N,) the image of each entry, however it is written, `NULL` for none; and the different images."""
    if not vocabulary.states.any():
        return vocabulary.codes, vocabulary.texts
    same = vocabulary.bare.dictionary_encode()
    code_of_text = np.append(same.indices.to_numpy(zero_copy_only=False).astype(np.int32), np.int32(NULL))
    return code_of_text[vocabulary.codes], same.dictionary


def _report_repeated(entries: Entries, vocabulary: Vocabulary, images: Codes, log: ProblemLog) -> None:
    repeats, firsts = _find_repeats(entries, images)
    for place in log.keep_first("image-repeated", np.arange(len(repeats))):
        entry, first = int(repeats[place]), int(firsts[place])
        query, rank = entries.place(entry)
        first_rank = entries.place(first)[1]
        text, first_text = vocabulary.text(entry), vocabulary.text(first)
        is_same = text == first_text
        named, written = (text, "") if is_same else (f'"{text}"', f', written "{first_text}"')
        log.report(
            "image-repeated",
            f"Query {query}, rank {rank}: {named} already stands at rank {first_rank}{written}.",
            query=query,
            rank=rank,
            value=text,
            expected="each image once",
            hint=f"Drop it here; rank {first_rank} stays.",
        )


def _find_repeats(entries: Entries, images: Codes) -> tuple[Ints, Ints]:
    """Entries whose image stands earlier in the same list, in file order, and that earlier entry for each."""
    chosen = np.flatnonzero(np.repeat(_lists_with_repeats(entries, images), entries.lengths) & (images != NULL))
    keys = entries.list_of[chosen].astype(np.int64) * (int(images.max(initial=0)) + 1) + images[chosen]
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    is_repeat = np.zeros(len(keys), bool)
    is_repeat[1:] = keys[1:] == keys[:-1]
    first = np.maximum.accumulate(np.where(is_repeat, 0, np.arange(len(keys))))
    repeats, firsts = chosen[order[is_repeat]], chosen[order[first[is_repeat]]]
    by_entry = np.argsort(repeats)
    return repeats[by_entry], firsts[by_entry]


def _lists_with_repeats(entries: Entries, images: Codes) -> NDArray[np.bool_]:
    """(L,) bool. Lists of one length are looked at together, which takes a tenth of the time of one by one."""
    found = np.zeros(len(entries.keys), np.bool_)
    for length in np.unique(entries.lengths).tolist():
        rows = np.flatnonzero(entries.lengths == length)
        if length > 1:
            starts = entries.offsets[rows]
            is_block = len(rows) * length == len(images)
            block = images.reshape(len(rows), length) if is_block else images[starts[:, None] + np.arange(length)]
            found[rows] = has_repeats(block)
    return found


def _entries_named(entries: Entries, images: Codes, names: pa.Array, named: pa.Array) -> Ints:
    """Entries that hold an image which their own query names.

    Args:
        entries: The lists.
        images: (N,) place of each entry's image in ``names``.
        names: (W,) different images.
        named: (Q,) for each query of the benchmark, a list of image ids.
    """
    per_list = named.take(pa.array(entries.queries))
    lists = np.asarray(pc.list_parent_indices(per_list).to_numpy(zero_copy_only=False), np.int64)
    pairs = pairs_of(lists, positions_in(pc.list_flatten(per_list), names), len(names))
    return np.flatnonzero(pairs.holds(entries.list_of, images))


def _report_found(
    found: Ints, code: str, what: str, hint: str, entries: Entries, vocabulary: Vocabulary, log: ProblemLog
) -> None:
    for entry in log.keep_first(code, found):
        query, rank = entries.place(entry)
        text = vocabulary.text(entry)
        log.report(
            code, f"Query {query}, rank {rank}: {text} is {what}.", query=query, rank=rank, value=text, hint=hint
        )
