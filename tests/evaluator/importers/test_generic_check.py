import os
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaluator.importers.bundle_writer import write_bundle
from evaluator.importers.generic.bundle import parts_of
from evaluator.importers.generic.check import check_source
from evaluator.importers.generic.example import SETTINGS
from evaluator.importers.generic.faults import SHOWN_PER_KIND, FaultLog
from tests.evaluator.importers.generic_example import change, example, found_in

TABLES = {
    "label": (
        {"ground_truth_csv": ("q1,img-7,positive", "q1,img-7,postive")},
        'column label: "postive" is no label; expected is positive, hard_negative, target, graded. Did you mean positive?',
    ),
    "no-positive": (
        {"ground_truth_csv": ("q3,img-8,positive\n", "")},
        'queries.csv, line 4, column query_id: "q3" has no positive; judge at least one image positive',
    ),
    "judged-nowhere": (
        {"ground_truth_csv": ("q4,img-9,positive", "q4,img-99,positive")},
        'ground_truth.csv, line 10, column image_id: "img-99" is in no gallery; Did you mean img-9?',
    ),
    "query-twice": (
        {"queries_csv": ("q2,img-1", "q1,img-1")},
        'queries.csv, line 3, column query_id: "q1" occurs more than once; give each query its own id',
    ),
    "judged-query": (
        {"ground_truth_csv": ("q6,img-12", "q7,img-12")},
        'ground_truth.csv, line 15, column query_id: "q7" is not among the queries; expected is q1, q2',
    ),
    "judgement-twice": (
        {"ground_truth_csv": ("q1,img-7,", "q1,img-6,")},
        'ground_truth.csv, line 3, column image_id: "img-6" has this label twice for its query; write it once',
    ),
    "gallery-twice": (
        {"gallery_csv": ("img-2\n", "img-1\n")},
        'gallery.csv, line 3, column image_id: "img-1" stands twice in its gallery',
    ),
    "gallery-unknown": (
        {"gallery_csv": ("image_id", "gallery")},
        "gallery.csv, line 1: has no column image_id",
    ),
    "modification": (
        {"queries_csv": ("at night", " ")},
        'queries.csv, line 5, column modification: " " is empty; say what is to change',
    ),
    "references": (
        {"queries_csv": ("q4,img-3", "q4,")},
        'queries.csv, line 5, column reference_images: "" names no reference image',
    ),
    "reference-pattern": (
        {"queries_csv": ("img-3|img-4", "img-3|chair")},
        "column reference_images: \"chair\" does not match image_id_pattern = 'img-[0-9]+'",
    ),
    "entry-odd": (
        {"queries_csv": ("img-3|img-4", "img-3| img-4")},
        'queries.csv, line 6, column reference_images: "img-3| img-4" has an empty or padded entry; separate entries',
    ),
    "entry-twice": (
        {"queries_csv": ("img-3|img-4", "img-3|img-3")},
        '"img-3|img-3" names an entry twice',
    ),
    "padded-id": (
        {"queries_csv": ("q4,img-3", "q4 ,img-3")},
        'column query_id: "q4 " has white space around it; remove it',
    ),
    "ragged": (
        {"queries_csv": ("at night", "at night, in rain")},
        'queries.csv, line 5: the row has 7 fields, the header 6; put fields that hold a comma in "double quotes"',
    ),
    "undeclared": (
        {"queries_csv": ("topic,source\n", "topic,secret\n")},
        'queries.csv, line 1: "secret" is a column not declared; write [[axes]] with name = "secret"',
    ),
    "axis-absent": (
        {"queries_csv": ("topic,source\n", "topic,secret\n")},
        "queries.csv, line 1: has no column source, which [[axes]] names",
    ),
    "unit-absent": (
        {"queries_csv": ("night,n3", "night,")},
        'queries.csv, line 5, column need: "" is not exactly one value, as resampling.axis needs',
    ),
    "unit-several": (
        {"queries_csv": ("night,n3", "night,n3|n4")},
        '"n3|n4" is not exactly one value, as resampling.axis needs',
    ),
    "strata": (
        {"benchmark_toml": ("# strata", "strata"), "queries_csv": ('red",n1,furniture', 'red",n1,street')},
        'queries.csv, line 3, column topic: "street" is in another stratum than earlier queries of the same need',
    ),
    "weight": (
        {
            "ground_truth_csv": (
                "query_id,image_id,label\nq1,img-6,positive",
                "query_id,image_id,label,weight\nq1,img-6,positive,-1",
            )
        },
        'column weight: "-1" does not fit; expected is a number of at least 0',
    ),
}
RULES = {
    "metric": (
        {"benchmark_toml": ('"hit_rate@1"', '"hitrate@1"')},
        'benchmark.toml, line 51, protocols[0].metrics: "hitrate@1" is no metric; Did you mean hit_rate@1?',
    ),
    "primary": (
        {"benchmark_toml": ('primary = "mAP@5"', 'primary = "mAP@7"')},
        'protocols[0].primary: "mAP@7" is not among the metrics',
    ),
    "metric-twice": ({"benchmark_toml": ('"hit_rate@1"', '"mAP@5"')}, '"mAP@5" occurs more than once'),
    "macro": ({"benchmark_toml": ('"hit_rate@1"', '"macro_mAP@5"')}, "macro_mAP@5 needs the key macro"),
    "length": ({"benchmark_toml": ("[5, 10]", "[5, 1]")}, 'list_length: "[5, 1]" is no range; expected are two rising'),
    "unknown-key": (
        {"benchmark_toml": ("decimals = 1", "decimal = 1")},
        'display.decimal: "decimal" is no key of this table; Did you mean decimals?',
    ),
    "absent-key": ({"benchmark_toml": ('version = "1"', "")}, "the key version is absent"),
    "type": ({"benchmark_toml": ("percent = true", 'percent = "yes"')}, 'display.percent: "yes" must be true or false'),
    "choice": (
        {"benchmark_toml": ('"held_out"', '"secret"')},
        'ground_truth: "secret" must be one of public, held_out',
    ),
    "pattern": ({"benchmark_toml": ('"img-[0-9]+"', '"img-["')}, '"img-[" is no regular expression'),
    "name": (
        {"benchmark_toml": ('name = "shop"', 'name = "../shop"')},
        'benchmark.toml, line 4, name: "../shop" does not',
    ),
    "homepage": (
        {"benchmark_toml": ('homepage = ""', 'homepage = "javascript:x"')},
        '"javascript:x" is no web address',
    ),
    "axis": (
        {"benchmark_toml": ('axis = "need"', 'axis = "nedd"')},
        'resampling.axis: "nedd" is not among the axes; Did',
    ),
    "format": (
        {"benchmark_toml": ('# run_format = "lists"', 'run_format = "xml"')},
        '"xml" is no result format; known are',
    ),
    "open": ({"benchmark_toml": ('"closed"', '"open"')}, "gallery.csv: is given, but the gallery is open; remove it"),
    "external": ({"benchmark_toml": ('"held_out"', '"external"')}, "is given, but ground_truth is external"),
    "toml": ({"benchmark_toml": ("[display]", "[display")}, "benchmark.toml: is no TOML in UTF-8"),
    "graded": ({"benchmark_toml": ('"as_listed"', '"graded"')}, "has no row with the label graded"),
}


@pytest.mark.parametrize(("changes", "expected"), [*TABLES.values(), *RULES.values()], ids=[*TABLES, *RULES])
def test_a_fault_is_reported_with_its_place_and_remedy(changes, expected, tmp_path):
    lines = list(found_in(example(tmp_path / "shop", **changes)).lines())
    assert any(line.startswith("error: ") and expected in line for line in lines), lines


def test_the_example_has_no_errors(tmp_path):
    log = found_in(example(tmp_path / "shop"))
    assert {kind for _, kind in log.counts} == {"units-few", "group-of-one"}


def test_faults_of_all_files_are_reported_at_once(tmp_path):
    folder = example(
        tmp_path / "shop",
        benchmark_toml=('"hit_rate@1"', '"hit@1"'),
        queries_csv=("at night", ""),
        ground_truth_csv=("q1,img-7,positive", "q1,img-77,good"),
        gallery_csv=("img-2\n", "img-1\n"),
    )
    kinds = {kind for severity, kind in found_in(folder).counts if severity == "error"}
    assert kinds >= {"metric-unknown", "modification-empty", "judged-unknown", "label-unknown", "gallery-repeated"}


@pytest.mark.parametrize(
    "fault",
    [
        ('version = "1"', ""),
        ('"held_out"', "5"),
        ('"img-[0-9]+"', "5"),
        ('"img-[0-9]+"', '"("'),
        ("decimals", "digits"),
    ],
)
def test_faults_of_the_settings_hide_none_of_the_tables_and_bring_no_others(fault, tmp_path):
    folder = example(tmp_path / "shop", benchmark_toml=fault, queries_csv=("at night", ""))
    log = found_in(folder)
    kinds = [kind for severity, kind in log.counts if severity == "error"]
    assert "modification-empty" in kinds
    assert log.n("error") == (3 if "digits" in fault else 2)


def test_a_sealed_axis_that_a_public_column_repeats_is_an_error(tmp_path):
    folder = example(tmp_path / "shop")
    text = (folder / "queries.csv").read_text()
    (folder / "queries.csv").write_text(text.replace("studio-a", "furniture").replace("studio-b", "street"))
    rows = [line.rsplit(",", 2) for line in (folder / "queries.csv").read_text().splitlines()]
    copied = [",".join([*row[:1], row[2] if n else row[1], row[2]]) for n, row in enumerate(rows)]
    (folder / "queries.csv").write_text("\n".join(copied) + "\n")
    assert "holds the values of the sealed axis source, but is public" in "\n".join(found_in(folder).lines())


def test_judged_images_must_be_in_the_gallery_of_their_own_query(tmp_path):
    folder = example(tmp_path / "shop")
    gallery = (folder / "gallery.csv").read_text().splitlines()[1:]
    (folder / "gallery.csv").write_text(
        "gallery_id,image_id\n" + "".join(f"all,{image}\n" for image in gallery[:-1]) + "b,img-12\n"
    )
    (line,) = [line for line in found_in(folder).lines() if line.startswith("error")]
    assert 'ground_truth.csv, line 15, column image_id: "img-12" is not in the gallery of its query' in line


@pytest.mark.parametrize(
    ("change_", "expected"),
    [
        (("ground_truth_csv", "q1,img-6,positive", "q1,img-1,positive"), "is a positive and the reference image of"),
        (
            ("ground_truth_csv", "q1,img-1,hard_negative", "q1,img-6,hard_negative"),
            "is both positive and hard negative",
        ),
        (("benchmark_toml", '"recall@5"', '"recall@500"'), "look 500 images deep, the smallest gallery holds 12"),
        (("benchmark_toml", "[5, 10]", "[20, 30]"), "asks for 20 images, the smallest gallery holds 12"),
        (("queries_csv", "query_id", "\ufeffquery_id"), "begins with a byte-order mark, which is ignored"),
    ],
)
def test_what_is_seldom_meant_is_a_warning(change_, expected, tmp_path):
    key, old, new = change_
    log = found_in(example(tmp_path / "shop", **{key: (old, new)}))
    assert log.n("error") == 0
    assert any(line.startswith("warning") and expected in line for line in log.lines())


def test_line_numbers_count_line_breaks_within_fields(tmp_path):
    folder = example(
        tmp_path / "shop",
        queries_csv=("the same chair in red", '"the same\nchair\nin red"'),
    )
    change(folder / "queries.csv", "at night", "")
    assert "queries.csv, line 7, column modification" in "\n".join(found_in(folder).lines())


def test_only_the_first_faults_of_a_kind_are_shown_and_all_are_counted(tmp_path):
    folder = example(tmp_path / "shop")
    with (folder / "ground_truth.csv").open("a") as file:
        file.writelines(f"q1,img-{number},positive\n" for number in range(100, 200))
    log = found_in(folder)
    assert log.counts["error", "judged-unknown"] == 100
    lines = [line for line in log.lines() if line.startswith("error")]
    assert len(lines) == SHOWN_PER_KIND + 1
    assert lines[-1] == "error: ground_truth.csv: 80 more like these"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=200), name=st.sampled_from(["benchmark.toml", "queries.csv", "ground_truth.csv"]))
def test_no_bytes_crash_the_check(content, name, tmp_path):
    folder = tmp_path / os.urandom(8).hex()
    example(folder)
    (folder / name).write_bytes(content)
    assert check_source(folder, FaultLog()) is None


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cell=st.text(max_size=20), name=st.sampled_from(["queries.csv", "ground_truth.csv", "gallery.csv"]))
def test_whatever_a_cell_says_is_refused_by_the_check_or_makes_a_bundle(cell, name, tmp_path):
    folder = tmp_path / os.urandom(8).hex()
    example(folder)
    path = folder / name
    path.write_text(path.read_text().replace("img-3", cell, 1), encoding="utf-8", errors="replace")
    source = check_source(folder, FaultLog())
    if source is not None:
        write_bundle(folder / "bundle", parts_of(source))


KEYS = [line for line in SETTINGS.replace("\n# ", "\n").splitlines() if re.match(r"\w+ = ", line)]
VALUES = (
    "5",
    "-1",
    "1e400",
    "true",
    '""',
    '"x"',
    r'"\u0000"',
    "[]",
    "[[1]]",
    "{}",
    "2020-01-01",
    '["x", "x"]',
    "[1, 2]",
)


@pytest.mark.parametrize("line", KEYS, ids=[line.split()[0] for line in KEYS])
def test_whatever_a_key_says_is_refused_by_the_check_or_makes_a_bundle(line, tmp_path):
    key = line.split()[0]
    written = line.replace("{{", "{").replace("}}", "}").replace("{name}", "shop")
    for place, value in enumerate(VALUES):
        folder = example(tmp_path / str(place))
        path = folder / "benchmark.toml"
        before = written if written in path.read_text().splitlines() else f"# {written}"
        change(path, f"\n{before}\n", f"\n{key} = {value}\n")
        source = check_source(folder, FaultLog())
        if source is not None:
            write_bundle(tmp_path / f"bundle-{place}", parts_of(source))
