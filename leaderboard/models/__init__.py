"""The nouns of the server."""

from leaderboard.models.account import (
    ApiToken,
    Membership,
    Team,
    TokenScope,
    User,
    digest_token,
    draw_key,
    issue_token,
    store_token,
)
from leaderboard.models.audit import AuditEvent, record_event
from leaderboard.models.benchmark import Benchmark, BenchmarkVersion, Moderation, Split
from leaderboard.models.evaluation import Evaluation, EvaluationStatus, Score
from leaderboard.models.leased import FailureClass, Leased
from leaderboard.models.method import Method, Paradigm
from leaderboard.models.signing_key import SigningKey
from leaderboard.models.submission import Submission, SubmissionQuerySet, SubmissionStatus, Visibility

__all__ = [
    "ApiToken",
    "AuditEvent",
    "Benchmark",
    "BenchmarkVersion",
    "Evaluation",
    "EvaluationStatus",
    "FailureClass",
    "Leased",
    "Membership",
    "Method",
    "Moderation",
    "Paradigm",
    "Score",
    "SigningKey",
    "Split",
    "Submission",
    "SubmissionQuerySet",
    "SubmissionStatus",
    "Team",
    "TokenScope",
    "User",
    "Visibility",
    "digest_token",
    "draw_key",
    "issue_token",
    "record_event",
    "store_token",
]
