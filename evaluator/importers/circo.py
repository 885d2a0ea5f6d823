"""CIRCO: composed queries over COCO's unlabeled images, several positives each.

Annotations are `annotations/val.json` (with ground truth) and `annotations/test.json` (without: only the organisers'
server scores it). COCO's list of the 123,403 gallery images is a separate download and optional.
"""

from pathlib import Path
from typing import Any, Final, Literal

import pyarrow as pa

from evaluator.importers.bundle_writer import BundleParts, ImportSourceError
from evaluator.importers.json_files import read_json, read_list
from evaluator.public.bundle import GALLERY_SCHEMA
from evaluator.public.manifest import Display, Manifest, Protocol, ResamplingUnit, SliceAxis
from evaluator.public.query import Query
from evaluator.sealed.ground_truth import JUDGEMENT_SCHEMA, POSITIVE, TARGET

Split = Literal["val", "test"]

GALLERY_ID: Final = "coco_unlabeled2017"
CUTOFFS: Final = (5, 10, 25, 50)
REMEDY: Final = "get it from https://github.com/miccunifi/CIRCO"
COCO_REMEDY: Final = "get it from https://cocodataset.org/#download"
CITATION: Final = """@inproceedings{baldrati2023zero,
  title={Zero-Shot Composed Image Retrieval with Textual Inversion},
  author={Baldrati, Alberto and Agnolucci, Lorenzo and Bertini, Marco and Del Bimbo, Alberto},
  booktitle={Proceedings of the IEEE/CVF International Conference on Computer Vision},
  pages={15338--15347},
  year={2023}
}"""

OFFICIAL: Final = Protocol(
    name="official",
    title="Official",
    description=(
        "As the organisers' evaluation code: exactly 50 images per query; AP@K divides by min(K, positives); target "
        "recall counts only the image for which the modification was written; the reference image may be returned."
    ),
    list_length=(50, 50),
    metrics=(*(f"mAP@{k}" for k in CUTOFFS), *(f"target_recall@{k}" for k in CUTOFFS)),
    primary="mAP@5",
)


def read_circo(source: Path, split: Split, gallery: Path | None = None) -> BundleParts:
    """Read CIRCO's official annotations.

    Args:
        source: Directory with `annotations/val.json` and `annotations/test.json`, or with the two files themselves.
        split: Which of the two.
        gallery: COCO's `image_info_unlabeled2017.json`, which closes the gallery; None leaves it open.

    Raises:
        ImportSourceError: If a file is missing or is not what its name says.
    """
    path = _find(source, split)
    entries = read_list(path, REMEDY)
    try:
        queries = [_query(entry, split) for entry in entries]
        judgements = [row for entry in entries for row in _judgements(entry)] if split == "val" else []
    except (KeyError, TypeError, ValueError) as error:
        raise ImportSourceError(f"{path} is not CIRCO's {split} annotations ({error!r}); {REMEDY}") from None
    return BundleParts(
        manifest=_manifest(split, is_closed=gallery is not None),
        queries=queries,
        galleries=_gallery(gallery),
        judgements=pa.Table.from_pylist(judgements, JUDGEMENT_SCHEMA),
        show_judgements=split == "val",
    )


def _find(source: Path, split: Split) -> Path:
    for path in (source / "annotations" / f"{split}.json", source / f"{split}.json"):
        if path.is_file():
            return path
    raise ImportSourceError(f"there is no annotations/{split}.json under {source}; {REMEDY}")


def _query(entry: dict[str, Any], split: Split) -> Query:
    if split == "test" and "gt_img_ids" in entry:
        raise ValueError("its queries have ground truth, as only the val split's have")
    aspects = tuple(str(aspect) for aspect in entry["semantic_aspects"]) if split == "val" else ()
    return Query(
        id=str(int(entry["id"])),
        reference_images=(str(int(entry["reference_img_id"])),),
        modification=str(entry["relative_caption"]),
        gallery_id=GALLERY_ID,
        slices={"aspect": aspects} if split == "val" else {},
    )


def _judgements(entry: dict[str, Any]) -> list[dict[str, Any]]:
    positives = [int(image) for image in entry["gt_img_ids"]]
    target = int(entry["target_img_id"])
    rows = [(image, POSITIVE, positives.count(image)) for image in dict.fromkeys(positives)]
    return [
        {
            "query_id": str(int(entry["id"])),
            "image_id": str(image),
            "label": label,
            "kind": "",
            "weight": 1.0,
            "multiplicity": multiplicity,
        }
        for image, label, multiplicity in [*rows, (target, TARGET, 1)]
    ]


def _gallery(path: Path | None) -> pa.Table:
    if path is None:
        return GALLERY_SCHEMA.empty_table()
    content = read_json(path, COCO_REMEDY)
    try:
        images = [str(int(image["id"])) for image in content["images"]]
    except (KeyError, TypeError, ValueError) as error:
        raise ImportSourceError(f"{path} is not COCO's image_info_unlabeled2017.json ({error!r})") from None
    return pa.table({"gallery_id": [GALLERY_ID] * len(images), "image_id": images}, GALLERY_SCHEMA)


def _manifest(split: Split, *, is_closed: bool) -> Manifest:
    return Manifest(
        name="circo",
        version="1",
        split=split,
        title="CIRCO",
        summary=(
            "Composed queries over 123,403 unlabeled COCO images, with all positives of each query annotated "
            "(4.5 on average) and nine semantic aspects."
        ),
        homepage="https://github.com/miccunifi/CIRCO",
        citation=CITATION,
        licence="CC BY-NC 4.0 (annotations)",
        terms="Research use only, as the licence of the annotations and the terms of COCO say.",
        ground_truth="public" if split == "val" else "external",
        run_format="circo",
        gallery_policy="closed" if is_closed else "open",
        image_id_pattern=r"0|[1-9][0-9]{0,11}",
        resampling=ResamplingUnit(axis="query", title="query"),
        display=Display(percent=True, decimals=2),
        protocols=(OFFICIAL,),
        slice_axes=(SliceAxis("aspect", "Semantic aspect"),) if split == "val" else (),
    )
