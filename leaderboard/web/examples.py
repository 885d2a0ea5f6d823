"""What a run looks like, and the commands that send one."""

from dataclasses import dataclass

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


_PINPOINT = """{
  "00001": {
    "retrieved_items": [
      "21495ece1faf8f6f8ce68dd53413f0c9",
      "d5e16bae572bab0e37e9a01f3cf93136"
    ]
  }
}"""
_CIRCO = """{
  "0": [359220, 4877, 550276],
  "1": [106394, 219873, 97421]
}"""
_SHAPES = {"pinpoint": ("PinPoint JSON", _PINPOINT), "circo": ("CIRCO JSON", _CIRCO)}


def example_of(split: Split) -> Example:
    """An example of the split's own format; the number of queries and the list length are the split's."""
    name = split.manifest["run_format"]
    title, content = _SHAPES.get(name, (f"{name} file", ""))
    shortest, longest = protocols_of(split)[0].list_length
    length = f"exactly {longest}" if shortest == longest else f"{shortest} to {longest}"
    return Example(
        title=title,
        content=content,
        rule=f"Every one of {split.n_queries:,} queries, {length} images each, best first, each image once.",
        file_name="run.json.gz",
    )
