"""A team whose files take long keeps neither another team nor the sweeper from work."""

import io
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psutil

from leaderboard.intake.receive import receive
from leaderboard.models import Submission, SubmissionStatus
from tests.flow.board_stack import BoardStack, is_scored


def test_others_are_checked_while_one_team_has_many_files(server: BoardStack) -> None:
    with first_check_stopped(server) as long_one:
        more = [server.upload() for _ in range(3)]
        others = upload_of_charlie(server)
        server.await_scored(others, within_s=20)
        assert statuses([long_one]) == {SubmissionStatus.CHECKING}
        assert statuses(more) == {SubmissionStatus.RECEIVED}
    for submission in (long_one, *more):
        server.await_scored(submission, within_s=20)


@contextmanager
def first_check_stopped(server: BoardStack) -> Iterator[Submission]:
    """A submission whose check stands still, while its worker keeps the lease."""
    submission = server.upload()
    stopped: list[psutil.Process] = []

    def is_stopped() -> bool:
        for slot in server.children("control"):
            with suppress(psutil.NoSuchProcess):
                for check in slot.children():
                    check.suspend()
                    stopped.append(check)
        return bool(stopped) or is_scored(submission)

    server.await_state(is_stopped, 20)
    try:
        yield submission
    finally:
        for check in stopped:
            check.resume()


def upload_of_charlie(server: BoardStack) -> Submission:
    stream = io.BytesIO(server.run)
    cast = server.cast
    return receive(
        user=cast.charlie, split=server.split, method=cast.charlies_method, stream=stream, file_name="run.json"
    )


def statuses(submissions: list[Submission]) -> set[str]:
    return set(Submission.objects.filter(pk__in=[s.pk for s in submissions]).values_list("status", flat=True))
