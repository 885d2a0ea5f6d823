"""The public side of a bundle, as methods, validators and scorers read it."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evaluator.public.lookup import positions_in
from evaluator.public.manifest import REMEDY, Manifest, read_manifest
from evaluator.public.query import Query
from evaluator.public.tables import TableError, read_checked

SLICE_PREFIX = "slice_"
GALLERY_SCHEMA = pa.schema([("gallery_id", pa.string()), ("image_id", pa.string())])
QUERY_SCHEMA = pa.schema(
    [
        ("query_id", pa.string()),
        ("reference_images", pa.list_(pa.string())),
        ("modification", pa.string()),
        ("gallery_id", pa.string()),
        ("paraphrase_group", pa.string()),
        ("exclude", pa.list_(pa.string())),
    ]
)


class BundleError(ValueError):
    """A bundle that cannot be used: the message names the file and the remedy."""


@dataclass(frozen=True)
class Benchmark:
    """A benchmark's public side. Loading is cheap; queries and galleries are read when first used.

    Attributes:
        public_root: Directory that holds benchmark.toml.
        manifest: What the benchmark is and how it is scored.
    """

    public_root: Path
    manifest: Manifest

    @cached_property
    def queries(self) -> tuple[Query, ...]:
        """All queries, in the benchmark's order."""
        rows = self.query_table.to_pylist()
        axes = [name for name in self.query_table.column_names if name.startswith(SLICE_PREFIX)]
        return tuple(
            Query(
                id=row["query_id"],
                reference_images=tuple(row["reference_images"]),
                modification=row["modification"],
                gallery_id=row["gallery_id"],
                paraphrase_group=row["paraphrase_group"],
                exclude=tuple(row["exclude"]),
                slices={axis.removeprefix(SLICE_PREFIX): tuple(row[axis]) for axis in axes},
            )
            for row in rows
        )

    @cached_property
    def query_table(self) -> pa.Table:
        """queries.parquet as a table: QUERY_SCHEMA and one list of strings per public axis."""
        path = self.public_root / "queries.parquet"
        table = _read(path, QUERY_SCHEMA, optional={"paraphrase_group"}, prefix=SLICE_PREFIX)
        if table.num_rows == 0 or pc.count_distinct(table.column("query_id")).as_py() != table.num_rows:
            raise BundleError(f"{path} cannot be used: it holds no query, or one more than once; {REMEDY}")
        return table

    @cached_property
    def query_ids(self) -> tuple[str, ...]:
        """(Q,) ids in the benchmark's order."""
        return tuple(self.query_table.column("query_id").to_pylist())

    @cached_property
    def query_id_array(self) -> pa.Array:
        """The same as an Arrow column."""
        return pa.array(self.query_ids, pa.string())

    @cached_property
    def gallery_table(self) -> pa.Table:
        """galleries.parquet: gallery_id, image_id, in gallery order; empty for an open gallery without a list."""
        path = self.public_root / "galleries.parquet"
        table = _read(path, GALLERY_SCHEMA)
        if table.num_rows == 0 and self.manifest.gallery_policy == "closed":
            raise BundleError(f"{path} cannot be used: it holds no image, but the gallery is closed; {REMEDY}")
        return table

    @cached_property
    def image_ids(self) -> pa.Array:
        """(V,) every image id of every gallery once, in order of first appearance."""
        unique = pc.unique(self.gallery_table.column("image_id"))
        return unique.combine_chunks() if isinstance(unique, pa.ChunkedArray) else unique

    def places_of(self, ids: pa.Array) -> NDArray[np.int64]:
        """(N,) position in ``image_ids`` of each of some different ids, -1 for an image of no gallery."""
        if ids.equals(self.image_ids):
            return np.arange(len(ids))
        return positions_in(ids, self.image_ids)

    @cached_property
    def members(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(M,) gallery, a position in ``gallery_ids``, and (M,) image, one in ``image_ids``, of each gallery row."""
        galleries = positions_in(self.gallery_table.column("gallery_id"), pa.array(self.gallery_ids, pa.string()))
        n_rows = self.gallery_table.num_rows
        if n_rows == len(self.image_ids):
            return galleries, np.arange(n_rows)
        return galleries, positions_in(self.gallery_table.column("image_id"), self.image_ids)

    @cached_property
    def gallery_of_query(self) -> NDArray[np.int64]:
        """(Q,) position in ``gallery_ids``, -1 where the gallery is not listed."""
        return positions_in(self.query_table.column("gallery_id"), pa.array(self.gallery_ids, pa.string()))

    @cached_property
    def gallery_ids(self) -> tuple[str, ...]:
        """Ids of the galleries, in order of first appearance."""
        return tuple(pc.unique(self.gallery_table.column("gallery_id")).to_pylist())


def load_benchmark(path: Path) -> Benchmark:
    """Load a bundle's public side.

    Args:
        path: The bundle directory, or its `public` directory alone.

    Raises:
        ManifestError: If benchmark.toml cannot be used.
    """
    root = path / "public" if (path / "public").is_dir() else path
    return Benchmark(root, read_manifest(root / "benchmark.toml"))


def _read(path: Path, schema: pa.Schema, *, optional: Collection[str] = (), prefix: str = "") -> pa.Table:
    try:
        return read_checked(path, schema, optional=optional, prefix=prefix)
    except FileNotFoundError:
        raise BundleError(f"{path} is missing; {REMEDY}") from None
    except TableError as error:
        raise BundleError(f"{path} cannot be used: {error}; {REMEDY}") from None
