"""Runs that were really checked and scored, in the process of the test."""

from pathlib import Path

from django.utils import timezone

from evaluator.formats.read import read_run
from evaluator.public.bundle import load_benchmark
from evaluator.public.run import save_run
from leaderboard.models import Evaluation, Method, Split, Submission, Visibility
from leaderboard.queue import lease
from leaderboard.queue.score_run import score_claimed
from leaderboard.results.verdict import plan_evaluations
from leaderboard.storage import artefacts
from tests.cast import Cast
from tests.leaderboard.submissions import submission_in


def scored_file(cast: Cast, split: Split, bundle: Path, files: list[Path], name: str, *, public: bool) -> Submission:
    """A submission of alice's team with that file, scored under every protocol."""
    run = read_run(files, load_benchmark(bundle)).run
    assert run is not None
    place = files[0].with_name("canonical.npz")
    save_run(place, run)
    submission = submission_in(
        cast,
        split,
        "accepted",
        method=Method.objects.create(team=cast.team, slug=name, name=name),
        run_artefact_digest=artefacts.put_file(place).digest,
        run_digest=run.digest,
        n_entries=len(run.items),
        visibility=Visibility.PUBLIC if public else Visibility.PRIVATE,
        published_at=timezone.now() if public else None,
    )
    for evaluation in plan_evaluations(submission, split):
        work = lease.claim(Evaluation, evaluation.pk)
        assert work is not None
        score_claimed(work)
    return submission
