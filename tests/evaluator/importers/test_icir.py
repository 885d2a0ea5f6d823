"""i-CIR's files of comma-separated rows become a bundle, and errors name the line."""

import pytest

from evaluator.importers.bundle_writer import ImportSourceError, write_bundle
from evaluator.importers.icir import read_icir
from evaluator.public.query import Query
from evaluator.sealed.ground_truth import load_ground_truth

QUERIES = 'q/a.jpg,at night,tower\nq/a.jpg,"as a toy, red",tower\nq/b.jpg,at night,bridge\n'
DATABASE = (
    "d/t0.jpg,at night,tower\nd/t1.jpg,hard negative,tower\n"
    'd/t2.jpg,"as a toy, red",tower\nd/b0.jpg,at night,bridge\nd/b1.jpg,from above,bridge\n'
)
CATEGORIES = (
    "instance,text,visual_category,textual_category\n"
    'tower,at night,landmark,time\ntower,"as a toy, red",landmark,form\nbridge,at night,structure,time\n'
)


@pytest.fixture
def source(tmp_path):
    def write(queries=QUERIES, database=DATABASE, categories=CATEGORIES):
        (tmp_path / "query_files.csv").write_text(queries, encoding="utf-8")
        (tmp_path / "database_files.csv").write_text(database, encoding="utf-8")
        (tmp_path / "categories.csv").write_text(categories, encoding="utf-8")
        return tmp_path

    return write


def test_a_query_is_a_path_and_a_text_and_ranks_its_instance(source, tmp_path):
    benchmark = write_bundle(tmp_path / "out", read_icir(source()))
    assert benchmark.queries[1] == Query(
        id="q/a.jpg|as a toy, red",
        reference_images=("q/a.jpg",),
        modification="as a toy, red",
        gallery_id="tower",
        slices={"instance": ("tower",)},
    )
    assert benchmark.gallery_table.to_pylist()[3] == {"gallery_id": "bridge", "image_id": "d/b0.jpg"}


def test_positives_share_instance_and_text(source, tmp_path):
    write_bundle(tmp_path / "out", read_icir(source()))
    rows = load_ground_truth(tmp_path / "out" / "sealed").judgements.to_pylist()
    assert [(row["query_id"], row["image_id"]) for row in rows] == [
        ("q/a.jpg|at night", "d/t0.jpg"),
        ("q/a.jpg|as a toy, red", "d/t2.jpg"),
        ("q/b.jpg|at night", "d/b0.jpg"),
    ]


def test_categories_add_two_axes(source):
    folder = source()
    parts = read_icir(folder, folder / "categories.csv")
    assert [axis.name for axis in parts.manifest.slice_axes] == ["instance", "visual_category", "textual_category"]
    assert parts.queries[1].slices == {
        "instance": ("tower",),
        "visual_category": ("landmark",),
        "textual_category": ("form",),
    }


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"queries": ""}, "query_files.csv is empty"),
        ({"database": "d/t0.jpg,at night\n"}, "database_files.csv, line 1: 2 columns instead of 3"),
        ({"queries": 'q,"at,tower\n'}, "query_files.csv, line 1"),
        ({"categories": "tower,at night,landmark,time\n"}, "does not start with the header"),
        ({"categories": CATEGORIES + "tower,at night,landmark,time\n"}, "line 5: tower, 'at night' stands above"),
        ({"categories": CATEGORIES.replace("landmark,form", "house,form")}, "line 3: tower is 'house' here"),
        ({"categories": CATEGORIES.replace("structure,time", ",time")}, "line 4: a category is empty"),
        ({"categories": CATEGORIES[: CATEGORIES.index("bridge")]}, "has no row for bridge, 'at night'"),
    ],
)
def test_an_error_names_the_place(source, files, message):
    folder = source(**files)
    with pytest.raises(ImportSourceError, match=message):
        read_icir(folder, folder / "categories.csv")


def test_a_query_without_a_positive_is_an_error(source, tmp_path):
    with pytest.raises(ImportSourceError, match="no positive"):
        write_bundle(
            tmp_path / "out", read_icir(source(database=DATABASE.replace("d/b0.jpg,at night", "d/b0.jpg,by day")))
        )


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ImportSourceError, match=r"query_files\.csv does not exist"):
        read_icir(tmp_path)
