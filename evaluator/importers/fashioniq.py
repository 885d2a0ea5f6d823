"""FashionIQ: two captions say how a garment differs from the candidate shown; dresses, shirts and tops apart.

Reads `captions/cap.<category>.<split>.json` and `image_splits/split.<category>.<split>.json`. A query has no id in
these files: its position in its category's caption file is the id. The gallery is a choice that moves recall by
several points, so it is part of the names of split and protocol.
"""

from pathlib import Path
from typing import Any, Final, Literal

import pyarrow as pa

from evaluator.formats.fashioniq import BETWEEN_CAPTIONS
from evaluator.importers.bundle_writer import BundleParts, ImportSourceError
from evaluator.importers.json_files import read_list
from evaluator.public.bundle import GALLERY_SCHEMA
from evaluator.public.manifest import Display, Manifest, Protocol, ResamplingUnit, SliceAxis
from evaluator.public.query import Query
from evaluator.sealed.ground_truth import JUDGEMENT_SCHEMA, POSITIVE

Split = Literal["val", "test"]
Gallery = Literal["original", "val"]

CATEGORIES: Final = ("dress", "shirt", "toptee")
CATEGORY: Final = "category"
CANDIDATE: Final = "candidate"
REMEDY: Final = "get it from https://github.com/XiaoxiaoGuo/fashion-iq"
CITATION: Final = """@inproceedings{wu2021fashion,
  title={Fashion IQ: A New Dataset Towards Retrieving Images by Natural Language Feedback},
  author={Wu, Hui and Gao, Yupeng and Guo, Xiaoxiao and Al-Halah, Ziad and Rennie, Steven and Grauman, Kristen and Feris, Rogerio},
  booktitle={Proceedings of the IEEE/CVF Conference on Computer Vision and Pattern Recognition},
  pages={11307--11317},
  year={2021}
}"""
_GALLERY_WORDS: Final[dict[Gallery, str]] = {
    "original": "The gallery of a category is its original image split.",
    "val": "The gallery of a category is reduced to the images that occur as candidate or target in its val captions.",
}


def read_fashioniq(source: Path, split: Split, gallery: Gallery) -> BundleParts:
    """Read FashionIQ's official files.

    Args:
        source: Directory with `captions` and `image_splits`.
        split: `val`, or `test`, whose targets are not in the files.
        gallery: `original`: all images of the image splits; `val`: those that the captions of val name.

    Raises:
        ImportSourceError: If a file is missing or is not what its name says, or if the val gallery is asked of test.
    """
    if split == "test" and gallery == "val":
        raise ImportSourceError(
            "the val gallery is made from targets, which test does not have; use --gallery original"
        )
    captions = {category: _read_captions(source, category, split) for category in CATEGORIES}
    queries = [query for category, entries in captions.items() for query in _queries(category, entries)]
    judgements = [row for category, entries in captions.items() for row in _judgements(category, entries)]
    galleries = {
        category: _gallery_of(entries) if gallery == "val" else _read_gallery(source, category, split)
        for category, entries in captions.items()
    }
    rows = [{"gallery_id": category, "image_id": image} for category, held in galleries.items() for image in held]
    return BundleParts(
        manifest=_manifest(split, gallery),
        queries=queries,
        galleries=pa.Table.from_pylist(rows, GALLERY_SCHEMA),
        judgements=pa.Table.from_pylist(judgements, JUDGEMENT_SCHEMA),
        show_judgements=split == "val",
    )


def _read_captions(source: Path, category: str, split: Split) -> list[dict[str, Any]]:
    path = source / "captions" / f"cap.{category}.{split}.json"
    entries = read_list(path, REMEDY)
    for position, entry in enumerate(entries):
        if fault := _fault(entry, has_target=split == "val"):
            where = f"{path}, position {position}"
            raise ImportSourceError(f"{where}: {fault}; this is not FashionIQ's {split} captions; {REMEDY}")
    return entries


def _fault(entry: Any, *, has_target: bool) -> str | None:
    if not isinstance(entry, dict) or not isinstance(entry.get("candidate"), str):
        return "there is no candidate"
    captions = entry.get("captions")
    if not isinstance(captions, list) or not captions or not all(isinstance(caption, str) for caption in captions):
        return "there are no captions"
    if has_target != isinstance(entry.get("target"), str):
        return "there is no target" if has_target else "there is a target, as only the val split has"
    return None


def _read_gallery(source: Path, category: str, split: Split) -> list[str]:
    path = source / "image_splits" / f"split.{category}.{split}.json"
    images = read_list(path, REMEDY)
    if not all(isinstance(image, str) for image in images):
        raise ImportSourceError(f"{path} is not a list of image ids; {REMEDY}")
    return images


def _gallery_of(entries: list[dict[str, Any]]) -> list[str]:
    """Images that some caption is about, in order of first appearance."""
    return list(dict.fromkeys(image for entry in entries for image in (entry["candidate"], entry["target"])))


def _queries(category: str, entries: list[dict[str, Any]]) -> list[Query]:
    return [
        Query(
            id=f"{category}/{position}",
            reference_images=(entry["candidate"],),
            modification=BETWEEN_CAPTIONS.join(entry["captions"]),
            gallery_id=category,
            slices={CATEGORY: (category,), CANDIDATE: (f"{category}/{entry['candidate']}",)},
        )
        for position, entry in enumerate(entries)
    ]


def _judgements(category: str, entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    row = {"label": POSITIVE, "kind": "", "weight": 1.0, "multiplicity": 1}
    return [
        {"query_id": f"{category}/{position}", "image_id": entry["target"], **row}
        for position, entry in enumerate(entries)
        if "target" in entry
    ]


def _protocol(gallery: Gallery) -> Protocol:
    return Protocol(
        name=f"{gallery}_split",
        title=f"{gallery.capitalize()} split",
        description=(
            f"{_GALLERY_WORDS[gallery]} Exactly 50 images per query; the candidate is not removed and takes a rank. "
            "The overall value is the unweighted mean of the three categories. Papers report the mean of R@10 and "
            "R@50 too; there is no official number to rank by, and here it is recall@10, the stricter of the two."
        ),
        list_length=(50, 50),
        metrics=("recall@10", "recall@50"),
        primary="recall@10",
        average_over=CATEGORY,
    )


def _manifest(split: Split, gallery: Gallery) -> Manifest:
    return Manifest(
        name="fashioniq",
        version="1",
        split=f"{split}-{gallery}",
        title="FashionIQ",
        summary=(
            "Garments that differ from a candidate as two captions say, one target each, in three categories: "
            "dress, shirt, toptee."
        ),
        homepage="https://github.com/XiaoxiaoGuo/fashion-iq",
        citation=CITATION,
        licence="CDLA (annotations)",
        terms="The images are a shop's and are not part of the annotations' licence.",
        ground_truth="public" if split == "val" else "external",
        run_format="fashioniq",
        gallery_policy="closed",
        image_id_pattern="[0-9A-Z]{10}",
        resampling=ResamplingUnit(axis=CANDIDATE, title="candidate image", strata=CATEGORY),
        display=Display(percent=True, decimals=2),
        protocols=(_protocol(gallery),),
        slice_axes=(SliceAxis(CATEGORY, "Category"),),
    )
