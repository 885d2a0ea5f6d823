"""How long a person waits for the local server's address."""

import time

from leaderboard.local.stack import EVERYTHING, SERVICES, Stack, temporary_data_directory

WARM_START_WITHIN_S = 15.0
SERVICES_WITHIN_S = 3.0


def test_the_services_of_an_empty_directory_are_up_soon() -> None:
    with temporary_data_directory() as folder:
        begun = time.monotonic()
        with Stack(folder, SERVICES, durable=False):
            assert time.monotonic() - begun < SERVICES_WITHIN_S


def test_a_second_start_of_the_whole_server_is_warm() -> None:
    with temporary_data_directory() as folder:
        with Stack(folder, EVERYTHING):
            pass
        begun = time.monotonic()
        with Stack(folder, EVERYTHING):
            assert time.monotonic() - begun < WARM_START_WITHIN_S
