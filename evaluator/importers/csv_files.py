"""Official files of comma-separated rows without a header, read with errors that name the line."""

import csv
from collections.abc import Iterator
from pathlib import Path

from evaluator.importers.source_error import ImportSourceError


def read_rows(path: Path, n_columns: int, remedy: str, delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
    """Read the rows of a file.

    Args:
        n_columns: How many every row has.
        remedy: What to do if the file is not what it should be.

    Yields:
        Number of the line on which the row ends, from 1, and its cells. Empty lines are left out.

    Raises:
        ImportSourceError: If the file is missing, not UTF-8, or a row has another number of cells.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.reader(stream, delimiter=delimiter, strict=True)
            for row in reader:
                if len(row) not in {0, n_columns}:
                    raise ImportSourceError(
                        f"{path}, line {reader.line_num}: {len(row)} columns instead of {n_columns}; {remedy}"
                    )
                if row:
                    yield reader.line_num, row
    except FileNotFoundError:
        raise ImportSourceError(f"{path} does not exist; {remedy}") from None
    except UnicodeDecodeError as error:
        raise ImportSourceError(f"{path} is not UTF-8 text ({error.reason}); {remedy}") from None
    except csv.Error as error:
        raise ImportSourceError(f"{path}, line {reader.line_num}: {error}; {remedy}") from None
