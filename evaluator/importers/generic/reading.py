"""Find and read an organiser's tables. Whatever they hold, what is wrong is reported and nothing crashes."""

import codecs
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pv
import pyarrow.parquet as pq

from evaluator.importers.generic.faults import FaultLog
from evaluator.importers.generic.tables import SourceTable, is_list

MOST_BYTES = 4 << 30
MOST_ROWS = 50_000_000
MOST_COLUMNS = 200
LONGEST_CELL = 20_000
_BLOCK_BYTES = 16 << 20
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
SAVE_AS_UTF8 = "save it as UTF-8"


def read_table(folder: Path, role: str, log: FaultLog, *, needed: bool) -> SourceTable | None:
    """Read `ROLE.csv` or `ROLE.parquet`, reporting whatever keeps it from being read.

    Args:
        folder: The organiser's folder.
        role: Such as "queries".
        needed: Whether its absence is a fault.

    Returns:
        The table without the rows that are ragged, or None if nothing can be made of it.
    """
    path = _find(folder, role, log, needed=needed)
    if path is None or not is_inside(path, folder, log):
        return None
    if path.stat().st_size > MOST_BYTES:
        log.report("file-too-large", "is larger than 4 GiB", "split the benchmark", file=path.name)
        return None
    table = (_read_csv if path.suffix == ".csv" else _read_parquet)(path, log)
    if table is not None and table.n_rows:
        _report_long_cells(table, log)
        return table
    if table is not None:
        log.report("table-empty", "holds no row", "write at least one", file=path.name)
    return None


def _find(folder: Path, role: str, log: FaultLog, *, needed: bool) -> Path | None:
    named = (folder / f"{role}.csv", folder / f"{role}.parquet")
    found = [path for path in named if path.exists() or path.is_symlink()]
    if len(found) > 1:
        log.report("table-twice", f"stands beside {found[1].name}", "keep one of the two", file=found[0].name)
    elif not found and needed:
        log.report("table-absent", "does not exist", f"write {role}.csv or {role}.parquet", file=f"{role}.csv")
    return found[0] if len(found) == 1 else None


def is_inside(path: Path, folder: Path, log: FaultLog) -> bool:
    """Whether a file is a regular one that lies in the folder; links that lead out would carry strangers' files in."""
    real = path.resolve()
    if not real.is_relative_to(folder.resolve()):
        log.report("path-outside", "is a link that leads out of the folder", "copy the file here", file=path.name)
        return False
    if not real.is_file():
        log.report("file-odd", "is not a regular file", "replace it by one", file=path.name)
        return False
    return True


def _read_csv(path: Path, log: FaultLog) -> SourceTable | None:
    if not _is_utf8(path, log):
        return None
    ragged: list[tuple[int | None, int, int]] = []

    def skip(row: pv.InvalidRow) -> str:
        ragged.append((row.number, row.actual_columns, row.expected_columns))
        return "skip"

    table = None
    try:
        names = _header(path)
        if _are_names(names, path, log):
            table = _read_rows(path, names, skip)
    except (pa.ArrowException, OSError) as error:
        log.report("table-broken", f"is no CSV table ({_first_line(error)})", "check its quotes", file=path.name)
    for line, found, expected in ragged:
        words = f"the row has {found:,} fields, the header {expected:,}"
        log.report("row-ragged", words, 'put fields that hold a comma in "double quotes"', file=path.name, line=line)
    return table


def _header(path: Path) -> list[str]:
    parsing = pv.ParseOptions(newlines_in_values=True, invalid_row_handler=lambda _: "skip")
    with pv.open_csv(path, pv.ReadOptions(use_threads=False, block_size=_BLOCK_BYTES), parsing) as reader:
        return [str(name) for name in reader.schema.names]


def _read_rows(path: Path, names: list[str], skip: Callable[[pv.InvalidRow], str]) -> SourceTable:
    table = pv.read_csv(
        path,
        # Threads would lose the number of a ragged row.
        pv.ReadOptions(use_threads=False, block_size=_BLOCK_BYTES),
        pv.ParseOptions(newlines_in_values=True, invalid_row_handler=skip),
        pv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False, quoted_strings_can_be_null=False
        ),
    )
    return SourceTable(path, {name: _whole(table.column(name)) for name in names}, table.num_rows)


def _is_utf8(path: Path, log: FaultLog) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    line = 1
    with path.open("rb") as file:
        head = file.read(4)
        if head.startswith(_WIDE):
            log.report("encoding", "is UTF-16", SAVE_AS_UTF8, file=path.name)
            return False
        if head.startswith(codecs.BOM_UTF8):
            words = "begins with a byte-order mark, which is ignored"
            log.report("byte-order-mark", words, f"{SAVE_AS_UTF8} without one", file=path.name, severity="warning")
        file.seek(0)
        for block in _blocks(file.read):
            try:
                decoder.decode(block, final=not block)
            except UnicodeDecodeError as error:
                line += error.object[: error.start].count(b"\n")
                log.report("encoding", "is not UTF-8", SAVE_AS_UTF8, file=path.name, line=line)
                return False
            line += block.count(b"\n")
    return True


def _blocks(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """Blocks of a file, the last one empty."""
    while block := read(1 << 20):
        yield block
    yield b""


def _are_names(names: list[str], path: Path, log: FaultLog) -> bool:
    repeated = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    for name in repeated:
        log.report("column-twice", "is the name of two columns", "rename one", file=path.name, line=1, value=name)
    if len(names) > MOST_COLUMNS:
        log.report("columns-many", f"has {len(names):,} columns", f"at most {MOST_COLUMNS} are read", file=path.name)
    return not repeated and len(names) <= MOST_COLUMNS


def _read_parquet(path: Path, log: FaultLog) -> SourceTable | None:
    try:
        file = pq.ParquetFile(path)
        about = file.metadata
        groups = [about.row_group(group) for group in range(about.num_row_groups)]
        if about.num_rows > MOST_ROWS or sum(group.total_byte_size for group in groups) > MOST_BYTES:
            log.report(
                "file-too-large", "holds more rows or bytes than are read", "split the benchmark", file=path.name
            )
            return None
        if not _are_names(list(file.schema_arrow.names), path, log):
            return None
        table = file.read()
    except (pa.ArrowException, OSError) as error:
        log.report("table-broken", f"is no whole Parquet file ({_first_line(error)})", "write it again", file=path.name)
        return None
    columns = {name: _as_text(table.column(name), name, path, log) for name in table.column_names}
    return SourceTable(path, {n: column for n, column in columns.items() if column is not None}, table.num_rows)


def _as_text(column: pa.ChunkedArray, name: str, path: Path, log: FaultLog) -> pa.Array | None:
    try:
        texts = _cast(column)
    except pa.ArrowException:
        texts = None
    where = f"column {name}"
    if texts is None:
        words = f"has the type {column.type}"
        log.report("type-wrong", words, "write text or list<string>", file=path.name, column=where)
    elif is_list(texts) and pc.list_flatten(texts).null_count:
        log.report("list-null", "has nulls within lists", "leave them out", file=path.name, column=where)
        return None
    return texts


def _cast(column: pa.ChunkedArray) -> pa.Array | None:
    """Texts without nulls or lists of texts without null lists; None for a type that is neither."""
    kind = column.type
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        lists = _whole(column.cast(pa.list_(pa.string())))
        return pc.if_else(pc.is_valid(lists), lists, pa.scalar([], lists.type)) if lists.null_count else lists
    if pa.types.is_nested(kind) or pa.types.is_binary(kind):
        return None
    return pc.fill_null(_whole(column.cast(pa.string())), "")


def _whole(column: pa.ChunkedArray) -> pa.Array:
    return column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.chunks or [pa.array([], column.type)])


def _report_long_cells(table: SourceTable, log: FaultLog) -> None:
    for name, column in table.columns.items():
        if is_list(column):
            continue
        long = pc.greater(pc.binary_length(column), LONGEST_CELL)
        rows = long.to_numpy(zero_copy_only=False).nonzero()[0]
        log.report_rows("cell-long", table, name, rows, f"is longer than {LONGEST_CELL:,} bytes", "shorten it")


def _first_line(error: Exception) -> str:
    """Arrow explains at length; the first line says what is wrong."""
    return str(error).partition("\n")[0]
