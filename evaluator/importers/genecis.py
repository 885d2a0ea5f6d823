"""GeneCIS: choose, among a few images, the one that is like the reference under a condition; four tasks.

Reads `<task>.json`. In the organisers' evaluation the target is image 0 of each query's gallery and the file's
`gallery` follows, so that a list which names images by position gives the answer away: see `ranks_uploads`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Literal, get_args

import pyarrow as pa

from evaluator.importers.bundle_writer import BundleParts, ImportSourceError
from evaluator.importers.json_files import read_list
from evaluator.public.bundle import GALLERY_SCHEMA
from evaluator.public.manifest import Display, Manifest, Protocol, ResamplingUnit
from evaluator.public.query import Query
from evaluator.sealed.ground_truth import JUDGEMENT_SCHEMA, POSITIVE

Task = Literal["change_object", "focus_object", "change_attribute", "focus_attribute"]

TASKS: Final[tuple[Task, ...]] = get_args(Task)
REFERENCE: Final = "reference"
REMEDY: Final = "get it from https://github.com/facebookresearch/genecis"
CITATION: Final = """@inproceedings{vaze2023genecis,
  title={GeneCIS: A Benchmark for General Conditional Image Similarity},
  author={Vaze, Sagar and Carion, Nicolas and Misra, Ishan},
  booktitle={Proceedings of the IEEE/CVF Conference on Computer Vision and Pattern Recognition},
  year={2023}
}"""


def read_genecis(source: Path, task: Task) -> BundleParts:
    """Read one task of GeneCIS.

    Args:
        source: Directory with `<task>.json`.
        task: Which of the four.

    Raises:
        ImportSourceError: If the file is missing or is not what its name says.
    """
    path = source / f"{task}.json"
    entries = read_list(path, REMEDY)
    try:
        galleries = [_gallery(entry) for entry in entries]
        queries = [_query(str(position), entry) for position, entry in enumerate(entries)]
    except (KeyError, TypeError, ValueError) as error:
        raise ImportSourceError(f"{path} is not GeneCIS's {task} ({error!r}); {REMEDY}") from None
    row = {"label": POSITIVE, "kind": "", "weight": 1.0, "multiplicity": 1}
    judgements = [
        {"query_id": query.id, "image_id": held[0], **row} for query, held in zip(queries, galleries, strict=True)
    ]
    members = [
        {"gallery_id": query.gallery_id, "image_id": image}
        for query, held in zip(queries, galleries, strict=True)
        for image in held
    ]
    sizes = [len(held) for held in galleries]
    return BundleParts(
        manifest=_manifest(task, min(sizes), max(sizes)),
        queries=queries,
        galleries=pa.Table.from_pylist(members, GALLERY_SCHEMA),
        judgements=pa.Table.from_pylist(judgements, JUDGEMENT_SCHEMA),
        show_judgements=True,
    )


def _query(position: str, entry: dict[str, Any]) -> Query:
    reference = _image_id(entry["reference"])
    return Query(
        id=position,
        reference_images=(reference,),
        modification=str(entry["condition"]),
        gallery_id=position,
        slices={REFERENCE: (reference,)},
    )


def _gallery(entry: dict[str, Any]) -> list[str]:
    """The query's images in the order by which result files number them: the target, then the file's gallery."""
    return _told_apart([_image_id(image) for image in (entry["target"], *entry["gallery"])])


def _told_apart(images: Sequence[str]) -> list[str]:
    """An image that stands in a gallery again, as in one query of change_object, gets a number behind its id."""
    return [
        image if image not in images[:place] else f"{image}#{images[:place].count(image) + 1}"
        for place, image in enumerate(images)
    ]


def _image_id(image: dict[str, Any]) -> str:
    """COCO's id for objects; for attributes Visual Genome's id and the box of the instance, which is cropped."""
    if "val_image_id" in image:
        return str(int(image["val_image_id"]))
    left, top, width, height = (f"{float(edge):g}" for edge in image["instance_bbox"])
    return f"{int(image['image_id'])}_{left}_{top}_{width}_{height}"


def _manifest(task: Task, fewest: int, most: int) -> Manifest:
    slug = task.replace("_", "-")
    words = task.replace("_", " ")
    return Manifest(
        name=f"genecis-{slug}",
        version="1",
        split="test",
        title=f"GeneCIS {words}",
        summary=f"Conditional image similarity, {words}: which of {most} images is like the reference under a condition?",
        homepage="https://sgvaze.github.io/genecis",
        citation=CITATION,
        licence="CC BY-NC 4.0 (templates)",
        terms="Research use only, as the licence of the templates says.",
        ground_truth="public",
        run_format="genecis",
        gallery_policy="closed",
        image_id_pattern=r"[0-9][0-9_.e+-]*(?:#[0-9]+)?",
        resampling=ResamplingUnit(axis=REFERENCE, title="reference image"),
        display=Display(percent=True, decimals=1),
        protocols=(_official(fewest, most),),
        slice_axes=(),
    )


def _official(fewest: int, most: int) -> Protocol:
    return Protocol(
        name="official",
        title="Official",
        description=(
            "Every list orders its query's whole gallery; recall@K is the share of queries whose one target is among "
            "the first K. Positions in the organisers' file give the target away (it is always 0), so an uploaded "
            "order proves nothing and is never ranked."
        ),
        list_length=(fewest, most),
        metrics=("recall@1", "recall@2", "recall@3"),
        primary="recall@1",
        full_gallery=True,
        ranks_uploads=False,
    )
