"""The table of queries, checked by itself."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evaluator.importers.generic import cells
from evaluator.importers.generic.faults import FaultLog
from evaluator.importers.generic.rules import BASE_COLUMNS, PARAPHRASE_AXIS, axes_of_units
from evaluator.importers.generic.settings import Settings
from evaluator.importers.generic.tables import SourceTable, parents_of, where
from evaluator.sealed.slices import QUERY_AXIS

NEEDED = ("query_id", "reference_images", "modification")
ONLY_GALLERY = "all"


@dataclass(frozen=True)
class QueryColumns:
    """The queries in columns.

    Attributes:
        table: Where they stand.
        ids: (Q,) strings.
        references: (Q,) lists of image ids.
        modifications: (Q,) strings.
        gallery_ids: (Q,) strings.
        excluded: (Q,) lists of image ids.
        axes: Axis -> (Q,) lists of values; the paraphrase group is one too.
    """

    table: SourceTable
    ids: pa.Array
    references: pa.Array
    modifications: pa.Array
    gallery_ids: pa.Array
    excluded: pa.Array
    axes: dict[str, pa.Array]


def read_queries(table: SourceTable, settings: Settings, log: FaultLog) -> QueryColumns | None:
    """Check the table of queries, reporting every fault.

    Returns:
        Its columns, or None if one that is needed is absent or of another type.
    """
    _report_undeclared(table, settings, log)
    usable = cells.check_columns(table, NEEDED, list(table.columns), log)
    if not cells.check_is_text(table, ("query_id", "modification", "gallery_id", PARAPHRASE_AXIS), log) or not usable:
        return None
    found = QueryColumns(
        table=table,
        ids=table.texts("query_id"),
        references=table.lists("reference_images"),
        modifications=table.texts("modification"),
        gallery_ids=table.texts("gallery_id", ONLY_GALLERY),
        excluded=table.lists("exclude"),
        axes={
            name: table.lists(name)
            for name in (*(axis.name for axis in settings.axes), PARAPHRASE_AXIS)
            if name in table.columns
        },
    )
    for name in ("query_id", "gallery_id"):
        if name in table.columns:
            cells.check_filled(table, name, log)
    again = cells.repeated_texts(found.ids)
    log.report_rows("query-repeated", table, "query_id", again, "occurs more than once", "give each query its own id")
    blank = where(pc.equal(pc.utf8_trim_whitespace(found.modifications), ""))
    log.report_rows("modification-empty", table, "modification", blank, "is empty", "say what is to change")
    _check_images(found, settings, log)
    for name, lists in found.axes.items():
        cells.check_entries(table, name, lists, log)
    _check_axes(found, settings, log)
    return found


def _report_undeclared(table: SourceTable, settings: Settings, log: FaultLog) -> None:
    """Columns that nobody declared could hold what is to stay sealed, so none is taken for public."""
    known = {*BASE_COLUMNS, *(axis.name for axis in settings.axes)}
    for name in table.columns:
        if name not in known:
            remedy = f'write [[axes]] with name = "{name}" in benchmark.toml, or remove the column'
            log.report("column-unknown", "is a column not declared", remedy, file=table.name, line=1, value=name)
    for axis in settings.axes:
        if axis.name not in table.columns:
            words = f"has no column {axis.name}, which [[axes]] names"
            log.report("axis-absent", words, "add the column or remove the axis", file=table.name, line=1)


def _check_images(found: QueryColumns, settings: Settings, log: FaultLog) -> None:
    none = where(pc.equal(pc.list_value_length(found.references), 0))
    words = "names no reference image"
    log.report_rows("references-empty", found.table, "reference_images", none, words, "name at least one")
    for name, lists in (("reference_images", found.references), ("exclude", found.excluded)):
        if name in found.table.columns:
            cells.check_entries(found.table, name, lists, log)
            values, rows = pc.list_flatten(lists), parents_of(lists)
            cells.check_pattern(found.table, name, values, rows, settings.image_id_pattern, log)


def _check_axes(found: QueryColumns, settings: Settings, log: FaultLog) -> None:
    for where_used, name in axes_of_units(settings):
        if name == PARAPHRASE_AXIS and name not in found.axes:
            words = f"has no column {name}, which {where_used} names"
            log.report("axis-absent", words, "add it", file=found.table.name, line=1)
        if name != QUERY_AXIS and name in found.axes:
            odd = where(pc.not_equal(pc.list_value_length(found.axes[name]), 1))
            words = f"is not exactly one value, as {where_used} needs"
            log.report_rows("axis-single", found.table, name, odd, words, "write one value for every query")
    strata, units = settings.resampling.strata, settings.resampling.axis
    if strata in found.axes and units in found.axes:
        _check_strata(found, units, strata, log)
    _check_sealed(found, settings, log)


def _check_strata(found: QueryColumns, units: str, strata: str, log: FaultLog) -> None:
    unit, stratum = codes_of(found.axes[units]), codes_of(found.axes[strata])
    if unit is None or stratum is None:
        return
    first = np.full(int(unit.max()) + 1, -1, np.int64)
    first[unit[::-1]] = stratum[::-1]
    astray = np.flatnonzero(first[unit] != stratum)
    words = f"is in another stratum than earlier queries of the same {units}"
    log.report_rows("units-not-nested", found.table, strata, astray, words, "every unit must lie in one stratum")


def _check_sealed(found: QueryColumns, settings: Settings, log: FaultLog) -> None:
    """A public column with the values of a sealed one would publish them."""
    public = [axis.name for axis in settings.axes if not axis.sealed and axis.name in found.axes]
    for axis in settings.axes:
        if axis.sealed and axis.name in found.axes:
            values = found.axes[axis.name]
            for name in public:
                if found.axes[name].equals(values):
                    words = f"holds the values of the sealed axis {axis.name}, but is public"
                    where_ = f"column {name}"
                    log.report("sealed-public", words, "seal it or remove it", file=found.table.name, column=where_)


def codes_of(lists: pa.Array) -> NDArray[np.int64] | None:
    """(Q,) the value of each query as a number, None unless each has exactly one."""
    if len(where(pc.not_equal(pc.list_value_length(lists), 1))):
        return None
    encoded = pc.list_flatten(lists).dictionary_encode()
    return np.asarray(encoded.indices.to_numpy(), np.int64)
