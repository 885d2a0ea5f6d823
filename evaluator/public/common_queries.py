"""Two runs cut down to the queries that both answer."""

from collections.abc import Collection

import numpy as np

from evaluator.public.lists import RunMismatchError
from evaluator.public.run import Run


def on_common_queries(run: Run, other: Run) -> tuple[Run, Run]:
    """Leave out the lists of queries that only one of two runs answers.

    Raises:
        RunMismatchError: If no query is answered by both.

    Example:
        >>> from evaluator.public.run import run_from_lists
        >>> one, two = on_common_queries(run_from_lists({"q1": ["a"], "q2": ["b"]}), run_from_lists({"q2": ["c"]}))
        >>> one.query_ids, one.ranked(0), two.query_ids
        (('q2',), ['b'], ('q2',))
    """
    common = set(run.query_ids).intersection(other.query_ids)
    if not common:
        raise RunMismatchError("no query is answered by both runs, so there is nothing to compare")
    return _only(run, common), _only(other, common)


def _only(run: Run, query_ids: Collection[str]) -> Run:
    rows = [row for row, query_id in enumerate(run.query_ids) if query_id in query_ids]
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(run.lengths[rows])])
    items = np.concatenate([run.items[run.offsets[row] : run.offsets[row + 1]] for row in rows])
    return Run(tuple(run.query_ids[row] for row in rows), run.image_ids, offsets, items)
