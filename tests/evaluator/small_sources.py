"""Official files of CIRR, FashionIQ and GeneCIS in small, made up for tests, and faultless runs for them."""

import json
from pathlib import Path
from typing import Any

CIRR_IMAGES = [f"dev-{number}-0-img0" for number in range(60)]
CIRR_SETS = {7: CIRR_IMAGES[:6], 9: CIRR_IMAGES[6:12]}


def cirr_entry(pair: int, image_set: int, reference: int, target: int) -> dict[str, Any]:
    """A query of the val captions; reference and target are positions in its set."""
    members = CIRR_SETS[image_set]
    return {
        "pairid": pair,
        "reference": members[reference],
        "target_hard": members[target],
        "target_soft": {members[target]: 1.0},
        "caption": f"change {pair}",
        "img_set": {"id": image_set, "members": members, "reference_rank": reference, "target_rank": target},
    }


CIRR_ENTRIES = [cirr_entry(12, 7, 0, 1), cirr_entry(13, 7, 2, 3), cirr_entry(20, 9, 0, 5)]
CIRR_ENTRIES[1]["target_soft"] = {CIRR_IMAGES[3]: -1.0, CIRR_IMAGES[4]: 0.5, CIRR_IMAGES[30]: 0.2}
"""The annotators doubt the target of the second query, and one of its labels lies outside its set."""


def write_cirr(folder: Path, split: str = "val", entries: list[dict[str, Any]] | None = None) -> Path:
    """CIRR's captions and image split; those of test1 have no targets."""
    entries = CIRR_ENTRIES if entries is None else entries
    images = CIRR_IMAGES
    if split == "test1":
        text = json.dumps([{key: entry[key] for key in entry if not key.startswith("target")} for entry in entries])
        entries = json.loads(text.replace("dev-", "test1-"))
        images = [image.replace("dev-", "test1-") for image in images]
    _write(folder / "captions" / f"cap.rc2.{split}.json", entries)
    _write(folder / "image_splits" / f"split.rc2.{split}.json", {image: f"./dev/{image}.png" for image in images})
    return folder


def cirr_run() -> dict[str, dict[str, Any]]:
    """Metric -> result file in which the target of the first query alone is first."""
    recall: dict[str, Any] = {"version": "rc2", "metric": "recall"}
    subset: dict[str, Any] = {"version": "rc2", "metric": "recall_subset"}
    for entry in CIRR_ENTRIES:
        pair, reference = str(entry["pairid"]), entry["reference"]
        recall[pair] = [image for image in CIRR_IMAGES[1:] if image != reference][:50]
        subset[pair] = [image for image in entry["img_set"]["members"] if image != reference][:3]
    return {"recall": recall, "recall_subset": subset}


FASHIONIQ_CATEGORIES = ("dress", "shirt", "toptee")
FASHIONIQ_SIZES = {"dress": 2, "shirt": 3, "toptee": 4}


def fashioniq_images(category: str) -> list[str]:
    """The 60 images of a category."""
    return [f"B{category[0].upper()}{number:08d}" for number in range(60)]


def fashioniq_captions(category: str) -> list[dict[str, Any]]:
    """The val captions of a category; target i is image i + 10."""
    images = fashioniq_images(category)
    return [
        {"target": images[i + 10], "candidate": images[i // 2], "captions": [f"is {category} {i}", "longer"]}
        for i in range(FASHIONIQ_SIZES[category])
    ]


def write_fashioniq(folder: Path, split: str = "val") -> Path:
    """FashionIQ's captions and image splits; those of test have no targets."""
    for category in FASHIONIQ_CATEGORIES:
        captions = fashioniq_captions(category)
        if split == "test":
            captions = [{key: entry[key] for key in ("candidate", "captions")} for entry in captions]
        _write(folder / "captions" / f"cap.{category}.{split}.json", captions)
        _write(folder / "image_splits" / f"split.{category}.{split}.json", fashioniq_images(category))
    return folder


def fashioniq_run() -> dict[str, list[dict[str, Any]]]:
    """Category -> result file in which targets stand at ranks 11 and below."""
    return {
        category: [
            {key: entry[key] for key in ("candidate", "captions")} | {"ranking": fashioniq_images(category)[:50]}
            for entry in fashioniq_captions(category)
        ]
        for category in FASHIONIQ_CATEGORIES
    }


def genecis_entry(first: int, reference: int) -> dict[str, Any]:
    """A query whose gallery are fifteen images from the first on, the target before the others."""
    images = [{"val_image_id": image} for image in range(first, first + 15)]
    return {
        "condition": "wall",
        "reference": {"val_image_id": reference},
        "target": images[0],
        "gallery": images[1:],
    }


GENECIS_ENTRIES = [genecis_entry(100, 1), genecis_entry(110, 1), genecis_entry(200, 2)]


def write_genecis(folder: Path, task: str = "change_object") -> Path:
    """GeneCIS's file of a task."""
    _write(folder / f"{task}.json", GENECIS_ENTRIES)
    return folder


def _write(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")
