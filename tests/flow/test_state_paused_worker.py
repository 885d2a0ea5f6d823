"""A worker that is stopped past its lease and then goes on cannot overwrite the one that took over."""

import signal

from leaderboard.models import AuditEvent, Evaluation, Submission, SubmissionStatus
from tests.flow.board_stack import BoardStack, assert_scored_exactly_once, describe


def test_the_late_scores_of_a_paused_worker_are_dropped(server: BoardStack) -> None:
    submission = server.upload()
    server.await_work(submission, Evaluation)
    server.group("score", signal.SIGSTOP)
    paused = Evaluation.objects.get(submission=submission, status="running")
    with server.another_worker("score"):
        server.await_scored(submission, within_s=2 * server.lease_s + 20)
        before = Evaluation.objects.filter(pk=paused.pk).values().get()
        server.group("score", signal.SIGCONT)
        late = f"Evaluation {paused.pk} went on without attempt {paused.attempt}; its result is dropped"
        server.await_state(lambda: late in server.log("score"), 20)
    assert Evaluation.objects.filter(pk=paused.pk).values().get() == before
    assert_scored_exactly_once(submission, server.split)


def test_the_late_verdict_of_a_paused_worker_is_dropped(server: BoardStack) -> None:
    submission = server.upload()
    server.await_work(submission, Submission)
    # The sweeper is not stopped with it: it takes back the lease for the second worker.
    server.group("control", signal.SIGSTOP)
    attempt = Submission.objects.get(pk=submission.pk).attempt
    with server.another_worker("control"):
        server.await_scored(submission, within_s=2 * server.lease_s + 20)
        server.group("control", signal.SIGCONT)
        late = f"Submission {submission.pk} went on without attempt {attempt}; its verdict is dropped"
        server.await_state(lambda: late in server.log("control"), 20, lambda: describe(submission))
    submission.refresh_from_db()
    assert submission.status == SubmissionStatus.ACCEPTED
    assert_scored_exactly_once(submission, server.split)
    assert AuditEvent.objects.filter(action="accepted", target_id=str(submission.pk)).count() == 1
