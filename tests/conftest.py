"""What all tests share: where the public benchmarks' files and the golden cases are."""

import os
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with `data` and `golden`, which are not part of the project."""
    folder = Path(os.environ.get("CIRBOARD_SHARED", CHECKOUT.parent / "shared"))
    if not (folder / "golden").is_dir():
        message = f"official files are not at {folder}; name their folder in CIRBOARD_SHARED"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    return folder
