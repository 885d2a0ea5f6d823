"""CIRR: composed queries over NLVR2 images, each ranked over the whole split and over a set of six similar images.

Reads `captions/cap.rc2.<split>.json` (queries, and on val the ground truth) and `image_splits/split.rc2.<split>.json`
(gallery). Of test1 only the organisers' server knows the ground truth.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Literal

import pyarrow as pa

from evaluator.formats.cirr import SUBSET_SUFFIX
from evaluator.importers.bundle_writer import BundleParts, ImportSourceError
from evaluator.importers.json_files import read_json, read_list
from evaluator.public.bundle import GALLERY_SCHEMA
from evaluator.public.manifest import PART_AXIS, Display, Manifest, Part, Protocol, ResamplingUnit
from evaluator.public.query import Query
from evaluator.sealed.ground_truth import GRADED, JUDGEMENT_SCHEMA, POSITIVE

Split = Literal["val", "test1"]

IMAGE_SET: Final = "img_set"
REMEDY: Final = "get it from https://github.com/Cuberick-Orion/CIRR"
CITATION: Final = """@inproceedings{liu2021image,
  title={Image Retrieval on Real-Life Images With Pre-Trained Vision-and-Language Models},
  author={Liu, Zheyuan and Rodriguez-Opazo, Cristian and Teney, Damien and Gould, Stephen},
  booktitle={Proceedings of the IEEE/CVF International Conference on Computer Vision},
  pages={2125--2134},
  year={2021}
}"""
RECALL: Final = Part(
    name="recall",
    title="lists over the whole gallery (metric recall)",
    list_length=(50, 50),
    metrics=tuple(f"recall@{k}" for k in (1, 2, 5, 10, 50)),
)
RECALL_SUBSET: Final = Part(
    name="recall_subset",
    title="lists over the queries' sets (metric recall_subset)",
    list_length=(3, 3),
    metrics=tuple(f"recall_subset@{k}" for k in (1, 2, 3)),
)
HARD: Final = Protocol(
    name="hard",
    title="Hard labels",
    description=(
        "Recall@K is the share of queries whose one target is among the first K images; recall_subset@K ranks the "
        "query's own set of six images instead of the whole gallery. The reference image is in neither list."
    ),
    list_length=(3, 50),
    metrics=(*RECALL.metrics, *RECALL_SUBSET.metrics),
    primary="recall@1",
    parts=(RECALL, RECALL_SUBSET),
)
SOFT: Final = replace(
    HARD,
    name="soft",
    title="Soft labels",
    description=(
        "Each query counts the largest soft label (-1, 0.2, 0.5 or 1) among its first K images, where unlabelled "
        "images have 0 and negative values count as 0. Annotators doubted some targets, so the list with every "
        "target first reaches 0.990 recall@1 on val."
    ),
    truth="graded",
)
SERVER: Final = replace(
    HARD,
    name="server",
    title="Hard labels, as the public server",
    description=(
        "Hard labels divided by two queries more than there are: an inference, since the numbers of the organisers' "
        "server fit hits / (N + 2), and not taken from its code."
    ),
    extra_queries=2,
)


def read_cirr(source: Path, split: Split) -> BundleParts:
    """Read CIRR's official files.

    Args:
        source: Directory with `captions` and `image_splits`.
        split: `val`, or `test1`, whose targets are not in the files.

    Raises:
        ImportSourceError: If a file is missing or is not what its name says.
    """
    path = source / "captions" / f"cap.rc2.{split}.json"
    entries = read_list(path, REMEDY)
    images = _read_gallery(source / "image_splits" / f"split.rc2.{split}.json")
    try:
        queries = [_query(entry, split, part) for part in (RECALL, RECALL_SUBSET) for entry in entries]
        sets = {_set_id(entry): _members(entry) for entry in entries}
        judgements = [row for entry in entries for row in _judgements(entry)] if split == "val" else []
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ImportSourceError(f"{path} is not CIRR's {split} captions ({error!r}); {REMEDY}") from None
    members = {split: images, **sets}
    rows = [{"gallery_id": gallery, "image_id": image} for gallery, held in members.items() for image in held]
    return BundleParts(
        manifest=_manifest(split),
        queries=queries,
        galleries=pa.Table.from_pylist(rows, GALLERY_SCHEMA),
        judgements=pa.Table.from_pylist(judgements, JUDGEMENT_SCHEMA),
        show_judgements=split == "val",
    )


def _read_gallery(path: Path) -> list[str]:
    content = read_json(path, REMEDY)
    if not isinstance(content, dict) or not content:
        raise ImportSourceError(f"{path} must be an object with image names as keys; {REMEDY}")
    return list(content)


def _query(entry: dict[str, Any], split: Split, part: Part) -> Query:
    if split == "test1" and "target_hard" in entry:
        raise ValueError("its queries have targets, as only the val split's have")
    reference = str(entry["reference"])
    is_subset = part is RECALL_SUBSET
    if is_subset and reference not in _members(entry):
        raise ValueError(f"the reference of pair {entry['pairid']} is not in its own set")
    return Query(
        id=_pair_id(entry) + (SUBSET_SUFFIX if is_subset else ""),
        reference_images=(reference,),
        modification=str(entry["caption"]),
        gallery_id=_set_id(entry) if is_subset else split,
        exclude=(reference,),
        slices={PART_AXIS: (part.name,), IMAGE_SET: (_set_id(entry),)},
    )


def _pair_id(entry: dict[str, Any]) -> str:
    return str(int(entry["pairid"]))


def _set_id(entry: dict[str, Any]) -> str:
    return f"set-{int(entry['img_set']['id'])}"


def _members(entry: dict[str, Any]) -> list[str]:
    return [str(image) for image in entry["img_set"]["members"]]


def _judgements(entry: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The target and the soft labels; those of images outside the set cannot be reached in it and are left out there."""
    query, members = _pair_id(entry), _members(entry)
    labelled = [(str(image), GRADED, float(grade)) for image, grade in entry["target_soft"].items()]
    for image, label, weight in [(str(entry["target_hard"]), POSITIVE, 1.0), *labelled]:
        row = {"image_id": image, "label": label, "kind": "", "weight": weight, "multiplicity": 1}
        yield {"query_id": query, **row}
        if image in members:
            yield {"query_id": query + SUBSET_SUFFIX, **row}


def _manifest(split: Split) -> Manifest:
    return Manifest(
        name="cirr",
        version="1",
        split=split,
        title="CIRR",
        summary=(
            "Composed queries over real-life images, one target each, ranked over the whole split and over a set of "
            "six similar images."
        ),
        homepage="https://cirr.cecs.anu.edu.au",
        citation=CITATION,
        licence="MIT (annotations)",
        terms="The images are NLVR2's and come under its terms.",
        ground_truth="public" if split == "val" else "external",
        run_format="cirr",
        gallery_policy="closed",
        image_id_pattern=r"(?:dev|test1)-[0-9]+-[0-9]+-img[01]",
        resampling=ResamplingUnit(axis=IMAGE_SET, title="set of similar images"),
        display=Display(percent=True, decimals=3),
        protocols=(HARD, SOFT) if split == "val" else (HARD, SOFT, SERVER),
        slice_axes=(),
    )
