import gzip
import json

import numpy as np
import pyarrow as pa
import pyarrow.csv as pv
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from evaluator.cli import main
from evaluator.importers.bundle_writer import ImportSourceError, write_bundle
from evaluator.importers.generic.bundle import parts_of
from evaluator.importers.generic.check import check_source
from evaluator.importers.generic.faults import FaultLog
from evaluator.public.bundle import load_benchmark
from evaluator.sealed.ground_truth import load_ground_truth
from tests.evaluator.importers.generic_example import change, example

LIST = [f"img-{number}" for number in (6, 7, 8, 9, 10)]
RUN = {f"q{number}": LIST for number in range(1, 7)}
BY_HAND = {
    # Positives at ranks 1 and 2; the same; rank 3; rank 4; rank 5; none.
    "mAP@5": (1 + 1 + 1 / 3 + 1 / 4 + 1 / 5 + 0) / 6,
    "hit_rate@1": 2 / 6,
    "recall@5": 5 / 6,
    "negative_recall@5": 0,
    "linguistic_range": 0,
}
SEALED = ("studio-a", "studio-b", "hard_negative", "kind-of-mistake")


def bundle_of(folder, out):
    log = FaultLog()
    source = check_source(folder, log)
    assert source is not None, list(log.lines())
    return write_bundle(out, parts_of(source))


def evaluated(bundle, run):
    result = CliRunner().invoke(main, ["evaluate", str(bundle), str(run), "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def write_run(path):
    """The run in the format that the file's name says."""
    rows = [(query, rank, image) for query, images in RUN.items() for rank, image in enumerate(images, start=1)]
    match path.name:
        case "run.json":
            path.write_text(json.dumps(RUN))
        case "run.json.gz":
            path.write_bytes(gzip.compress(json.dumps(RUN).encode()))
        case "run.trec":
            path.write_text("".join(f"{query} Q0 {image} {rank} {9 - rank} me\n" for query, rank, image in rows))
        case "run.parquet":
            queries, ranks, images = zip(*rows, strict=True)
            pq.write_table(pa.table({"query_id": queries, "rank": ranks, "image_id": images}), path)
    return path


@pytest.mark.parametrize("name", ["run.json", "run.json.gz", "run.trec", "run.parquet"])
def test_a_new_benchmark_scores_a_run_as_computed_by_hand(name, tmp_path):
    commands = (
        ["benchmark", "new", tmp_path / "shop"],
        ["benchmark", "check", tmp_path / "shop"],
        ["import", "generic", "--source", tmp_path / "shop", "--out", tmp_path / "bundle"],
    )
    for command in commands:
        assert CliRunner().invoke(main, list(map(str, command))).exit_code == 0
    report = evaluated(tmp_path / "bundle", write_run(tmp_path / name))
    assert {metric: found["value"] for metric, found in report["metrics"].items()} == pytest.approx(BY_HAND)
    assert report["slices"]["source"]["studio-a"]["mAP@5"]["value"] == pytest.approx((1 + 1 + 1 / 4) / 3)


def test_nothing_sealed_is_in_the_public_folder_of_a_held_out_benchmark(tmp_path):
    folder = example(tmp_path / "shop")
    header, *rows = (folder / "ground_truth.csv").read_text().splitlines()
    kinds = "".join(f"{row},kind-of-mistake\n" for row in rows)
    (folder / "ground_truth.csv").write_text(f"{header},kind\n{kinds}")
    bundle_of(folder, tmp_path / "bundle")
    public = tmp_path / "bundle" / "public"
    assert sorted(path.name for path in public.rglob("*")) == ["benchmark.toml", "galleries.parquet", "queries.parquet"]
    tables = {path: pq.read_table(path) for path in public.glob("*.parquet")}
    cells = " ".join(str(table.to_pydict()) for table in tables.values())
    everything = b"\n".join(path.read_bytes() for path in public.rglob("*")) + cells.encode()
    for value in SEALED:
        assert value.encode() not in everything
    assert "slice_source" not in pq.read_table(public / "queries.parquet").column_names


def test_the_sealed_folder_holds_the_ground_truth_and_the_sealed_axis(tmp_path):
    bundle_of(example(tmp_path / "shop"), tmp_path / "bundle")
    truth = load_ground_truth(tmp_path / "bundle" / "sealed")
    assert truth.judgements.num_rows == 15
    assert set(truth.slices.column("axis").to_pylist()) == {"source"}
    assert truth.slices.column("value").to_pylist() == [
        "studio-a",
        "studio-a",
        "studio-b",
        "studio-a",
        "studio-b",
        "studio-b",
    ]


def test_public_ground_truth_is_shown(tmp_path):
    folder = example(tmp_path / "shop", benchmark_toml=('"held_out"', '"public"'))
    bundle_of(folder, tmp_path / "bundle")
    assert pq.read_table(tmp_path / "bundle" / "public" / "judgements.parquet").num_rows == 15


def test_external_ground_truth_needs_no_table(tmp_path):
    folder = example(tmp_path / "shop", benchmark_toml=('"held_out"', '"external"'))
    (folder / "ground_truth.csv").unlink()
    benchmark = bundle_of(folder, tmp_path / "bundle")
    assert benchmark.manifest.ground_truth == "external"


def test_an_open_gallery_needs_no_table(tmp_path):
    folder = example(tmp_path / "shop", benchmark_toml=('"closed"', '"open"'))
    (folder / "gallery.csv").unlink()
    assert bundle_of(folder, tmp_path / "bundle").gallery_table.num_rows == 0
    report = evaluated(tmp_path / "bundle", write_run(tmp_path / "run.json"))
    assert report["metrics"]["mAP@5"]["value"] == pytest.approx(BY_HAND["mAP@5"])


def test_tables_in_parquet_make_the_same_bundle(tmp_path):
    bundle_of(example(tmp_path / "csv"), tmp_path / "from-csv")
    folder = example(tmp_path / "parquet")
    for path in list(folder.glob("*.csv")):
        table = pv.read_csv(path)
        if "reference_images" in table.column_names:
            lists = [cell.split("|") for cell in table.column("reference_images").to_pylist()]
            place = table.column_names.index("reference_images")
            table = table.set_column(place, "reference_images", pa.array(lists))
        pq.write_table(table, path.with_suffix(".parquet"))
        path.unlink()
    bundle_of(folder, tmp_path / "from-parquet")
    digests = [load_benchmark(tmp_path / name).manifest.digests for name in ("from-csv", "from-parquet")]
    assert digests[0] == digests[1]


def test_ids_with_commas_and_spaces_are_taken_as_they_are(tmp_path):
    folder = example(tmp_path / "shop", benchmark_toml=('"img-[0-9]+"', "'[^|]+'"))
    for name in ("queries.csv", "ground_truth.csv", "gallery.csv"):
        text = (folder / name).read_text().replace("img-3|", '"img, 3|').replace("|img-4,", '|img-4",')
        (folder / name).write_text(text.replace("img-3\n", '"img, 3"\n').replace("img-3,", '"img, 3",'))
    benchmark = bundle_of(folder, tmp_path / "bundle")
    assert benchmark.queries[4].reference_images == ("img, 3", "img-4")
    assert "img, 3" in benchmark.image_ids.to_pylist()


def test_a_folder_of_images_is_the_gallery_where_there_is_no_table(tmp_path):
    folder = example(tmp_path / "shop")
    names = (folder / "gallery.csv").read_text().splitlines()[1:]
    (folder / "gallery.csv").unlink()
    (folder / "images").mkdir()
    for name in names:
        (folder / "images" / f"{name}.png").write_bytes(b"\x89PNG\r\n\x1a\n" + name.encode())
    benchmark = bundle_of(folder, tmp_path / "bundle")
    assert benchmark.image_ids.to_pylist() == sorted(names)
    assert (tmp_path / "bundle" / "public" / "images" / "img-1.png").read_bytes().endswith(b"img-1")


def test_protocols_have_defaults(tmp_path):
    folder = example(tmp_path / "shop")
    text = (folder / "benchmark.toml").read_text()
    protocols = '[[protocols]]\nmetrics = ["recall@5", "mAP@10"]\n[[protocols]]\nname = "whole"\nmetrics = ["mAP"]\n'
    (folder / "benchmark.toml").write_text(text[: text.index("# One way of scoring")] + protocols)
    official, whole = bundle_of(folder, tmp_path / "bundle").manifest.protocols
    assert (official.name, official.primary, official.list_length) == ("official", "recall@5", (10, 10))
    assert whole.full_gallery


def test_another_version_replaces_a_bundle_and_another_benchmark_does_not(tmp_path):
    folder = example(tmp_path / "shop")
    bundle_of(folder, tmp_path / "bundle")
    change(folder / "benchmark.toml", 'version = "1"', 'version = "2"')
    assert bundle_of(folder, tmp_path / "bundle").manifest.version == "2"
    change(folder / "benchmark.toml", 'name = "shop"', 'name = "store"')
    with pytest.raises(ImportSourceError, match="holds the benchmark shop"):
        bundle_of(folder, tmp_path / "bundle")


def test_weights_and_multiplicities_are_kept(tmp_path):
    folder = example(tmp_path / "shop")
    rows = (folder / "ground_truth.csv").read_text().splitlines()
    (folder / "ground_truth.csv").write_text(
        "\n".join([f"{rows[0]},kind,weight,multiplicity", f"{rows[1]},,0.5,3", *(f"{row},near,," for row in rows[2:])])
    )
    bundle_of(folder, tmp_path / "bundle")
    judged = load_ground_truth(tmp_path / "bundle" / "sealed").judgements.to_pylist()
    assert [(row["kind"], row["weight"], row["multiplicity"]) for row in judged[:2]] == [("", 0.5, 3), ("near", 1.0, 1)]


def test_a_hundred_thousand_judgements_are_read(tmp_path):
    folder = example(tmp_path / "shop")
    n = 100_000
    images = np.arange(20, 20 + n)
    with (folder / "gallery.csv").open("a") as file:
        file.writelines(f"img-{image}\n" for image in images)
    with (folder / "ground_truth.csv").open("a") as file:
        file.writelines(f"q{1 + image % 6},img-{image},hard_negative\n" for image in images)
    bundle_of(folder, tmp_path / "bundle")
    assert load_ground_truth(tmp_path / "bundle" / "sealed").judgements.num_rows == 15 + n
