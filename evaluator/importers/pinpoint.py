"""PinPoint: composed queries with explicit hard negatives, one or two reference images and six wordings of each need.

Reads the organisers' `pinpoint_licensed.parquet` (queries and ground truth) and `index_signatures.txt` (gallery).
Lists are kept as they are: repeats as multiplicity, `None` as an entry that no list can reach but that counts.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from evaluator.importers.bundle_writer import BundleParts, ImportSourceError
from evaluator.importers.needs import Wording, derive_needs
from evaluator.public.bundle import GALLERY_SCHEMA
from evaluator.public.manifest import Display, FairnessRule, LanguageRule, Manifest, Protocol, ResamplingUnit, SliceAxis
from evaluator.public.query import Query
from evaluator.sealed.ground_truth import HARD_NEGATIVE, JUDGEMENT_SCHEMA, POSITIVE, SLICE_SCHEMA

QUERIES_FILE: Final = "pinpoint_licensed.parquet"
GALLERY_FILE: Final = "index_signatures.txt"
GALLERY_ID: Final = "pinpoint"
ID_PREFIX: Final = "query_"
NO_SECOND_IMAGE: Final = "None"
CUTOFFS: Final = (1, 5, 10, 50)
REMEDY: Final = "get it from the benchmark's release (https://arxiv.org/abs/2603.04598)"
CITATION: Final = """@inproceedings{mahadev2026pinpoint,
  title={PinPoint: Evaluation of Composed Image Retrieval with Explicit Negatives, Multi-Image Queries, and Paraphrase Testing},
  author={Mahadev, Rohan and Yuan, Joyce and Poirson, Patrick and others},
  booktitle={Proceedings of the IEEE/CVF Conference on Computer Vision and Pattern Recognition},
  year={2026}
}"""
COLUMNS: Final = (
    "query_id",
    "query_image_signature",
    "query_image_signature2",
    "instruction",
    "positive_candidates",
    "negative_candidates",
    "length_category",
    "is_question",
    "is_imperative",
    "is_single",
    "query_category",
    "skin_tone_bucket",
    "l1_interest",
)
SLICE_AXES: Final = (
    SliceAxis("interest", "Interest"),
    SliceAxis("query_category", "Query category"),
    SliceAxis("length", "Length of the modification"),
    SliceAxis("question", "Phrased as a question"),
    SliceAxis("imperative", "Phrased as an imperative"),
    SliceAxis("images", "Reference images"),
    SliceAxis("declared_single", "Declared single-image by the organisers"),
    SliceAxis("skin_tone", "Skin tone"),
)
OFFICIAL: Final = Protocol(
    name="official",
    title="Official",
    description=(
        "As the organisers' evaluation code: judged images count as listed, repeats, None and images that are both "
        "positive and negative included, so a perfect run reaches 0.9703 mAP@10. AP@K divides by min(K, positives). "
        "The linguistic metrics compare precision@10 among queries of the same image pair."
    ),
    list_length=(1, 50),
    metrics=(
        *(f"mAP@{k}" for k in CUTOFFS),
        *(f"mAP@{k}_without_negatives" for k in CUTOFFS),
        *(f"delta_mAP@{k}" for k in CUTOFFS),
        "relative_delta_mAP@10",
        *(f"negative_recall@{k}" for k in CUTOFFS),
        *(f"precision@{k}" for k in CUTOFFS),
        *(f"recall@{k}" for k in CUTOFFS),
        "linguistic_range",
        "linguistic_std",
        "worst_paraphrase",
        "relative_linguistic_range",
        "negative_share@10",
        "multi_image_ratio_mAP@10",
    ),
    primary="mAP@10",
    short_lists=True,
    language=LanguageRule(axis="image_pair", metric="precision@10"),
)
CLEAN: Final = replace(
    OFFICIAL,
    name="clean",
    title="Clean",
    description=(
        "Each judged image counts once; None is removed; images listed as both positive and negative are unjudged, "
        "which leaves 7,633 queries with a positive; a query's reference images are deleted from its list before the "
        "cut at K. The linguistic metrics compare AP@10 among wordings of the same need."
    ),
    truth="clean",
    delete_references=True,
    language=LanguageRule(axis="need", metric="mAP@10"),
)


def read_pinpoint(source: Path) -> BundleParts:
    """Read PinPoint's official files.

    Args:
        source: Directory with `pinpoint_licensed.parquet` and `index_signatures.txt`.

    Raises:
        ImportSourceError: If a file is missing or is not what its name says.
    """
    path = source / QUERIES_FILE
    entries = _read_entries(path)
    try:
        queries = [_query(entry) for entry in entries]
        needs = derive_needs([_wording(entry) for entry in entries])
        judgements = _judgements(entries)
    except (TypeError, ValueError) as error:
        raise ImportSourceError(f"{path} is not PinPoint's query file ({error}); {REMEDY}") from None
    return BundleParts(
        manifest=_manifest(),
        queries=queries,
        galleries=_read_gallery(source / GALLERY_FILE),
        judgements=judgements,
        sealed_slices=pa.table(
            {
                "query_id": [query.id for query in queries],
                "axis": ["need"] * len(queries),
                "value": [f"{need:05d}" for need in needs],
            },
            SLICE_SCHEMA,
        ),
        show_judgements=True,
    )


def _read_entries(path: Path) -> list[dict[str, Any]]:
    try:
        return list(pq.read_table(path, columns=list(COLUMNS)).select(COLUMNS).to_pylist())
    except FileNotFoundError:
        raise ImportSourceError(f"{path} does not exist; {REMEDY}") from None
    except (pa.ArrowException, KeyError, OSError) as error:
        raise ImportSourceError(f"{path} is not PinPoint's query file ({_first_line(error)}); {REMEDY}") from None


def _first_line(error: Exception) -> str:
    """Arrow explains at length; the first line says what is wrong."""
    return str(error).partition("\n")[0]


def _read_gallery(path: Path) -> pa.Table:
    try:
        images = path.read_text(encoding="ascii").split()
    except FileNotFoundError:
        raise ImportSourceError(f"{path} does not exist; {REMEDY}") from None
    except UnicodeDecodeError as error:
        raise ImportSourceError(f"{path} is not a list of signatures ({error}); {REMEDY}") from None
    return pa.table({"gallery_id": [GALLERY_ID] * len(images), "image_id": images}, GALLERY_SCHEMA)


def _query_id(entry: dict[str, Any]) -> str:
    """Result files name a query by its number alone."""
    identifier = str(entry["query_id"])
    if not identifier.startswith(ID_PREFIX) or not identifier.removeprefix(ID_PREFIX).isdecimal():
        raise ValueError(f"query id {identifier!r} is not {ID_PREFIX} and a number")
    return identifier.removeprefix(ID_PREFIX)


def _images(entry: dict[str, Any]) -> tuple[str, ...]:
    pair = (entry["query_image_signature"], entry["query_image_signature2"])
    return tuple(image for image in pair if image not in (None, NO_SECOND_IMAGE))


def _query(entry: dict[str, Any]) -> Query:
    images = _images(entry)
    return Query(
        id=_query_id(entry),
        reference_images=images,
        modification=str(entry["instruction"]),
        gallery_id=GALLERY_ID,
        slices={
            "interest": (str(entry["l1_interest"]),),
            "query_category": (str(entry["query_category"]),),
            "length": (str(entry["length_category"]),),
            "question": (_yes_or_no(entry["is_question"]),),
            "imperative": (_yes_or_no(entry["is_imperative"]),),
            "images": ("multi" if len(images) > 1 else "single",),
            "declared_single": (_yes_or_no(entry["is_single"]),),
            "skin_tone": (str(entry["skin_tone_bucket"]),),
            "image_pair": (" ".join(images),),
        },
    )


def _yes_or_no(flag: object) -> str:
    if not isinstance(flag, bool):
        raise TypeError(f"{flag!r} is neither true nor false")
    return "yes" if flag else "no"


def _wording(entry: dict[str, Any]) -> Wording:
    return Wording(int(_query_id(entry)), _images(entry), frozenset(entry["positive_candidates"]))


def _judgements(entries: list[dict[str, Any]]) -> pa.Table:
    rows = [row for entry in entries for row in _rows(entry)]
    query_ids, images, labels, counts = zip(*rows, strict=True)
    return pa.table(
        {
            "query_id": query_ids,
            "image_id": images,
            "label": labels,
            "kind": [""] * len(rows),
            "weight": [1.0] * len(rows),
            "multiplicity": counts,
        },
        JUDGEMENT_SCHEMA,
    )


def _rows(entry: dict[str, Any]) -> Iterator[tuple[str, str | None, str, int]]:
    query_id = _query_id(entry)
    for column, label in (("positive_candidates", POSITIVE), ("negative_candidates", HARD_NEGATIVE)):
        for image, count in Counter(entry[column]).items():
            yield query_id, image, label, count


def _manifest() -> Manifest:
    return Manifest(
        name="pinpoint",
        version="1",
        split="test",
        title="PinPoint",
        summary=(
            "7,635 composed queries over 109,600 images with several positives, explicit hard negatives, one or two "
            "reference images and six wordings of each need."
        ),
        homepage="https://arxiv.org/abs/2603.04598",
        citation=CITATION,
        licence="CC BY 4.0",
        terms="Attribution to the authors, as the licence says.",
        ground_truth="public",
        run_format="pinpoint",
        gallery_policy="closed",
        image_id_pattern=r"[0-9a-f]{32}",
        resampling=ResamplingUnit(axis="need", title="need (the wordings of one request)", derived=True),
        display=Display(percent=False, decimals=4),
        protocols=(OFFICIAL, CLEAN),
        slice_axes=SLICE_AXES,
        fairness=FairnessRule(axis="skin_tone", unknown=("UNKNOWN",), standardise_by=("interest", "images")),
    )
