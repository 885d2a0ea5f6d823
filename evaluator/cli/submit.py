"""`cirboard submit`: send a run to a board, and follow it if asked to."""

import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

import click
import httpx

from evaluator.cli.board import (
    REFUSED,
    Json,
    ask,
    board,
    describe,
    describe_scores,
    exit_code_of,
    page_of,
    run_format_of,
    wait_until_done,
)
from evaluator.cli.packing import RUN_ZIP, check_number, pack
from evaluator.cli.terminal import say
from evaluator.formats.report_text import group_lines
from evaluator.formats.wording import plain

METADATA = ("variant", "paradigm", "backbone", "year", "paper_url", "code_url", "description")


@click.command()
@click.argument("benchmark")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--method", help="Name of the method, or team/name for one of your teams. Not needed for a dry run.")
@click.option("--split", default="", help="The benchmark's first split if not given.")
@click.option("--variant", help="What sets this run of the method apart.")
@click.option("--paradigm", help="How the method composes image and text, such as training-free.")
@click.option("--backbone", help="Such as 'CLIP ViT-L/14'.")
@click.option("--year", type=int)
@click.option("--paper-url")
@click.option("--code-url")
@click.option("--description", help="One sentence.")
@click.option("--server", help="Address of the board; CIRBOARD_SERVER if not given.")
@click.option("--dry-run", is_flag=True, help="Only check the file on the server; nothing is stored or counted.")
@click.option("--wait", is_flag=True, help="Wait until it is scored, and print the score.")
@click.option("--public", is_flag=True, help="Make it public once it is scored; implies --wait.")
@click.option("--json", "as_json", is_flag=True, help="Print the server's answer as JSON.")
@click.pass_context
def submit(
    context: click.Context,
    /,
    *,
    benchmark: str,
    files: tuple[Path, ...],
    method: str | None,
    split: str,
    server: str | None,
    dry_run: bool,
    wait: bool,
    public: bool,
    as_json: bool,
    **described: Any,
) -> None:
    """Send the result FILES of a run to BENCHMARK on a board. The token is read from CIRBOARD_TOKEN.

    Several files, such as CIRR's two or FashionIQ's three, are sent as one zip.

    Exit status: 0 taken (with --wait: scored), 1 the file is refused, 2 usage, 3 the server refused or failed.
    """
    if not (method or dry_run):
        raise click.UsageError("name the method with --method")
    fields = {name: described[name] for name in METADATA if described[name] is not None}
    fields |= {"benchmark": benchmark, "split": split, "method": method or ""}
    with board(server) as client, _one_file(client, benchmark, split, files) as file:
        answer = _send(client, file, fields, dry_run=dry_run, quiet=as_json)
        if dry_run:
            _show_check(answer, file.name, as_json=as_json)
            context.exit(REFUSED if answer["n_errors"] else 0)
        if wait or public:
            answer = wait_until_done(client, answer)
        if public and exit_code_of(answer) == 0:
            answer = ask(lambda: client.post(f"/api/v1/submissions/{answer['id']}/publish/"))
        _show(client, answer, as_json=as_json)
        context.exit(exit_code_of(answer))


@contextmanager
def _one_file(client: httpx.Client, benchmark: str, split: str, files: Sequence[Path]) -> Iterator[Path]:
    """The file to send: the given one, or a zip of several.

    Raises:
        click.UsageError: If the benchmark's runs have fewer files, or one of them cannot be packed.
    """
    if len(files) == 1:
        yield files[0]
        return
    check_number(len(files), run_format_of(client, benchmark, split))
    with tempfile.TemporaryDirectory() as folder:
        yield pack(files, Path(folder) / RUN_ZIP)


def _send(client: httpx.Client, file: Path, fields: Json, *, dry_run: bool, quiet: bool) -> Json:
    parameters = {"dry_run": "1"} if dry_run else {}
    with file.open("rb") as content, _with_progress(content, file, quiet=quiet) as stream:
        return ask(
            lambda: client.post(
                "/api/v1/submissions/",
                data=fields,
                files={"run": (file.name, stream, "application/octet-stream")},
                params=parameters,
            )
        )


class _Counted:
    """A file that tells a progress bar how much of it was read."""

    def __init__(self, content: IO[bytes], bar: Any) -> None:
        self._content = content
        self._bar = bar

    def read(self, size: int = -1, /) -> bytes:
        chunk = self._content.read(size)
        self._bar.update(len(chunk))
        return chunk

    def __getattr__(self, name: str) -> Any:
        return getattr(self._content, name)


@contextmanager
def _with_progress(content: IO[bytes], file: Path, *, quiet: bool) -> Iterator[IO[bytes]]:
    if quiet or not sys.stderr.isatty():
        yield content
        return
    with click.progressbar(length=file.stat().st_size, label=f"Sending {plain(file.name)}", file=sys.stderr) as bar:
        yield cast("IO[bytes]", _Counted(content, bar))


def _show_check(report: Json, name: str, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(report, indent=2))
        return
    say(f"{name} {'cannot be scored yet' if report['n_errors'] else 'can be scored'}. Nothing was stored.")
    for group in report["groups"]:
        say()
        for line in group_lines(group):
            say(line)


def _show(client: httpx.Client, submission: Json, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({**submission, "page": page_of(client, submission)}, indent=2))
        return
    for line in describe(client, submission):
        say(line)
    for line in describe_scores(client, submission):
        say(line)
    if submission["n_errors"]:
        problems = ask(lambda: client.get(f"/api/v1/submissions/{submission['id']}/problems/"))
        for group in problems["groups"]:
            say()
            for line in group_lines(group):
                say(line)
