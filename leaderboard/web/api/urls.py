"""Addresses of the API."""

from django.urls import path

import leaderboard.web.api.schema  # noqa: F401 - tells the schema what a token is
from leaderboard.web.api import benchmarks, keys, submissions

urlpatterns = [
    path("benchmarks/", benchmarks.BenchmarkList.as_view(), name="api_benchmarks"),
    path("benchmarks/<slug:slug>/", benchmarks.BenchmarkDetail.as_view(), name="api_benchmark"),
    path("benchmarks/<slug:slug>/leaderboard/", benchmarks.Leaderboard.as_view(), name="api_leaderboard"),
    path("keys/", keys.Keys.as_view(), name="api_keys"),
    path("submissions/", submissions.SubmissionList.as_view(), name="api_submissions"),
    path("submissions/<uuid:pk>/", submissions.SubmissionDetail.as_view(), name="api_submission"),
    path("submissions/<uuid:pk>/problems/", submissions.SubmissionProblems.as_view(), name="api_submission_problems"),
    path(
        "submissions/<uuid:pk>/problems.csv",
        submissions.SubmissionProblemsCsv.as_view(),
        name="api_submission_problems_csv",
    ),
    path("submissions/<uuid:pk>/report/", submissions.SubmissionReport.as_view(), name="api_submission_report"),
    path("submissions/<uuid:pk>/receipt/", submissions.SubmissionReceipt.as_view(), name="api_submission_receipt"),
    path("submissions/<uuid:pk>/publish/", submissions.PublishSubmission.as_view(), name="api_submission_publish"),
    path("submissions/<uuid:pk>/withdraw/", submissions.WithdrawSubmission.as_view(), name="api_submission_withdraw"),
]
