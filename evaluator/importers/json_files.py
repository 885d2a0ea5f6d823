"""Read organisers' JSON files, with errors that name the file and say where to get it."""

import json
from pathlib import Path
from typing import Any

from evaluator.importers.bundle_writer import ImportSourceError


def read_list(path: Path, remedy: str) -> list[Any]:
    """Read a file that holds a list with something in it.

    Args:
        path: The file.
        remedy: Where to get it, for the error.

    Raises:
        ImportSourceError: If it is missing, no JSON, or something else.
    """
    content = read_json(path, remedy)
    if not isinstance(content, list) or not content:
        raise ImportSourceError(f"{path} must be a list that is not empty; {remedy}")
    return content


def read_json(path: Path, remedy: str) -> Any:
    """Read a JSON file.

    Raises:
        ImportSourceError: If it is missing or no JSON.
    """
    try:
        return json.loads(path.read_bytes())
    except FileNotFoundError:
        raise ImportSourceError(f"{path} does not exist; {remedy}") from None
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ImportSourceError(f"{path} is not JSON ({error}); download it again") from None
