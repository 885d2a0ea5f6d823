"""The sealed side of a bundle: judgements and held-out slices. Only the scorer and the importers may read it."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

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
class LabelRows:
    """Judgements of one label.

    Attributes:
        queries: (P,) int32 positions in the ground truth's query ids.
        images: (P,) int32 positions in its image ids, -1 for an entry that no list can reach.
        counts: (P,) int, how often the organiser's file lists the image.
        weights: (P,) float64.
    """

    queries: NDArray[np.int32]
    images: NDArray[np.int32]
    counts: NDArray[np.int64]
    weights: NDArray[np.float64]


NO_ROWS: Final = LabelRows(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.int64), np.empty(0, np.float64))


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

    @cached_property
    def query_ids(self) -> pa.Array:
        """Different ids of judged queries."""
        return self._queries[1]

    @cached_property
    def image_ids(self) -> pa.Array:
        """Different ids of judged images."""
        return self._images[1]

    @cached_property
    def by_label(self) -> dict[str, LabelRows]:
        """Label -> its judgements, for each label that occurs."""
        labels, names = _encoded(self.judgements.column("label"))
        counts = np.asarray(self.judgements.column("multiplicity").to_numpy(), np.int64)
        weights = np.asarray(self.judgements.column("weight").to_numpy(), np.float64)
        rows = {name: np.flatnonzero(labels == code) for code, name in enumerate(names.to_pylist())}
        return {
            name: LabelRows(self._queries[0][chosen], self._images[0][chosen], counts[chosen], weights[chosen])
            for name, chosen in rows.items()
        }

    @cached_property
    def _queries(self) -> tuple[NDArray[np.int32], pa.Array]:
        return _encoded(self.judgements.column("query_id"))

    @cached_property
    def _images(self) -> tuple[NDArray[np.int32], pa.Array]:
        return _encoded(self.judgements.column("image_id"))


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


def _encoded(column: pa.ChunkedArray) -> tuple[NDArray[np.int32], pa.Array]:
    """(P,) the place of each text among the different ones, -1 for nulls; and these."""
    encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    encoded = encoded.unify_dictionaries()
    if encoded.num_chunks == 0:
        return np.empty(0, np.int32), pa.array([], pa.string())
    codes = [pc.fill_null(chunk.indices, -1).to_numpy(zero_copy_only=False) for chunk in encoded.chunks]
    return np.concatenate(codes).astype(np.int32, copy=False), encoded.chunk(0).dictionary


def _read(path: Path, schema: pa.Schema, *, encoded: bool = False) -> pa.Table:
    try:
        return read_checked(path, schema, optional=OPTIONAL, encoded=encoded).select(schema.names)
    except FileNotFoundError:
        raise GroundTruthError(f"there is no {path.name} under the sealed root; {REMEDY}") from None
    except TableError as error:
        raise GroundTruthError(f"{path.name} cannot be used: {error}; {REMEDY}") from None
