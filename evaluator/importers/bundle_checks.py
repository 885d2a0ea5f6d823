"""What must hold between the parts of a bundle before it is written, whatever importer made them.

Judgements can be millions: every check is over whole columns.
"""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evaluator.importers.source_error import ImportSourceError
from evaluator.public.bundle import SLICE_PREFIX
from evaluator.public.id_patterns import IdPatternError, check_id_pattern, match_ids
from evaluator.public.lookup import positions_in
from evaluator.public.manifest import PART_AXIS, Manifest, Protocol
from evaluator.public.metric_names import check_metrics
from evaluator.public.pairs import pairs_of
from evaluator.sealed.ground_truth import POSITIVE
from evaluator.sealed.slices import QUERY_AXIS

Ints = NDArray[np.int64]


def check_parts(
    manifest: Manifest, queries: pa.Table, galleries: pa.Table, judgements: pa.Table, slices: pa.Table
) -> None:
    """Check everything that scorers and validators take for granted.

    Args:
        manifest: With or without digests.
        queries: As queries.parquet.
        galleries: Columns of GALLERY_SCHEMA.
        judgements: Columns of JUDGEMENT_SCHEMA.
        slices: Columns of SLICE_SCHEMA.

    Raises:
        ImportSourceError: Naming the first thing that contradicts another.
        MetricNameError: If a protocol asks for a metric that nothing computes.
    """
    query_ids = _flat(queries.column("query_id"))
    if repeated := _repeated(query_ids):
        raise ImportSourceError(f"query {repeated!r} occurs more than once")
    pairs = pa.table({"g": galleries.column("gallery_id"), "i": galleries.column("image_id")})
    if pairs.group_by(["g", "i"]).aggregate([]).num_rows != pairs.num_rows:
        raise ImportSourceError("an image occurs more than once in a gallery")
    _check_judged(manifest, query_ids, judgements)
    _check_ids(manifest, queries, galleries, judgements)
    if manifest.gallery_policy == "closed":
        _check_places(manifest, queries, galleries, judgements)
    if unknown := _first_outside(slices.column("query_id"), query_ids):
        raise ImportSourceError(f"query {unknown!r} has sealed slices but is not among the queries")
    _Axes(queries, slices).check(manifest)
    for protocol in manifest.protocols:
        check_metrics(protocol)


def _check_judged(manifest: Manifest, query_ids: pa.Array, judgements: pa.Table) -> None:
    judged = judgements.column("query_id")
    if unknown := _first_outside(judged, query_ids):
        raise ImportSourceError(f"query {unknown!r} is judged but is not among the queries")
    positives = judged.filter(pc.equal(judgements.column("label"), POSITIVE))
    if manifest.ground_truth != "external" and (bare := _first_outside(query_ids, positives)):
        raise ImportSourceError(f"query {bare!r} has no positive")


def _check_ids(manifest: Manifest, queries: pa.Table, galleries: pa.Table, judgements: pa.Table) -> None:
    """Every image id, wherever it stands, has the form that the manifest declares."""
    try:
        check_id_pattern(manifest.image_id_pattern)
    except IdPatternError as error:
        raise ImportSourceError(f"image_id_pattern is no regular expression: {error}") from None
    for place, images in (
        ("the gallery", galleries.column("image_id")),
        ("the judgements", judgements.column("image_id")),
        ("the reference images", pc.list_flatten(queries.column("reference_images"))),
        ("the excluded images", pc.list_flatten(queries.column("exclude"))),
    ):
        different = _flat(pc.drop_null(pc.unique(images)))
        is_id = match_ids(manifest.image_id_pattern, different)
        if not is_id.all():
            odd = different[int(np.argmin(is_id))].as_py()
            raise ImportSourceError(
                f"image {odd!r} of {place} is not of the form {manifest.image_id_pattern}, the image_id_pattern"
            )


def _check_places(manifest: Manifest, queries: pa.Table, galleries: pa.Table, judgements: pa.Table) -> None:
    """A closed gallery holds what is judged for its queries, and what is excluded where lists rank all the rest."""
    images = _flat(pc.unique(galleries.column("image_id")))
    names = _flat(pc.unique(galleries.column("gallery_id")))
    gallery_of_query = positions_in(queries.column("gallery_id"), names)
    if (gallery_of_query < 0).any():
        row = int(np.argmax(gallery_of_query < 0))
        gallery, query = (queries.column(name)[row].as_py() for name in ("gallery_id", "query_id"))
        raise ImportSourceError(f"query {query!r} ranks the gallery {gallery!r}, which holds no image")
    of_gallery = positions_in(galleries.column("gallery_id"), names)
    members = pairs_of(of_gallery, positions_in(galleries.column("image_id"), images), len(images))

    def check(rows: Ints, named: pa.ChunkedArray, what: str) -> None:
        places = positions_in(named, images)
        strays = ~members.holds(gallery_of_query[rows], places.astype(np.int32)) & pc.is_valid(named).to_numpy()
        if strays.any():
            row = int(np.argmax(strays))
            image, query = named[row].as_py(), queries.column("query_id")[int(rows[row])].as_py()
            where = "in no gallery" if places[row] < 0 else f"not in the gallery of query {query!r}"
            raise ImportSourceError(f"image {image!r} is {what} but is {where}")

    query_ids = _flat(queries.column("query_id"))
    check(positions_in(judgements.column("query_id"), query_ids), judgements.column("image_id"), "judged")
    if any(protocol.full_gallery for protocol in manifest.protocols):
        excluded = _flat(queries.column("exclude"))
        rows = np.asarray(pc.list_parent_indices(excluded).to_numpy(), np.int64)
        check(rows, pa.chunked_array([pc.list_flatten(excluded)], pa.string()), "excluded")


class _Axes:
    """The axes of a bundle, public and sealed, each looked at when it is asked for."""

    def __init__(self, queries: pa.Table, slices: pa.Table) -> None:
        self._queries = queries
        self._slices = slices
        self._query_ids = _flat(queries.column("query_id"))

    def check(self, manifest: Manifest) -> None:
        """Check that what the manifest names is there, with one value per query where scorers need that."""
        for axis in manifest.slice_axes:
            self._check_side(axis.name, sealed=axis.sealed)
        units = self._codes(manifest.resampling.axis, "resampling")
        if manifest.resampling.strata is not None:
            self._check_strata(manifest.resampling.axis, manifest.resampling.strata, units)
        if manifest.fairness:
            for name in (manifest.fairness.axis, *manifest.fairness.standardise_by):
                self._check_exists(name, "fairness")
        for protocol in manifest.protocols:
            self._check_protocol(protocol)

    def _check_strata(self, units_name: str, strata_name: str, units: Ints) -> None:
        strata = self._codes(strata_name, "resampling strata")
        of_unit = np.zeros(int(units.max(initial=-1)) + 1, np.int64)
        of_unit[units] = strata
        if not np.array_equal(of_unit[units], strata):
            raise ImportSourceError(f"a unit of the axis {units_name!r} lies in several strata of {strata_name!r}")

    def _check_protocol(self, protocol: Protocol) -> None:
        where = f"protocol {protocol.name!r}"
        for key, name in (("macro", protocol.macro), ("average_over", protocol.average_over)):
            if name is not None:
                self._codes(name, f"{where}: {key}")
        if protocol.language:
            self._codes(protocol.language.axis, f"{where}: language")
        if protocol.parts:
            self._codes(PART_AXIS, f"{where}: parts")
            known = {part.name for part in protocol.parts}
            if strays := set(pc.list_flatten(self._public(PART_AXIS)).unique().to_pylist()) - known:
                raise ImportSourceError(f"{where} has no part {min(strays)!r}, of which there are queries")

    def _public(self, name: str) -> pa.ChunkedArray:
        return self._queries.column(SLICE_PREFIX + name)

    def _sealed(self, name: str) -> pa.Table:
        return self._slices.filter(pc.equal(self._slices.column("axis"), name))

    def _is_public(self, name: str) -> bool:
        return SLICE_PREFIX + name in self._queries.column_names

    def _check_side(self, name: str, *, sealed: bool) -> None:
        """A sealed axis in a public column would give away what it is to keep."""
        self._check_exists(name, "slice_axes")
        if sealed == self._is_public(name):
            found, asked = ("public", "sealed") if sealed else ("sealed", "public")
            raise ImportSourceError(f"slice_axes: the axis {name!r} is declared {asked}, but its values are {found}")

    def _check_exists(self, name: str, where: str) -> None:
        if name != QUERY_AXIS and not self._is_public(name) and not self._sealed(name).num_rows:
            raise ImportSourceError(f"{where} names the axis {name!r}, which the benchmark does not have")

    def _codes(self, name: str, where: str) -> Ints:
        """(Q,) the value of each query, as a number.

        Raises:
            ImportSourceError: If the axis is absent, or a query has no value or several.
        """
        self._check_exists(name, where)
        if name == QUERY_AXIS:
            return np.arange(len(self._query_ids))
        if self._is_public(name):
            lists = _flat(self._public(name))
            rows, values = np.asarray(pc.list_parent_indices(lists).to_numpy(), np.int64), pc.list_flatten(lists)
        else:
            sealed = self._sealed(name)
            rows, values = positions_in(sealed.column("query_id"), self._query_ids), _flat(sealed.column("value"))
        counts = np.bincount(rows, minlength=len(self._query_ids))
        if (counts != 1).any():
            row = int(np.argmax(counts != 1))
            query = self._query_ids[row].as_py()
            raise ImportSourceError(
                f"{where} needs exactly one value per query on the axis {name!r}; query {query!r} has {counts[row]}"
            )
        codes = np.empty(len(rows), np.int64)
        codes[rows] = values.dictionary_encode().indices.to_numpy()
        return codes


def _flat(values: pa.ChunkedArray | pa.Array) -> pa.Array:
    if isinstance(values, pa.Array):
        return values
    return values.chunk(0) if values.num_chunks == 1 else pa.concat_arrays(values.chunks or [pa.array([], values.type)])


def _repeated(values: pa.Array) -> str | None:
    counts = pc.value_counts(values)
    repeated = counts.filter(pc.greater(counts.field("counts"), 1))
    return str(repeated.field("values")[0].as_py()) if len(repeated) else None


def _first_outside(values: pa.ChunkedArray | pa.Array, allowed: pa.ChunkedArray | pa.Array) -> str | None:
    outside = values.filter(pc.invert(pc.is_in(values, value_set=pc.unique(allowed))))
    return str(outside[0].as_py()) if len(outside) else None
