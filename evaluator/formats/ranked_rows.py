"""Runs that are tables with one row per image: rows to lists, ordered by rank."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evaluator.formats.entries import offsets_of
from evaluator.formats.problems import ProblemLog
from evaluator.formats.result_format import RawColumns
from evaluator.formats.wording import counted

Ints = NDArray[np.int64]
FIRST_RANKS = (0, 1)


@dataclass(frozen=True, slots=True)
class RankedRows:
    """A table of a run in columns.

    Attributes:
        keys: (L,) different query ids as the file writes them.
        queries: (N,) int32 positions in ``keys``.
        texts: (U,) different image ids as the file writes them.
        images: (N,) int32 positions in ``texts``.
        ranks: (N,) int, from 0 or from 1.
        scores: (N,) float64, or None where the file has none.
    """

    keys: list[str]
    queries: NDArray[np.int32]
    texts: pa.Array
    images: NDArray[np.int32]
    ranks: Ints
    scores: NDArray[np.float64] | None = None


def lists_of_rows(rows: RankedRows, log: ProblemLog) -> RawColumns:
    """Order the rows of each query by rank, and report ranks that leave the order open and scores that deny it."""
    order = _order(rows.queries, rows.ranks)
    queries, ranks, images, scores = rows.queries, rows.ranks, rows.images, rows.scores
    if order is not None:
        queries, ranks, images = queries[order], ranks[order], images[order]
        scores = None if scores is None else scores[order]
    _check_ranks(rows.keys, queries, ranks, log)
    if scores is not None:
        _check_scores(rows.keys, queries, ranks, scores, log)
    lengths = np.bincount(queries, minlength=len(rows.keys))
    return RawColumns(rows.keys, offsets_of(lengths), images, rows.texts)


def _order(queries: NDArray[np.int32], ranks: Ints) -> Ints | None:
    """The order by query and rank, None where the rows stand in it already."""
    places = (queries.astype(np.int64) << 32) + ranks
    return None if (places[1:] >= places[:-1]).all() else np.argsort(places, kind="stable")


def _check_ranks(keys: list[str], queries: NDArray[np.int32], ranks: Ints, log: ProblemLog) -> None:
    begins = np.ones(len(queries), np.bool_)
    begins[1:] = queries[1:] != queries[:-1]
    step = np.diff(ranks, prepend=0)
    for row in log.keep_first("rank-repeated", np.flatnonzero(~begins & (step == 0))):
        query, rank = keys[queries[row]], int(ranks[row])
        log.report("rank-repeated", f"Query {query} has rank {rank} more than once.", query=query, rank=rank)
    gaps = np.flatnonzero(np.where(begins, ~np.isin(ranks, FIRST_RANKS), step > 1))
    for row in log.keep_first("rank-gap", gaps):
        query, rank = keys[queries[row]], int(ranks[row])
        before = "begins" if begins[row] else f"goes on from rank {ranks[row - 1]}"
        expected = "0 or 1" if begins[row] else str(int(ranks[row - 1]) + 1)
        message = f"The list of query {query} {before} with rank {rank}."
        log.report("rank-gap", message, query=query, rank=rank, value=str(rank), expected=f"rank {expected}")


def _check_scores(
    keys: list[str], queries: NDArray[np.int32], ranks: Ints, scores: NDArray[np.float64], log: ProblemLog
) -> None:
    same_query = queries[1:] == queries[:-1]
    for row in log.keep_first("trec-rank-score", np.flatnonzero(same_query & (scores[1:] > scores[:-1])) + 1):
        query, rank, above = keys[queries[row]], int(ranks[row]), int(ranks[row - 1])
        log.report(
            "trec-rank-score",
            f"Query {query}: rank {rank} has score {scores[row]:g}, above the {scores[row - 1]:g} of rank {above}.",
            query=query,
            rank=rank,
            value=repr(float(scores[row])),
            expected=f"at most {float(scores[row - 1])!r}",
        )
    ties = np.flatnonzero(same_query & (scores[1:] == scores[:-1])) + 1
    if len(ties):
        query, rank = keys[queries[ties[0]]], int(ranks[ties[0]])
        n_ties = counted(len(ties), "entry has", "entries have")
        message = f"{n_ties} the score of the entry before; the first is query {query}, rank {rank}."
        log.report("trec-tie", message, query=query, rank=rank, value=repr(float(scores[ties[0]])))
