"""The sealed side of a bundle: judgements and held-out slices. Only the scorer and the importers may read it."""

from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from evaluator.public.digests import digest_table
from evaluator.public.tables import TableError, read_checked

POSITIVE = "positive"
HARD_NEGATIVE = "hard_negative"
TARGET = "target"
GRADED = "graded"

JUDGEMENT_SCHEMA = pa.schema(
    [
        ("query_id", pa.string()),
        ("image_id", pa.string()),
        ("label", pa.string()),
        ("kind", pa.string()),
        ("weight", pa.float64()),
        ("multiplicity", pa.int64()),
    ]
)
MOST_REPEATS = 1_000_000
REMEDY = "install the bundle again"
OPTIONAL = ("image_id",)
SLICE_SCHEMA = pa.schema([("query_id", pa.string()), ("axis", pa.string()), ("value", pa.string())])


class GroundTruthError(ValueError):
    """Ground truth that is absent or does not belong to the benchmark: the message says which and what to do."""


@dataclass(frozen=True)
class GroundTruth:
    """Judgements and sealed slices, as stored.

    Attributes:
        judgements: One row per (query, image, label), texts dictionary-encoded: ``image_id`` is null for an entry that no list can reach but
            that counts; ``kind`` is the kind of hard negative or ""; ``weight`` is the grade where the label is
            "graded"; ``multiplicity`` is how often the organiser's file lists the image.
        slices: query_id, axis, value for axes that are sealed, resampling units among them.
    """

    judgements: pa.Table
    slices: pa.Table


def load_ground_truth(sealed_root: Path) -> GroundTruth:
    """Read a bundle's `sealed` directory.

    Args:
        sealed_root: The directory that holds ground_truth.parquet and slices.parquet.

    Raises:
        GroundTruthError: If a file is missing, damaged, or has other columns, types or nulls, or odd counts.
    """
    judgements = _read(sealed_root / "ground_truth.parquet", JUDGEMENT_SCHEMA, encoded=True)
    counts = judgements.column("multiplicity").to_numpy()
    if len(counts) and not 1 <= counts.min() <= counts.max() <= MOST_REPEATS:
        raise GroundTruthError(f"ground_truth.parquet has a multiplicity outside 1 to {MOST_REPEATS:,}; {REMEDY}")
    return GroundTruth(judgements, _read(sealed_root / "slices.parquet", SLICE_SCHEMA))


def digest_ground_truth(judgements: pa.Table, slices: pa.Table) -> str:
    """Digest of the sealed side: judgements and sealed slices together."""
    both = digest_table(judgements, JUDGEMENT_SCHEMA.names) + digest_table(slices, SLICE_SCHEMA.names)
    return digest_table(pa.table({"parts": [both]}), ["parts"])


def _read(path: Path, schema: pa.Schema, *, encoded: bool = False) -> pa.Table:
    try:
        return read_checked(path, schema, optional=OPTIONAL, encoded=encoded).select(schema.names)
    except FileNotFoundError:
        raise GroundTruthError(f"there is no {path.name} under the sealed root; {REMEDY}") from None
    except TableError as error:
        raise GroundTruthError(f"{path.name} cannot be used: {error}; {REMEDY}") from None
