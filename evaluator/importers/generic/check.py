"""Check an organiser's folder as a whole."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evaluator.formats.wording import counted
from evaluator.importers.generic.faults import FaultLog
from evaluator.importers.generic.gallery import IMAGES, ImageFiles, check_gallery, find_images, read_gallery
from evaluator.importers.generic.judgements import Judgements, read_judgements
from evaluator.importers.generic.queries import QueryColumns, codes_of, read_queries
from evaluator.importers.generic.reading import read_table
from evaluator.importers.generic.rules import PARAPHRASE_AXIS, check_rules, deepest, is_pattern, manifest_of
from evaluator.importers.generic.settings import ANY_ID, Settings, TomlFile, read_settings
from evaluator.importers.generic.source import Source
from evaluator.public.manifest import PART_AXIS
from evaluator.sealed.slices import QUERY_AXIS

ROUGH_BELOW = 50
"""Fewer units than this give rough intervals."""


def check_source(folder: Path, log: FaultLog) -> Source | None:
    """Check an organiser's folder, reporting every fault.

    Args:
        folder: Holds benchmark.toml, queries.csv, ground_truth.csv, and gallery.csv or images/; each table may be
            Parquet instead.

    Returns:
        The benchmark, or None if there are errors.
    """
    given = read_settings(folder, log)
    if given is None:
        _look_at_tables(folder, log)
        return None
    settings, file = given
    check_rules(settings, file)
    if not is_pattern(settings.image_id_pattern):
        settings = replace(settings, image_id_pattern=ANY_ID)
    table = read_table(folder, "queries", log, needed=True)
    queries = None if table is None else read_queries(table, settings, log)
    judgements = _read_truth(folder, settings, queries, log)
    images = find_images(folder, log)
    gallery = read_gallery(folder, images, settings, log)
    if queries is not None and gallery is not None:
        check_gallery(gallery, queries, judgements, log)
        _check_images_used(images, gallery, queries, log)
        _check_parts(queries, settings, log)
        if log.n("error") == 0:
            source = Source(settings, queries, judgements, gallery, images)
            _warn(source, file)
            return source
    return None


def _look_at_tables(folder: Path, log: FaultLog) -> None:
    """Without settings, the tables can still be read, so that what is wrong with their bytes is said at once."""
    for role in ("queries", "ground_truth", "gallery"):
        read_table(folder, role, log, needed=role == "queries")


def _read_truth(folder: Path, settings: Settings, queries: QueryColumns | None, log: FaultLog) -> Judgements | None:
    is_external = settings.ground_truth == "external"
    table = read_table(folder, "ground_truth", log, needed=not is_external)
    if table is None:
        return None
    if is_external:
        remedy = 'remove it, or write ground_truth = "held_out" to have runs scored here'
        log.report("truth-external", "is given, but ground_truth is external", remedy, file=table.name)
        return None
    return read_judgements(table, settings, queries, log)


def _check_images_used(images: ImageFiles, gallery: pa.Table, queries: QueryColumns, log: FaultLog) -> None:
    if gallery.num_rows == 0:
        return
    known = {*pc.unique(gallery.column("image_id")).to_pylist(), *pc.list_flatten(queries.references).to_pylist()}
    for image_id in images:
        if image_id not in known:
            words = "is neither in the gallery nor a reference image"
            log.report("image-file", words, "remove it", file=f"{IMAGES}/{images.paths[image_id].name}")


def _check_parts(queries: QueryColumns, settings: Settings, log: FaultLog) -> None:
    axis = queries.axes.get(PART_AXIS)
    for protocol in settings.protocols:
        if not protocol.parts or axis is None:
            continue
        known = pa.array([part.name for part in protocol.parts], pa.string())
        values = pc.list_flatten(axis)
        for name in pc.unique(values.filter(pc.invert(pc.is_in(values, value_set=known)))).to_pylist():
            words = f"is no part of the protocol {protocol.name}"
            column = f"column {PART_AXIS}"
            log.report("part-unknown", words, "name it in parts", file=queries.table.name, column=column, value=name)


def _warn(source: Source, file: TomlFile) -> None:
    """What is allowed, and seldom meant."""
    settings, queries = source.settings, source.queries
    n_units = _n_units(source)
    if n_units < ROUGH_BELOW:
        words = f"there are {counted(n_units, 'unit', 'units')} to resample; intervals over fewer than 50 are rough"
        file.report("units-few", "resampling", words, warning=True)
    smallest = int(pc.min(pc.value_counts(source.gallery.column("gallery_id")).field("counts")).as_py() or 0)
    for place, protocol in enumerate(manifest_of(settings).protocols):
        if smallest and protocol.list_length[0] > smallest and not protocol.full_gallery:
            words = f"asks for {protocol.list_length[0]:,} images, the smallest gallery holds {smallest:,}"
            file.report(
                "list-beyond-gallery",
                f"protocols[{place}].list_length",
                words,
                "no list can be that long",
                warning=True,
            )
        k = deepest(protocol.metrics)
        if smallest and k is not None and k > smallest:
            words = f"look {k:,} images deep, the smallest gallery holds {smallest:,}"
            file.report("cutoff-beyond-gallery", f"protocols[{place}].metrics", words, warning=True)
    for name in dict.fromkeys([PARAPHRASE_AXIS, *(p.language.axis for p in settings.protocols if p.language)]):
        codes = codes_of(queries.axes[name]) if name in queries.axes else None
        if codes is not None and (alone := int((np.bincount(codes) == 1).sum())):
            words = f"{counted(alone, 'group holds', 'groups hold')} one query, and say nothing about wordings"
            file.log.report("group-of-one", words, file=queries.table.name, column=f"column {name}", severity="warning")


def _n_units(source: Source) -> int:
    axis = source.settings.resampling.axis
    codes = None if axis == QUERY_AXIS else codes_of(source.queries.axes[axis])
    return len(source.queries.ids) if codes is None else int(codes.max()) + 1
