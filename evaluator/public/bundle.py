"""The public side of a bundle, as methods, validators and scorers read it."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from evaluator.public.manifest import Manifest, read_manifest
from evaluator.public.query import Query

SLICE_PREFIX = "slice_"


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
        """queries.parquet as a table."""
        return _read(self.public_root / "queries.parquet")

    @cached_property
    def query_ids(self) -> tuple[str, ...]:
        """(Q,) ids in the benchmark's order."""
        return tuple(self.query_table.column("query_id").to_pylist())

    @cached_property
    def gallery_table(self) -> pa.Table:
        """galleries.parquet: gallery_id, image_id, in gallery order; empty for an open gallery without a list."""
        return _read(self.public_root / "galleries.parquet")

    @cached_property
    def image_ids(self) -> pa.Array:
        """(V,) every image id of every gallery once, in order of first appearance."""
        unique = pc.unique(self.gallery_table.column("image_id"))
        return unique.combine_chunks() if isinstance(unique, pa.ChunkedArray) else unique

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


def _read(path: Path) -> pa.Table:
    try:
        return pq.read_table(path)
    except FileNotFoundError:
        raise BundleError(f"{path} is missing; make the bundle again with `cirboard import`") from None
    except (pa.ArrowException, OSError) as error:
        raise BundleError(f"{path} is damaged: {error}; make the bundle again with `cirboard import`") from None
