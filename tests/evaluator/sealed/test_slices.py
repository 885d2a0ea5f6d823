import pyarrow as pa
import pytest

from evaluator.public.bundle import BundleError
from evaluator.sealed.ground_truth import GroundTruth, load_ground_truth
from evaluator.sealed.slices import read_axis, read_units
from tests.evaluator.small_bundle import write_small_bundle


@pytest.fixture
def benchmark(tmp_path):
    return write_small_bundle(tmp_path / "small")


@pytest.fixture
def truth(benchmark):
    return load_ground_truth(benchmark.public_root.parent / "sealed")


def backwards(truth):
    rows = truth.slices.num_rows
    return GroundTruth(truth.judgements, truth.slices.take(pa.array(range(rows - 1, -1, -1))))


def test_a_public_axis_gives_a_query_each_of_its_values(benchmark, truth):
    axis = read_axis(benchmark, truth, "colour")
    assert axis.values == ("red", "blue")
    assert list(zip(axis.queries.tolist(), axis.codes.tolist(), strict=True)) == [
        (0, 0),
        (0, 1),
        (1, 0),
        (2, 0),
        (3, 0),
    ]


@pytest.mark.parametrize("reorder", [lambda truth: truth, backwards])
def test_a_sealed_axis_follows_the_queries_whatever_the_order_of_its_rows(benchmark, truth, reorder):
    units = read_units(benchmark, reorder(truth), "need")
    assert units.values == ("first", "second", "third")
    assert units.codes.tolist() == [0, 0, 1, 2]


def test_queries_can_be_their_own_units(benchmark, truth):
    assert read_units(benchmark, truth, "query").codes.tolist() == [0, 1, 2, 3]


def test_an_axis_with_several_values_for_a_query_is_no_unit(benchmark, truth):
    with pytest.raises(BundleError, match="exactly one value on the axis 'colour'"):
        read_units(benchmark, truth, "colour")


def test_an_absent_axis_is_named(benchmark, truth):
    with pytest.raises(BundleError, match="no axis 'shape'"):
        read_axis(benchmark, truth, "shape")
