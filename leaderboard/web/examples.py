"""What a run looks like, and the commands that send one."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Any, Final

import pyarrow.compute as pc
from django.conf import settings

from evaluator.formats.cirr import METRICS, SUBSET_SUFFIX, VERSION
from evaluator.formats.domain_conversion import BETWEEN, WRAPPER
from evaluator.formats.fashioniq import BETWEEN_CAPTIONS
from evaluator.formats.read import FORMATS
from evaluator.public.bundle import Benchmark, load_benchmark
from leaderboard.models import Split
from leaderboard.tables.asked import rule_of

N_QUERIES: Final = 2
N_IMAGES: Final = 3


@dataclass(frozen=True, slots=True)
class Example:
    """The official format of a benchmark's result files, in a few lines.

    Attributes:
        title: What the format is called.
        packing: How its files are sent.
        content: The beginning of a file, or of each file of a run.
        rule: What must be in it.
        file_name: As used in the commands.
    """

    title: str
    packing: str
    content: str
    rule: str
    file_name: str


def example_of(split: Split) -> Example:
    """An example with the split's own ids; the number of queries and the list length are the split's too."""
    result_format = FORMATS[split.rules.run_format]
    n_files = result_format.most_files
    family = result_format.family.capitalize() if result_format.family.islower() else result_format.family
    return Example(
        title="JSON of lists by query" if result_format.name == "lists" else f"{family} JSON",
        packing=f"up to {n_files} files in one zip" if n_files > 1 else "plain, gzip, zstd or zip",
        content=_beginning(split.folder, split.manifest_digest, result_format.name),
        rule=rule_of(split),
        file_name="run.zip" if n_files > 1 else "run.json.gz",
    )


@lru_cache(maxsize=32)
def refuses_references(folder: str, manifest_digest: str) -> bool:  # noqa: ARG001 - the digest ends the cache's memory
    """Whether some lists may not hold certain images, as CIRR's not their query's reference image."""
    benchmark = load_benchmark(settings.PUBLIC_ROOT / folder)
    return bool(pc.any(pc.greater(pc.list_value_length(benchmark.query_table.column("exclude")), 0)).as_py())


@lru_cache(maxsize=32)
def _beginning(folder: str, manifest_digest: str, run_format: str) -> str:  # noqa: ARG001 - the digest ends the cache's memory
    """The beginning of a file, with the first queries and images of the benchmark's public side."""
    draw = _DRAWN.get(run_format)
    return draw(load_benchmark(settings.PUBLIC_ROOT / folder)) if draw else FORMATS[run_format].example


def _circo(benchmark: Benchmark) -> str:
    images = ", ".join(_images(benchmark, 0))
    return _object(f"{_text(query)}: [{images}, ...]" for query in _queries(benchmark))


def _lists(benchmark: Benchmark) -> str:
    return _object(f"{_text(query)}: {_list(_images(benchmark, 0))}" for query in _queries(benchmark))


def _pinpoint(benchmark: Benchmark) -> str:
    shown = ",\n    ".join(map(_text, _images(benchmark, 0)))
    return _object(f'{_text(query)}: {{"retrieved_items": [\n    {shown}, ...]}}' for query in _queries(benchmark))


def _cirr(benchmark: Benchmark) -> str:
    """Both files, each with the first query of its part."""
    files = []
    for metric in METRICS:
        is_subset = metric == METRICS[1]
        place = next(n for n, query in enumerate(benchmark.query_ids) if query.endswith(SUBSET_SUFFIX) == is_subset)
        head = [f'"version": "{VERSION}"', f'"metric": "{metric}"']
        query = benchmark.query_ids[place].removesuffix(SUBSET_SUFFIX)
        last = "" if is_subset else ", ..."
        images = ", ".join(map(_text, _images(benchmark, place)))
        files.append(_object([*head, f"{_text(query)}: [\n    {images}{last}]"]))
    return "\n\n".join(files)


def _fashioniq(benchmark: Benchmark) -> str:
    """The first entry of each category's file."""
    table = benchmark.query_table.select(["reference_images", "modification"])
    ids = enumerate(benchmark.query_ids)
    files = []
    for category, members in groupby(ids, key=lambda entry: entry[1].rpartition("/")[0]):
        place = next(members)[0]
        asked = table.slice(place, 1).to_pylist()[0]
        captions = json.dumps(asked["modification"].split(BETWEEN_CAPTIONS, 1), ensure_ascii=False)
        lines = [f'"candidate": {_text(asked["reference_images"][0])}', f'"captions": {captions}']
        entry = ",\n   ".join([*lines, f'"ranking": {_list(_images(benchmark, place))}'])
        files.append(f"{category}:\n[ {{{entry}}},\n  ... ]")
    return "\n\n".join(files)


def _genecis(benchmark: Benchmark) -> str:
    """The order in which the galleries stand, turned about: a list in their own order gives the target away."""
    shown = [
        json.dumps(list(reversed(range(_gallery(benchmark, place).num_rows))))
        for place in range(min(N_QUERIES, len(benchmark.query_ids)))
    ]
    return "[ " + ",\n  ".join([*shown, "..."]) + " ]"


def _domain_conversion(benchmark: Benchmark) -> str:
    """The first query, under the pair of domains to which it belongs; rankings may also hold row numbers."""
    pair, _, path = benchmark.query_ids[0].partition(BETWEEN)
    ranking = f"{_text(path)}: {_list(_images(benchmark, 0))}, ..."
    return f'{{"{WRAPPER}": {{\n  {_text(pair)}: {{\n    {ranking} }},\n  ... }}}}'


def _object(lines: Any) -> str:
    return "{\n" + ",\n".join([*(f"  {line}" for line in lines), "  ..."]) + "\n}"


def _list(images: Sequence[str]) -> str:
    return f"[{', '.join(map(_text, images))}, ...]"


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _queries(benchmark: Benchmark) -> list[str]:
    return list(benchmark.query_ids[:N_QUERIES])


def _images(benchmark: Benchmark, place: int) -> list[str]:
    """Images of a query's gallery, without those that its list may not hold; references where the gallery is open."""
    asked = benchmark.query_table.slice(place, N_IMAGES).to_pylist()
    members: list[str] = _gallery(benchmark, place).column("image_id").slice(0, N_IMAGES + 1).to_pylist()
    allowed = [image for image in members if image not in asked[0]["exclude"]]
    return (allowed or [image for query in asked for image in query["reference_images"]])[:N_IMAGES]


def _gallery(benchmark: Benchmark, place: int) -> Any:
    gallery = benchmark.query_table.column("gallery_id")[place]
    return benchmark.gallery_table.filter(pc.equal(benchmark.gallery_table.column("gallery_id"), gallery))


_DRAWN: Final[dict[str, Callable[[Benchmark], str]]] = {
    "circo": _circo,
    "cirr": _cirr,
    "domain_conversion": _domain_conversion,
    "fashioniq": _fashioniq,
    "genecis": _genecis,
    "icir": _lists,
    "lists": _lists,
    "pinpoint": _pinpoint,
}
