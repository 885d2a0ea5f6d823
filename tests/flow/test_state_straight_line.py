"""An upload becomes scores, or is refused, with nothing in its way."""

import json
import subprocess
import sys
from pathlib import Path

from leaderboard.models import Evaluation, SigningKey, SubmissionStatus
from leaderboard.storage import artefacts
from tests.flow.board_stack import BoardStack, assert_scored_exactly_once, describe


def test_an_upload_is_scored_exactly_once(server: BoardStack) -> None:
    submission = server.upload()
    server.await_scored(submission, within_s=20)
    assert_scored_exactly_once(submission, server.split)


def test_the_receipt_of_a_result_is_checked_by_anybody_who_has_the_servers_key(
    server: BoardStack, tmp_path: Path
) -> None:
    submission = server.upload()
    server.await_scored(submission, within_s=20)
    listed = {"keys": list(SigningKey.objects.values("public_key"))}
    (tmp_path / "keys.json").write_text(json.dumps(listed))
    for evaluation in submission.evaluations.all():
        receipt = artefacts.path(evaluation.receipt_digest)
        command = [sys.executable, "-m", "evaluator.cli", "verify", str(receipt), "--key", str(tmp_path / "keys.json")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        assert submission.run_digest in done.stdout
    assert server.stack.places.signing_key.stat().st_mode & 0o777 == 0o600
    assert "CIRBOARD_SIGNING_KEY" not in server.stack.environment()


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
