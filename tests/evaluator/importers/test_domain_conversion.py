"""Lists of images, domains and classes become queries for every pair of domains."""

import pytest

from evaluator.importers.bundle_writer import ImportSourceError, write_bundle
from evaluator.importers.domain_conversion import read_domain_conversion
from evaluator.public.query import Query
from evaluator.public.run import run_from_lists
from evaluator.score import score
from evaluator.sealed.ground_truth import load_ground_truth

LTLL = "a/1.jpg New tower\na/2.jpg New bridge\na/3.jpg Old tower\na/4.jpg Old tower\n"


def write(folder, **files):
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    return folder


def test_a_query_is_an_image_and_a_target_domain(tmp_path):
    parts = read_domain_conversion(write(tmp_path / "ltll", full_files=LTLL), "ltll")
    assert parts.queries[0] == Query(
        id="Today-->Archive|a/1.jpg",
        reference_images=("a/1.jpg",),
        modification="Archive",
        gallery_id="ltll",
        slices={"pair": ("Today-->Archive",), "source_image": ("a/1.jpg",), "source_domain": ("Today",)},
    )
    assert [query.id for query in parts.queries[1:]] == [
        "Today-->Archive|a/2.jpg",
        "Archive-->Today|a/3.jpg",
        "Archive-->Today|a/4.jpg",
    ]


def test_positives_are_all_images_of_the_class_in_the_target_domain(tmp_path):
    parts = read_domain_conversion(write(tmp_path / "ltll", full_files=LTLL).parent, "ltll")
    write_bundle(tmp_path / "out", parts)
    rows = load_ground_truth(tmp_path / "out" / "sealed").judgements.to_pylist()
    assert [(row["query_id"], row["image_id"]) for row in rows] == [
        ("Today-->Archive|a/1.jpg", "a/3.jpg"),
        ("Today-->Archive|a/1.jpg", "a/4.jpg"),
        ("Today-->Archive|a/2.jpg", None),
        ("Archive-->Today|a/3.jpg", "a/1.jpg"),
        ("Archive-->Today|a/4.jpg", "a/1.jpg"),
    ]


def test_a_query_whose_class_the_target_domain_does_not_hold_scores_nothing_and_counts(tmp_path):
    benchmark = write_bundle(
        tmp_path / "out", read_domain_conversion(write(tmp_path / "ltll", full_files=LTLL).parent, "ltll")
    )
    ranked = ["a/3.jpg", "a/4.jpg", "a/1.jpg", "a/2.jpg"]
    run = run_from_lists(dict.fromkeys(benchmark.query_ids, ranked))
    found = score(run, benchmark, tmp_path / "out" / "sealed").slices["pair"]["Today-->Archive"]
    assert found["mAP"].value == pytest.approx(2 / (2 + 1e-5) / 2, rel=1e-12)
    assert [found[name].value for name in ("mAP_standard", "recall@5", "precision@5")] == [0.5, 0.5, 0.5]
    assert found["mAP"].n == 2


@pytest.mark.parametrize(
    ("dataset", "domain", "label", "cutoffs"),
    [
        ("ltll", "Old", "Archive", (5, 10)),
        ("imagenet_r", "real", "photo", (10, 50)),
        ("nico", "dim", "dimlight", (50, 100)),
        ("minidn", "real", "photo", (50, 100)),
    ],
)
def test_domains_and_cutoffs_are_those_of_the_organisers_code(tmp_path, dataset, domain, label, cutoffs):
    text = f"a/1.jpg {domain} dog\na/2.jpg sketch dog\n"
    folder = write(tmp_path / "lists", full_files=text, query_files=text, database_files=text)
    parts = read_domain_conversion(folder, dataset)
    assert [query.id for query in parts.queries] == [f"{label}-->sketch|a/1.jpg", f"sketch-->{label}|a/2.jpg"]
    (protocol,) = parts.manifest.protocols
    names = ("recall", "precision")
    exact = [f"{name}@{k}" for name in names for k in sorted({5, 10, *cutoffs})]
    assert protocol.metrics[3:] == (*exact, *(f"{name}@{k}_official" for name in names for k in cutoffs))


def test_queries_and_database_can_be_lists_of_their_own(tmp_path):
    queries, database = "q/1.jpg real dog\n", "d/1.jpg sketch dog\nd/2.jpg real dog\nd/3.jpg clipart cat\n"
    parts = read_domain_conversion(write(tmp_path, query_files=queries, database_files=database), "minidn")
    assert [query.id for query in parts.queries] == ["photo-->sketch|q/1.jpg", "photo-->clipart|q/1.jpg"]
    assert parts.galleries.num_rows == 3


def test_a_class_that_the_database_does_not_have_is_a_slip(tmp_path):
    folder = write(tmp_path, query_files="q/1.jpg real dgo\n", database_files="d/1.jpg sketch dog\n")
    with pytest.raises(ImportSourceError, match=r"q/1\.jpg is of the class 'dgo', as no database image is; get it"):
        read_domain_conversion(folder, "minidn")


def test_a_missing_list_is_named(tmp_path):
    with pytest.raises(ImportSourceError, match=r"database_files\.csv does not exist; get it from"):
        read_domain_conversion(write(tmp_path, query_files="q/1.jpg real dog\n"), "minidn")


@pytest.mark.parametrize(
    ("text", "message"), [("", "is empty"), (LTLL + "a/5.jpg New\n", "line 5: 2 columns instead of 3")]
)
def test_an_error_names_the_line(tmp_path, text, message):
    with pytest.raises(ImportSourceError, match=message):
        read_domain_conversion(write(tmp_path, full_files=text), "ltll")
