import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evaluator.importers.bundle_writer import ImportSourceError, write_bundle
from evaluator.importers.pinpoint import read_pinpoint
from evaluator.sealed.ground_truth import load_ground_truth

ONE = {
    "query_id": "query_00001",
    "query_image_signature": "a" * 32,
    "query_image_signature2": "None",
    "instruction": "in blue",
    "positive_candidates": ["b" * 32, "b" * 32, "c" * 32],
    "negative_candidates": ["d" * 32, "a" * 32, None],
    "token_count": 2,
    "length_category": "short",
    "is_question": False,
    "is_imperative": True,
    "is_single": True,
    "query_category": "Swap",
    "skin_tone_bucket": "UNKNOWN",
    "l1_interest": "Art",
}
TWO = {**ONE, "query_id": "query_00009", "query_image_signature2": "e" * 32, "is_single": False, "is_question": True}


def write_source(folder, entries, gallery="abcde"):
    folder.mkdir(exist_ok=True)
    pq.write_table(pa.Table.from_pylist(entries), folder / "pinpoint_licensed.parquet")
    (folder / "index_signatures.txt").write_text("\n".join(letter * 32 for letter in gallery))
    return folder


@pytest.fixture
def source(tmp_path):
    return write_source(tmp_path / "pinpoint", [ONE, TWO])


def test_queries_are_named_as_result_files_name_them(source, tmp_path):
    benchmark = write_bundle(tmp_path / "out", read_pinpoint(source))
    assert benchmark.query_ids == ("00001", "00009")
    assert len(benchmark.image_ids) == 5


def test_a_second_image_makes_a_query_multi_whatever_is_declared(source, tmp_path):
    one, two = write_bundle(tmp_path / "out", read_pinpoint(source)).queries
    assert one.reference_images == ("a" * 32,)
    assert two.reference_images == ("a" * 32, "e" * 32)
    assert one.slices["images"] == ("single",)
    assert two.slices["images"] == ("multi",)
    assert two.slices["declared_single"] == ("no",)


def test_slices_carry_what_the_organisers_say(source, tmp_path):
    one, _ = write_bundle(tmp_path / "out", read_pinpoint(source)).queries
    expected = {"interest": "Art", "query_category": "Swap", "length": "short", "question": "no", "imperative": "yes"}
    assert {axis: one.slices[axis] for axis in expected} == {axis: (value,) for axis, value in expected.items()}
    assert one.slices["skin_tone"] == ("UNKNOWN",)


def test_repeats_and_none_are_kept_as_listed(source, tmp_path):
    write_bundle(tmp_path / "out", read_pinpoint(source))
    rows = load_ground_truth(tmp_path / "out" / "sealed").judgements.to_pylist()
    judged = [(row["image_id"], row["label"], row["multiplicity"]) for row in rows if row["query_id"] == "00001"]
    assert judged == [
        ("b" * 32, "positive", 2),
        ("c" * 32, "positive", 1),
        ("d" * 32, "hard_negative", 1),
        ("a" * 32, "hard_negative", 1),
        (None, "hard_negative", 1),
    ]


def test_needs_are_derived_and_sealed(source, tmp_path):
    benchmark = write_bundle(tmp_path / "out", read_pinpoint(source))
    assert benchmark.manifest.resampling.axis == "need"
    assert benchmark.manifest.resampling.derived
    assert load_ground_truth(tmp_path / "out" / "sealed").slices.to_pylist() == [
        {"query_id": "00001", "axis": "need", "value": "00001"},
        {"query_id": "00009", "axis": "need", "value": "00009"},
    ]
    assert "slice_need" not in benchmark.query_table.column_names


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"query_id": "00001"}, "'00001' is not query_ and a number"),
        ({"query_id": "query_x"}, "'query_x' is not"),
        ({"positive_candidates": []}, "'00001' has no positive"),
        ({"positive_candidates": ["f" * 32]}, "is judged but is in no gallery"),
        ({"is_question": None}, "neither true nor false"),
    ],
)
def test_entries_that_make_no_benchmark_are_refused(tmp_path, change, message):
    source = write_source(tmp_path / "pinpoint", [{**ONE, **change}])
    with pytest.raises(ImportSourceError, match=message):
        write_bundle(tmp_path / "out", read_pinpoint(source))
    assert not (tmp_path / "out").exists()


def test_a_parquet_file_without_the_columns_is_refused(tmp_path):
    source = write_source(tmp_path / "pinpoint", [{"query_id": "query_00001"}])
    with pytest.raises(ImportSourceError, match="is not PinPoint's query file"):
        read_pinpoint(source)


@pytest.mark.parametrize("name", ["pinpoint_licensed.parquet", "index_signatures.txt"])
def test_a_missing_file_is_refused_with_its_name_and_the_remedy(source, name):
    (source / name).unlink()
    with pytest.raises(ImportSourceError, match=f"{name} does not exist; get it from"):
        read_pinpoint(source)


@pytest.mark.parametrize("name", ["pinpoint_licensed.parquet", "index_signatures.txt"])
def test_bytes_that_are_something_else_are_refused(source, name):
    (source / name).write_bytes(b"\xff\xfe\x00 no such thing")
    with pytest.raises(ImportSourceError, match=name):
        read_pinpoint(source)


@pytest.mark.parametrize("place", [0.2, 0.5, 0.9])
def test_a_damaged_query_file_is_refused_in_one_line(tmp_path, place):
    write_source(tmp_path, [{**ONE, "query_id": f"query_{number:05d}"} for number in range(500)])
    path = tmp_path / "pinpoint_licensed.parquet"
    content = bytearray(path.read_bytes())
    start = int(len(content) * place)
    content[start : start + 400] = b"\xff" * 400
    path.write_bytes(content)
    with pytest.raises(ImportSourceError, match="PinPoint's query file") as error:
        read_pinpoint(tmp_path)
    assert "\n" not in str(error.value)


def test_a_query_file_without_rows_is_refused(tmp_path):
    write_source(tmp_path, [ONE])
    path = tmp_path / "pinpoint_licensed.parquet"
    pq.write_table(pq.read_table(path).slice(0, 0), path)
    with pytest.raises(ImportSourceError, match="PinPoint's query file"):
        read_pinpoint(tmp_path)
