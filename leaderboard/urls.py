"""Addresses of the site."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

# Django looks for admin.py beside the models; ours is part of the web.
import leaderboard.web.admin  # noqa: F401 - importing it registers the administration
from leaderboard.web.api.docs import api_docs
from leaderboard.web.api.schema import SchemaView
from leaderboard.web.pages import account, benchmark, home, keys, submission, submit

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("theme/", home.theme, name="theme"),
    path("b/<slug:slug>/", benchmark.leaderboard, name="leaderboard"),
    path("b/<slug:slug>/leaderboard.csv", benchmark.leaderboard_csv, name="leaderboard_csv"),
    path("b/<slug:slug>/leaderboard.json", benchmark.leaderboard_json, name="leaderboard_json"),
    path("b/<slug:slug>/protocol/", benchmark.protocol, name="protocol"),
    path("b/<slug:slug>/how-to-submit/", benchmark.how_to_submit, name="how_to_submit"),
    path("b/<slug:slug>/submit/", submit.submit, name="submit"),
    path("submit/", submit.choose, name="submit_choose"),
    path("s/<uuid:submission_id>/", submission.submission, name="submission"),
    path("s/<uuid:submission_id>/problems.csv", submission.problems_csv, name="problems_csv"),
    path("s/<uuid:submission_id>/publish/", submission.publish, name="publish"),
    path("s/<uuid:submission_id>/withdraw/", submission.take_back, name="withdraw"),
    path("keys/", keys.keys, name="keys"),
    path("my/submissions/", account.my_submissions, name="my_submissions"),
    path("my/tokens/", account.my_tokens, name="my_tokens"),
    path("my/tokens/<int:token_id>/revoke/", account.revoke_token, name="revoke_token"),
    path("accounts/", include("allauth.account.urls")),
    path("admin/", admin.site.urls),
    path("api/v1/", include("leaderboard.web.api.urls")),
    path("api/schema/", SchemaView.as_view(), name="schema"),
    path("api/docs/", api_docs, name="api_docs"),
]
handler400 = "leaderboard.web.errors.bad_request"
handler403 = "leaderboard.web.errors.permission_denied"
handler404 = "leaderboard.web.errors.page_not_found"
