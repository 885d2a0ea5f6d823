"""`cirboard status`: where submissions stand."""

import json
from uuid import UUID

import click

from evaluator.cli.board import ask, board, describe, describe_scores, exit_code_of, page_of, wait_until_done
from evaluator.cli.terminal import say


@click.command()
@click.argument("submission_id", metavar="[ID]", required=False, type=click.UUID)
@click.option("--server", help="Address of the board; CIRBOARD_SERVER if not given.")
@click.option("--wait", is_flag=True, help="Wait until nothing of it is in work.")
@click.option("--json", "as_json", is_flag=True, help="Print the server's answer as JSON.")
@click.pass_context
def status(
    context: click.Context, /, *, submission_id: UUID | None, server: str | None, wait: bool, as_json: bool
) -> None:
    """Say where the submission ID stands; without an ID, the newest that you may see.

    Exit status: 0, 1 if its file was refused, 2 usage, 3 the server refused or failed.
    """
    with board(server) as client:
        if submission_id is None:
            found = ask(lambda: client.get("/api/v1/submissions/", params={"limit": "20"}))["results"]
            if as_json:
                click.echo(json.dumps(found, indent=2))
                return
            for submission in found:
                say(*describe(client, submission))
            return
        submission = ask(lambda: client.get(f"/api/v1/submissions/{submission_id}/"))
        if wait:
            submission = wait_until_done(client, submission)
        if as_json:
            click.echo(json.dumps({**submission, "page": page_of(client, submission)}, indent=2))
        else:
            say(*describe(client, submission), *describe_scores(client, submission))
        context.exit(exit_code_of(submission))
