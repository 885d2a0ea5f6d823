"""What all tests share: the public benchmarks' files, and PostgreSQL and Valkey, started once when first needed."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connections

from leaderboard.local.stack import Stack, temporary_data_directory
from leaderboard.settings import database_settings

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


@pytest.fixture(scope="session")
def services() -> Iterator[Stack]:
    """PostgreSQL and Valkey, for all tests of the session."""
    with temporary_data_directory() as folder, Stack(folder, durable=False) as stack:
        yield stack


@pytest.fixture(scope="session")
def django_db_modify_db_settings(services: Stack) -> None:
    """pytest-django makes its test database here."""
    connections["default"].settings_dict.update(database_settings(services.environment()["CIRBOARD_DATABASE_URL"]))
