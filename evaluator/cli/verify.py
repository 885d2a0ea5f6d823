"""`cirboard verify`: check a signed receipt, without asking any server."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import click
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from evaluator.cli.terminal import Unusable, say
from evaluator.formats.read import read_run
from evaluator.formats.report_text import verdict as verdict_on_file
from evaluator.formats.wording import plain
from evaluator.public.bundle import BundleError, load_benchmark
from evaluator.public.manifest import ManifestError
from evaluator.receipt import KeyTextError, ReceiptError, Statement, Verdict, public_keys_in, read_receipt, statement_of
from evaluator.receipt import verify as verify_signature

LARGEST_KEY_FILE_BYTES = 2**20
REFUSED = 1


@click.command()
@click.argument("receipt_file", metavar="RECEIPT", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--key", help="The server's public key: a file, 64 hexadecimal digits or base64. A file may list several."
)
@click.option(
    "--run",
    "run_files",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Also check that this is the run that was scored; repeat it where a run has several files. Needs --bundle.",
)
@click.option(
    "--bundle", type=click.Path(exists=True, file_okay=False, path_type=Path), help="The benchmark that --run answers."
)
@click.pass_context
def verify(
    context: click.Context, *, receipt_file: Path, key: str | None, run_files: tuple[Path, ...], bundle: Path | None
) -> None:
    """Check the signed receipt RECEIPT.

    Exit status: 0 it is intact, 1 it was changed, another key signed it, or --run is not the run that was scored, 2 it
    cannot be used.
    """
    if bool(run_files) != (bundle is not None):
        raise click.UsageError("--run and --bundle belong together", context)
    try:
        trusted = None if key is None else _trusted_keys(key)
        receipt = read_receipt(receipt_file)
        found = verify_signature(receipt, trusted)
        statement = statement_of(receipt)
    except (ReceiptError, OSError) as error:
        raise Unusable(error) from None
    say(*_about_signature(found, statement, receipt_file.name))
    if not found.stands:
        context.exit(REFUSED)
    say("", *_about_result(statement))
    if bundle is not None and not _is_the_run(run_files, bundle, statement):
        context.exit(REFUSED)


def _trusted_keys(key: str) -> list[Ed25519PublicKey]:
    path = Path(key)
    try:
        text = key
        if path.is_file():
            with path.open("rb") as stream:
                text = stream.read(LARGEST_KEY_FILE_BYTES).decode("utf-8")
        return public_keys_in(text)
    except UnicodeDecodeError:
        raise click.BadParameter(f"{plain(key)} is not text", param_hint="--key") from None
    except (KeyTextError, OSError) as error:
        raise click.BadParameter(plain(str(error)), param_hint="--key") from None


def _about_signature(found: Verdict, statement: Statement, file_name: str) -> Iterator[str]:
    if not found.intact:
        yield f"{file_name} is NOT INTACT: it is not what the key in it signed. Believe nothing that it says."
    elif found.trusted is False:
        yield f"{file_name} was signed by another key than the one given. Anybody can make such a file."
    else:
        yield f"{file_name} is intact."
    yield f"signed by key {found.key_id}"
    if found.intact and found.trusted:
        yield "This is the key that you gave, or one of those."
    if found.intact and found.trusted is None:
        address = statement.issuer_address
        yield "That key comes from the receipt itself: nobody changed the file since, but anybody may have signed it."
        yield f"If it says to be from a server that you know, get the keys from that server's {address}/keys/ and add"
        yield "--key KEY. Take the address from where you know it, not from this file."


def _about_result(statement: Statement) -> Iterator[str]:
    yield f"issuer     {statement.issuer_name}, {statement.issuer_address}, {statement.issued_at}"
    yield f"submission {statement.submission_id}, file {statement.artefact_sha256}"
    yield f"benchmark  {statement.benchmark} {statement.split}, version {statement.version}"
    yield f"protocol   {statement.protocol}"
    yield f"{statement.primary} {_result(statement)}, n = {statement.n:,}"
    if not statement.rankable:
        yield f"This run is not ranked on {statement.primary}."
    yield f"run        {statement.digests['run']}"


def _result(statement: Statement) -> str:
    if statement.value is None:
        return "not given"
    note = " (rounded, since the ground truth is held out)" if statement.rounding else ""
    if statement.interval is None:
        return f"{statement.value}, no interval{note}"
    low, high = statement.interval
    return f"{statement.value}, 95 % interval {low} to {high}{note}"


def _is_the_run(run_files: Sequence[Path], bundle: Path, statement: Statement) -> bool:
    """Whether the files hold the run of the receipt; says which it is."""
    try:
        benchmark = load_benchmark(bundle)
        if benchmark.manifest.digest != statement.digests["manifest"]:
            say(f"{bundle.name} is another benchmark, or another version, than the one of the receipt.")
            return False
        reading = read_run(run_files, benchmark, statement.protocol)
        run = reading.run
        if run is None:
            say(verdict_on_file(reading, run_files[0].name))
    except (BundleError, ManifestError, OSError) as error:
        raise Unusable(error) from None
    same = run is not None and run.digest == statement.digests["run"]
    say(f"{run_files[0].name} is {'' if same else 'NOT '}the run that was scored.")
    return same
