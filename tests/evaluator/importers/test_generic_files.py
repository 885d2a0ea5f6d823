import os

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.evaluator.importers.generic_example import example, found_in


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"query_id,reference_images,modification\nq1,img-1,caf\xe9\n", "queries.csv, line 2: is not UTF-8"),
        ("query_id\n".encode("utf-16"), "is UTF-16; save it as UTF-8"),
        (b"", "is no CSV table"),
        (b"query_id,reference_images,modification\n", "holds no row"),
        (b"query_id,query_id\na,b\n", '"query_id" is the name of two columns'),
        (b'query_id,reference_images,modification\nq1,img-1,"open\n', "queries.csv"),
        (b"\x00\x00\x00", "queries.csv"),
        (b"a," * 500 + b"a\n" + b"1," * 500 + b"1\n", "queries.csv"),
        (b"query_id,reference_images,modification\nq1,img-1," + b"x" * 300_000 + b"\n", "is longer than 20,000 bytes"),
    ],
)
def test_odd_bytes_are_reported(content, expected, tmp_path):
    folder = example(tmp_path / "shop")
    (folder / "queries.csv").write_bytes(content)
    assert any(line.startswith("error") and expected in line for line in found_in(folder).lines())


def test_a_link_that_leads_out_of_the_folder_is_refused(tmp_path):
    folder = example(tmp_path / "shop")
    (folder / "queries.csv").rename(tmp_path / "queries.csv")
    (folder / "queries.csv").symlink_to(tmp_path / "queries.csv")
    assert "queries.csv: is a link that leads out of the folder" in "\n".join(found_in(folder).lines())


def test_a_named_pipe_is_not_opened(tmp_path):
    folder = example(tmp_path / "shop")
    (folder / "gallery.csv").unlink()
    os.mkfifo(folder / "gallery.csv")
    assert "gallery.csv: is not a regular file" in "\n".join(found_in(folder).lines())


def test_the_same_table_twice_is_refused(tmp_path):
    folder = example(tmp_path / "shop")
    pq.write_table(pa.table({"image_id": ["img-1"]}), folder / "gallery.parquet")
    assert "gallery.csv: stands beside gallery.parquet; keep one of the two" in "\n".join(found_in(folder).lines())


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pa.array([{"a": 1}]), "column image_id: has the type struct<a: int64>; write text or list<string>"),
        (pa.array([["img-1"]]), "column image_id: holds lists; write one text per row"),
        (pa.array([[None]], pa.list_(pa.string())), "column image_id: has nulls within lists"),
        (pa.array([None], pa.string()), 'gallery.parquet, row 1, column image_id: "" is empty'),
    ],
)
def test_parquet_columns_of_other_types_are_reported(column, expected, tmp_path):
    folder = example(tmp_path / "shop")
    (folder / "gallery.csv").unlink()
    pq.write_table(pa.table({"image_id": column}), folder / "gallery.parquet")
    assert expected in "\n".join(found_in(folder).lines())


@pytest.mark.parametrize("name", ["../x.png", "note.txt", "img-99.png"])
def test_only_png_images_of_the_benchmark_may_lie_among_the_images(name, tmp_path):
    folder = example(tmp_path / "shop")
    (folder / "images").mkdir()
    if name.startswith(".."):
        (folder / "images" / "img-1.png").symlink_to("/etc/hostname")
    else:
        (folder / "images" / name).write_bytes(b"\x89PNG\r\n\x1a\n")
    assert found_in(folder).counts["error", "image-file"] == 1
