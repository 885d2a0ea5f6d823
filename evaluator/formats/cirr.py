"""CIRR's result files: ``{"version": "rc2", "metric": "recall", "12063": ["test1-1001-2-img0", ...]}``.

A run has two, told apart by ``metric``: lists over the whole gallery, and lists over the six images of a query's set.
Both use the same query ids; in a bundle those of the second kind end in `SUBSET_SUFFIX`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from evaluator.formats.json_objects import parse_object
from evaluator.formats.problems import ProblemLog
from evaluator.formats.result_format import Content, RawLists, ResultFormat, undisguised
from evaluator.formats.several_files import read_each
from evaluator.formats.shapes import SAMPLE, look_at
from evaluator.formats.wording import named, shown
from evaluator.public.bundle import Benchmark

VERSION: Final = "rc2"
RECALL, RECALL_SUBSET = "recall", "recall_subset"
METRICS: Final = (RECALL, RECALL_SUBSET)
SUBSET_SUFFIX: Final = "/subset"
EXAMPLE: Final = '{"version": "rc2", "metric": "recall", "12063": ["test1-1001-2-img0", ...], ...}'
_ESCAPE: Final = "/recall"
_PREFIXES: Final = {"train": "train-", "val": "dev-", "test1": "test1-"}
"""How the image names of each split begin."""


@dataclass(frozen=True, slots=True)
class _File:
    """One result file: its metric, and its entries without version and metric."""

    metric: str
    entries: dict[str, Any]


def read(contents: Sequence[Content], benchmark: Benchmark, log: ProblemLog) -> RawLists | None:
    """Read one or both files of a run; problems are reported, and None is returned if there are no lists."""
    files: dict[str, _File] = {}
    for file in read_each(contents, log, _read_file):
        if file.metric in files:
            message = f'Two files have the metric "{file.metric}".'
            log.report("part-repeated", message, value=file.metric, expected="one file for each metric")
        files.setdefault(file.metric, file)
    if not files or _is_other_split(files.values(), benchmark, log):
        return None
    lists = {
        _query_id(key, file.metric): _read_entry(_query_id(key, file.metric), entry, log)
        for file in files.values()
        for key, entry in file.entries.items()
    }
    return RawLists(list(lists), list(lists.values()))


def query_name(query_id: str) -> str:
    """A query as its file writes it, and which file that is.

    Example:
        >>> query_name("12063/subset"), query_name("12063")
        ('12063 (recall_subset)', '12063 (recall)')
    """
    if query_id.endswith(SUBSET_SUFFIX):
        return f"{query_id.removesuffix(SUBSET_SUFFIX)} ({RECALL_SUBSET})"
    return f"{query_id.removesuffix(_ESCAPE)} ({RECALL})"


def bare_id(text: str) -> str:
    """An image name in any disguise, as CIRR writes it.

    Example:
        >>> bare_id("./dev/dev-244-0-img0.png")
        'dev-244-0-img0'
    """
    return undisguised(text)


def official_id(text: str) -> str:
    """The official evaluator compares names as they are."""
    return text


def _query_id(key: str, metric: str) -> str:
    """A key of a recall file that looks like a query of the other kind must not become one."""
    if metric == RECALL_SUBSET:
        return key + SUBSET_SUFFIX
    return key + _ESCAPE if key.endswith((SUBSET_SUFFIX, _ESCAPE)) else key


def _read_file(content: Content, log: ProblemLog) -> _File | None:
    value = parse_object(content, log, family="CIRR", example=EXAMPLE)
    if value is None:
        return None
    look = look_at(value)
    if look and look.family not in {"", "CIRR"}:
        log.report("benchmark-wrong", f"This looks like {look.words}.", expected=f"an object such as {EXAMPLE}")
        return None
    entries = dict(value)
    metric = entries.pop("metric", None)
    _check_header("version", entries.pop("version", None), (VERSION,), "version-wrong", log)
    if not _check_header("metric", metric, METRICS, "metric-wrong", log):
        return None
    return _File(str(metric), entries)


def _check_header(key: str, value: Any, allowed: Sequence[str], code: str, log: ProblemLog) -> bool:
    if value in allowed:
        return True
    message = f'The file has no "{key}".' if value is None else f"The {key} is {shown(value)}."
    expected = " or ".join(f'"{key}": "{right}"' for right in allowed)
    log.report(code, message, value=None if value is None else shown(value), expected=expected)
    return False


def _is_other_split(files: Iterable[_File], benchmark: Benchmark, log: ProblemLog) -> bool:
    """Whether all images that are looked at are of one other split, by their names."""
    own = benchmark.manifest.split
    images = [image for file in files for image in _sample(file)]
    for split, prefix in _PREFIXES.items():
        if own in _PREFIXES and split != own and images and all(image.startswith(prefix) for image in images):
            log.report(
                "split-wrong",
                f"The images are named {prefix}…, as those of the split {split} are.",
                value=images[0],
                expected=f"images named {_PREFIXES[own]}…, of the split {own}",
                hint=f"Send this run to the split {split}, or make a run on {own}.",
            )
            return True
    return False


def _sample(file: _File) -> list[str]:
    lists = [entry for entry in islice(file.entries.values(), SAMPLE) if isinstance(entry, list)]
    return [image for entry in lists for image in entry[:SAMPLE] if isinstance(image, str)]


def _read_entry(query_id: str, entry: Any, log: ProblemLog) -> list[Any] | None:
    if isinstance(entry, list):
        return entry
    code = "list-null" if entry is None else "list-wrong-type"
    name = query_name(query_id)
    message = f"Query {name} has {named(entry)} instead of a list."
    log.report(code, message, query=name, value=shown(entry), expected="a list of image names")
    return None


FORMAT = ResultFormat(
    name="cirr",
    family="CIRR",
    example=EXAMPLE,
    ids_are_numbers=False,
    read=read,
    official_id=official_id,
    bare_id=bare_id,
    reference_note="Remove it: the official files leave it out.",
    most_files=2,
    query_name=query_name,
)
