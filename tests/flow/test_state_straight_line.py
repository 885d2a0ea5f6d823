"""An upload becomes scores, or is refused, with nothing in its way."""

from leaderboard.models import Evaluation, SubmissionStatus
from leaderboard.storage import artefacts
from tests.flow.board_stack import BoardStack, assert_scored_exactly_once, describe


def test_an_upload_is_scored_exactly_once(server: BoardStack) -> None:
    submission = server.upload()
    server.await_scored(submission, within_s=20)
    assert_scored_exactly_once(submission, server.split)


def test_a_file_with_problems_is_refused_with_all_of_them(server: BoardStack) -> None:
    submission = server.upload(b'{"00001": {"retrieved_items": ["nothing"]}}')

    def is_refused() -> bool:
        submission.refresh_from_db()
        return submission.status == SubmissionStatus.REJECTED

    server.await_state(is_refused, 20, lambda: describe(submission))
    codes = {group["code"] for group in submission.problems["groups"]}
    assert {"query-missing", "list-too-short"} <= codes
    assert b"query-missing" in artefacts.path(submission.problems_csv_digest).read_bytes()
    assert not Evaluation.objects.filter(submission=submission).exists()
