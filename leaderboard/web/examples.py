"""What a run looks like, and the commands that send one."""

from dataclasses import dataclass
from functools import lru_cache

import pyarrow.compute as pc
from django.conf import settings

from evaluator.public.bundle import Benchmark, load_benchmark
from leaderboard.models import Split
from leaderboard.tables.rules import protocols_of


@dataclass(frozen=True, slots=True)
class Example:
    """The official format of a benchmark's result files, in a few lines.

    Attributes:
        title: What the format is called.
        content: The beginning of a file.
        rule: What must be in it, in one sentence.
        file_name: As used in the commands.
    """

    title: str
    content: str
    rule: str
    file_name: str


_TITLES = {"pinpoint": "PinPoint JSON", "circo": "CIRCO JSON", "lists": "JSON lists by query"}
N_QUERIES = 2
N_IMAGES = 3


def example_of(split: Split) -> Example:
    """An example with the split's own ids; the number of queries and the list length are the split's too."""
    name = split.manifest["run_format"]
    shortest, longest = protocols_of(split)[0].list_length
    length = f"exactly {longest}" if shortest == longest else f"{shortest} to {longest}"
    return Example(
        title=_TITLES.get(name, f"{name} file"),
        content=_beginning(split.folder, split.manifest_digest, name),
        rule=f"Every one of {split.n_queries:,} queries, {length} images each, best first, each image once.",
        file_name="run.json.gz",
    )


@lru_cache(maxsize=32)
def _beginning(folder: str, manifest_digest: str, run_format: str) -> str:  # noqa: ARG001 - the digest ends the cache's memory
    """The beginning of a file, with the first queries and images of the benchmark's public side."""
    queries, images = _first_ids(load_benchmark(settings.PUBLIC_ROOT / folder))
    match run_format:
        case "circo":
            lines = [f'  "{query}": [{", ".join(images)}, ...]' for query in queries]
        case "lists":
            shown = ", ".join(f'"{image}"' for image in images)
            lines = [f'  "{query}": [{shown}, ...]' for query in queries]
        case "pinpoint":
            shown = ",\n    ".join(f'"{image}"' for image in images)
            lines = [f'  "{query}": {{"retrieved_items": [\n    {shown}, ...]}}' for query in queries]
        case _:
            return ""
    return "{\n" + ",\n".join([*lines, "  ..."]) + "\n}"


def _first_ids(benchmark: Benchmark) -> tuple[list[str], list[str]]:
    """A few query ids, and images of the first one's gallery; where the gallery is open, reference images."""
    queries = benchmark.query_table.slice(0, N_IMAGES)
    gallery = benchmark.gallery_table
    members = gallery.filter(pc.equal(gallery.column("gallery_id"), queries.column("gallery_id")[0]))
    images = members.column("image_id").slice(0, N_IMAGES).to_pylist()
    references = pc.list_flatten(queries.column("reference_images")).to_pylist()
    return queries.column("query_id").slice(0, N_QUERIES).to_pylist(), images or references[:N_IMAGES]
