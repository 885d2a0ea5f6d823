"""i-CIR: instances shown otherwise; each query ranks the database of its own instance, full of hard negatives.

Reads the organisers' `query_files.csv` and `database_files.csv`: rows of path, text, instance, without a header. A
database image is a positive of the queries with its text; the others of its instance are negatives.
"""

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyarrow as pa

from evaluator.importers.bundle_writer import BundleParts, ImportSourceError
from evaluator.importers.csv_files import read_rows
from evaluator.public.bundle import GALLERY_SCHEMA
from evaluator.public.manifest import Display, Manifest, Protocol, ResamplingUnit, SliceAxis
from evaluator.public.query import Query
from evaluator.sealed.ground_truth import JUDGEMENT_SCHEMA, POSITIVE

QUERIES_FILE: Final = "query_files.csv"
DATABASE_FILE: Final = "database_files.csv"
CATEGORY_COLUMNS: Final = ["instance", "text", "visual_category", "textual_category"]
REMEDY: Final = "get it from https://github.com/billpsomas/icir"
CITATION: Final = """@inproceedings{psomas2025icir,
  title={Instance-Level Composed Image Retrieval},
  author={Psomas, Bill and Retsinas, George and Efthymiadis, Nikos and Filntisis, Panagiotis and Avrithis, Yannis and Maragos, Petros and Chum, Ondrej and Tolias, Giorgos},
  booktitle={Advances in Neural Information Processing Systems},
  year={2025}
}"""
OFFICIAL: Final = Protocol(
    name="official",
    title="Official",
    description=(
        "As the organisers' evaluation code: each query ranks the whole database of its instance. AP is the area under "
        "trapezoids, so a perfect ranking scores a little below 1. The macro mean is over instances of the instance's "
        "mean, the micro mean over queries, the min over instances of the instance's lowest query. The metrics named "
        "standard take non-interpolated AP instead."
    ),
    list_length=(1, 100_000),
    metrics=(
        *("macro_mAP", "micro_mAP", "min_mAP"),
        *("macro_mAP_standard", "micro_mAP_standard", "min_mAP_standard"),
    ),
    primary="macro_mAP",
    full_gallery=True,
    macro="instance",
)


@dataclass(frozen=True, slots=True)
class _Row:
    """One row of an official file."""

    path: str
    text: str
    instance: str


def read_icir(source: Path, categories: Path | None = None) -> BundleParts:
    """Read i-CIR's official files.

    Args:
        source: Directory with `query_files.csv` and `database_files.csv`.
        categories: A CSV with the header ``instance,text,visual_category,textual_category`` and a row for each
            instance and text of the queries; None for no categories.

    Raises:
        ImportSourceError: If a file is missing or is not what its name says.
    """
    rows = [_Row(*cells) for _, cells in read_rows(source / QUERIES_FILE, 3, REMEDY)]
    database = [_Row(*cells) for _, cells in read_rows(source / DATABASE_FILE, 3, REMEDY)]
    if not rows or not database:
        raise ImportSourceError(f"{source / (DATABASE_FILE if rows else QUERIES_FILE)} is empty; {REMEDY}")
    found = _read_categories(categories, {(row.instance, row.text) for row in rows}) if categories else {}
    return BundleParts(
        manifest=_manifest(has_categories=categories is not None),
        queries=[_query(row, found) for row in rows],
        galleries=pa.table(
            {"gallery_id": [row.instance for row in database], "image_id": [row.path for row in database]},
            GALLERY_SCHEMA,
        ),
        judgements=_judgements(rows, database),
        show_judgements=True,
    )


def query_id(path: str, text: str) -> str:
    """The id under which result files name a query."""
    return f"{path}|{text}"


def _query(row: _Row, categories: dict[tuple[str, str], tuple[str, str]]) -> Query:
    slices: dict[str, tuple[str, ...]] = {"instance": (row.instance,)}
    if categories:
        visual, textual = categories[row.instance, row.text]
        slices |= {"visual_category": (visual,), "textual_category": (textual,)}
    return Query(
        id=query_id(row.path, row.text),
        reference_images=(row.path,),
        modification=row.text,
        gallery_id=row.instance,
        slices=slices,
    )


def _judgements(rows: list[_Row], database: list[_Row]) -> pa.Table:
    positives: dict[tuple[str, str], list[str]] = defaultdict(list)
    asked = {(row.instance, row.text) for row in rows}
    for row in database:
        if (row.instance, row.text) in asked:
            positives[row.instance, row.text].append(row.path)
    pairs = [(query_id(row.path, row.text), image) for row in rows for image in positives[row.instance, row.text]]
    n = len(pairs)
    return pa.table(
        {
            "query_id": [query for query, _ in pairs],
            "image_id": [image for _, image in pairs],
            "label": [POSITIVE] * n,
            "kind": [""] * n,
            "weight": [1.0] * n,
            "multiplicity": [1] * n,
        },
        JUDGEMENT_SCHEMA,
    )


def _read_categories(path: Path, asked: set[tuple[str, str]]) -> dict[tuple[str, str], tuple[str, str]]:
    """(instance, text) -> visual and textual category."""
    remedy = f"write a CSV with the header {','.join(CATEGORY_COLUMNS)}"
    lines = read_rows(path, len(CATEGORY_COLUMNS), remedy)
    if next(lines, (0, []))[1] != CATEGORY_COLUMNS:
        raise ImportSourceError(f"{path} does not start with the header; {remedy}")
    found: dict[tuple[str, str], tuple[str, str]] = {}
    visual_of: dict[str, str] = {}
    for line, (instance, text, visual, textual) in lines:
        if not visual or not textual:
            raise ImportSourceError(f"{path}, line {line}: a category is empty; give every instance and text both")
        if (instance, text) in found:
            raise ImportSourceError(f"{path}, line {line}: {instance}, {text!r} stands above already; keep one row")
        if visual_of.setdefault(instance, visual) != visual:
            other = visual_of[instance]
            raise ImportSourceError(
                f"{path}, line {line}: {instance} is {visual!r} here and {other!r} above; choose one"
            )
        found[instance, text] = (visual, textual)
    if missing := sorted(asked - found.keys()):
        instance, text = missing[0]
        raise ImportSourceError(f"{path} has no row for {instance}, {text!r}; add {len(missing)} rows that are missing")
    return found


def _manifest(*, has_categories: bool) -> Manifest:
    categories = (
        SliceAxis("visual_category", "Visual category"),
        SliceAxis("textual_category", "Textual category"),
    )
    return Manifest(
        name="icir",
        version="1",
        split="test",
        title="i-CIR",
        summary=(
            "Instance-level composed retrieval: 1,883 queries on 202 instances, each ranked over its instance's own "
            "database of visual, textual and composed hard negatives."
        ),
        homepage="https://vrg.fel.cvut.cz/icir/",
        citation=CITATION,
        licence="See the organisers' page",
        terms="",
        ground_truth="public",
        run_format="icir",
        gallery_policy="closed",
        image_id_pattern=r".{1,300}",
        resampling=ResamplingUnit(axis="instance", title="instance"),
        display=Display(percent=True, decimals=2),
        protocols=(OFFICIAL,),
        slice_axes=(SliceAxis("instance", "Instance"), *(categories if has_categories else ())),
    )
