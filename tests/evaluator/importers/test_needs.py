import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.importers.needs import Wording, derive_needs


def positives(*images):
    return frozenset(images)


def test_neighbours_with_the_same_positives_word_the_same_need():
    assert derive_needs([Wording(1, ("a",), positives("p")), Wording(2, ("b",), positives("p"))]) == [1, 1]


def test_neighbours_with_the_same_images_word_the_same_need_although_judged_apart():
    assert derive_needs([Wording(1, ("a", "b"), positives("p")), Wording(2, ("a", "b"), positives("q"))]) == [1, 1]


def test_the_order_of_the_two_images_matters():
    assert derive_needs([Wording(1, ("a", "b"), positives("p")), Wording(2, ("b", "a"), positives("q"))]) == [1, 2]


@pytest.mark.parametrize(("second", "expected"), [(7, [1, 1]), (8, [1, 8])])
def test_queries_more_than_six_numbers_apart_are_not_connected(second, expected):
    assert derive_needs([Wording(1, ("a",), positives("p")), Wording(second, ("a",), positives("p"))]) == expected


def test_connections_chain():
    numbers = [1, 7, 13, 19]
    assert derive_needs([Wording(number, ("a",), positives("p")) for number in numbers]) == [1, 1, 1, 1]


@pytest.mark.parametrize(("n_positive_sets", "is_connected"), [(19, True), (20, False)])
def test_an_image_with_twenty_positive_sets_is_a_substitute_and_connects_nothing(n_positive_sets, is_connected):
    wordings = [Wording(number, ("stand-in",), positives(str(number))) for number in range(1, n_positive_sets + 1)]
    needs = derive_needs(wordings)
    assert (set(needs) == {1}) == is_connected
    assert is_connected or needs == list(range(1, n_positive_sets + 1))


def test_a_substitute_still_connects_through_the_same_positives():
    others = [Wording(number, ("stand-in",), positives(str(number))) for number in range(100, 120)]
    assert derive_needs(
        [*others, Wording(1, ("stand-in",), positives("p")), Wording(2, ("stand-in",), positives("p"))]
    )[-2:] == [1, 1]


@given(
    rows=st.lists(
        st.tuples(st.integers(1, 60), st.sampled_from("ab"), st.sampled_from("pqr")),
        unique_by=lambda row: row[0],
        max_size=25,
    ),
    data=st.data(),
)
def test_needs_are_the_connected_components_whatever_the_order(rows, data):
    shuffled = data.draw(st.permutations(rows))
    needs = derive_needs([Wording(number, (image,), positives(label)) for number, image, label in shuffled])
    found = {row[0]: need for row, need in zip(shuffled, needs, strict=True)}
    assert found == {row[0]: min(_reachable(row, rows)) for row in rows}


def _reachable(start, rows):
    reached, edge = {start[0]}, [start]
    while edge:
        number, image, label = edge.pop()
        for other in rows:
            near = abs(other[0] - number) <= 6 and (other[1] == image or other[2] == label)
            if near and other[0] not in reached:
                reached.add(other[0])
                edge.append(other)
    return reached
