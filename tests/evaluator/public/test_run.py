"""The canonical run: its digest speaks of ids and ranks, not of how they are stored."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.public.run import Run, load_run, run_from_lists, save_run

IDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
LISTS = st.dictionaries(IDS, st.lists(IDS, max_size=6), min_size=1, max_size=6)


@given(lists=LISTS, data=st.data())
def test_neither_the_order_of_queries_nor_the_vocabulary_changes_the_digest(lists, data):
    run = run_from_lists(lists)
    assert run_from_lists(dict(data.draw(st.permutations(list(lists.items()))))).digest == run.digest
    order = data.draw(st.permutations(range(len(run.image_ids))))
    ids = [*run.image_ids.to_pylist(), "in no list"]
    shuffled = pa.array([ids[place] for place in order] + ["in no list"], pa.string())
    place_of = np.argsort(np.array(order, np.int64)).astype(np.int32)
    assert Run(run.query_ids, shuffled, run.offsets, place_of[run.items]).digest == run.digest


@given(one=LISTS, other=LISTS)
def test_two_runs_have_one_digest_only_if_they_hold_the_same_lists(one, other):
    assert (run_from_lists(one).digest == run_from_lists(other).digest) == (one == other)


@pytest.mark.parametrize(
    "other",
    [
        {"q1": ["a", "b"], "q2": ["c"]},
        {"q1": ["a"], "q2": ["b", "c"]},
        {"q1": ["ab"], "q2": ["c"]},
        {"q1": ["b", "a"], "q2": ["c"]},
        {"q2": ["a", "b"], "q1": ["c"]},
        {"q1": ["a", "b"], "q2c": []},
        {"q1": ["a", "b", "c"]},
    ],
)
def test_what_looks_alike_end_to_end_is_told_apart(other):
    assert (run_from_lists({"q1": ["a", "b"], "q2": ["c"]}).digest == run_from_lists(other).digest) == (
        other == {"q1": ["a", "b"], "q2": ["c"]}
    )


def test_the_digest_is_this_on_every_machine_and_for_ever():
    digest = run_from_lists({"q2": ["é", "a"], "q1": ["b", "a"]}).digest
    assert digest == "d983a8daa7e04a5718dacab79f9a8035a80f4e7ce891147b2a46e32d388eafa5"


@given(lists=LISTS)
def test_a_saved_run_is_the_same_when_loaded(lists, tmp_path_factory):
    path = tmp_path_factory.mktemp("run") / "run.npz"
    run = run_from_lists(lists)
    save_run(path, run)
    loaded = load_run(path)
    assert loaded.digest == run.digest
    assert [loaded.ranked(query) for query in range(loaded.n_queries)] == list(lists.values())
