"""The import contracts of pyproject.toml hold, and no import hides inside a function."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
SOURCES = [
    path
    for package in ("evaluator", "plugins", "leaderboard")
    for path in sorted((CHECKOUT / package).rglob("*.py"))
    if "migrations" not in path.parts
]


def test_import_contracts_hold() -> None:
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(CHECKOUT)))
def test_no_own_module_is_imported_inside_a_function(path: Path) -> None:
    hidden = [
        f"line {node.lineno}"
        for function in ast.walk(ast.parse(path.read_text()))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").split(".")[0] in {"evaluator", "plugins", "leaderboard"}
    ]
    assert not hidden
