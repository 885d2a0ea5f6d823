"""Which kind of file something looks like, for people who sent the wrong one."""

import re
from dataclasses import dataclass
from itertools import islice
from typing import Any

SAMPLE = 50
"""Queries looked at; a file of one benchmark shows its shape in each of them."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a file looks like.

    Attributes:
        family: Benchmark whose result files look so, or "" where it is no result file.
        words: For a sentence "This looks like ...".
    """

    family: str
    words: str


_BYTES = (
    (rb"\x93NUMPY", "a NumPy array (.npy)"),
    (rb"\x89HDF\r\n", "an HDF5 file"),
    (rb"SQLite format 3", "a SQLite database"),
    (rb"\x80[\x02-\x05]", "a Python pickle, which is never opened here"),
    (rb"\x89PNG|\xff\xd8\xff|GIF8", "an image"),
    (rb"%PDF", "a PDF"),
    (rb"version https://git-lfs", "a Git LFS pointer: fetch the file itself with `git lfs pull`"),
    (rb"\s*<(?i:!doctype|html|\?xml)", "a web page; a download may have needed a log-in"),
    (rb"\s*\{[^\n]*\}\r?\n\s*\{", "JSON lines (one value per line)"),
    (rb"\s*[\w .-]+,[\w .,-]+\r?\n", "a CSV table"),
)


def look_at_bytes(content: bytes | bytearray) -> str | None:
    """What content that is not JSON looks like, in words, or None."""
    head = bytes(content[:4096])
    return next((words for pattern, words in _BYTES if re.match(pattern, head)), None)


def look_at(value: Any) -> Look | None:
    """What a JSON value looks like, or None."""
    if isinstance(value, dict):
        return _look_at_object(value)
    return _look_at_list(value) if isinstance(value, list) and value else None


def _look_at_object(value: dict[str, Any]) -> Look | None:
    sample = list(islice(value.items(), SAMPLE))
    if {"version", "metric"} <= value.keys():
        return Look("CIRR", "a CIRR result file (version, metric and lists of image names)")
    pairs = value.get("rankings") if isinstance(value.get("rankings"), dict) else value
    if pairs and all(isinstance(entry, dict) and "-->" in key for key, entry in islice(pairs.items(), SAMPLE)):
        return Look("domain conversion", "rankings of domain conversion (an object for each pair of domains)")
    if sample and all(isinstance(entry, dict) and "retrieved_items" in entry for _, entry in sample):
        return Look("PinPoint", "a PinPoint result file (retrieved_items for each query)")
    return _look_at_lists(sample) if all(isinstance(entry, list) for _, entry in sample) else None


def _look_at_lists(sample: list[tuple[str, list[Any]]]) -> Look | None:
    if sample and all("|" in key for key, _ in sample):
        return Look("i-CIR", "i-CIR rankings (a path and a text as the key of each list)")
    numbers = all(isinstance(image, int) for _, entry in sample for image in islice(entry, SAMPLE))
    if sample and numbers and all(re.fullmatch("0|[1-9][0-9]{0,9}", key) for key, _ in sample):
        return Look("CIRCO", "a CIRCO result file (a list of image numbers for each query number)")
    return None


def _look_at_list(value: list[Any]) -> Look | None:
    sample = value[:SAMPLE]
    if sample and all(isinstance(entry, dict) and "ranking" in entry for entry in sample):
        return Look("FashionIQ", "a FashionIQ result file (captions with a ranking each)")
    if sample and all(isinstance(entry, dict) and {"candidate", "captions"} <= entry.keys() for entry in sample):
        return Look("FashionIQ", "FashionIQ's caption file, without rankings")
    if all(isinstance(entry, list) and _is_order(entry) for entry in sample):
        return Look("GeneCIS", "a GeneCIS result file (an order of 0 to 14 for each query)")
    if all(isinstance(entry, list) for entry in sample):
        return Look("", f"a list of {len(value):,} lists without query ids")
    return None


def _is_order(entry: list[Any]) -> bool:
    return len(entry) in _GALLERY_SIZES and sorted(map(str, entry)) == sorted(map(str, range(len(entry))))


_GALLERY_SIZES = (10, 15)
