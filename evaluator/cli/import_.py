"""`cirboard import`: official benchmark files to bundles."""

from pathlib import Path
from typing import cast

import click

from evaluator.cli.terminal import say
from evaluator.formats.wording import counted, plain
from evaluator.importers.bundle_writer import BundleParts, ImportSourceError, write_bundle
from evaluator.importers.circo import Split, read_circo
from evaluator.importers.cirr import Split as CirrSplit
from evaluator.importers.cirr import read_cirr
from evaluator.importers.domain_conversion import DATASETS, Dataset, read_domain_conversion
from evaluator.importers.fashioniq import Gallery as FashionIQGallery
from evaluator.importers.fashioniq import Split as FashionIQSplit
from evaluator.importers.fashioniq import read_fashioniq
from evaluator.importers.genecis import TASKS, Task, read_genecis
from evaluator.importers.generic.bundle import parts_of
from evaluator.importers.generic.check import check_source
from evaluator.importers.generic.faults import FaultLog
from evaluator.importers.icir import read_icir
from evaluator.importers.mini.bundle import write_bundle as write_mini_bundle
from evaluator.importers.pinpoint import read_pinpoint
from evaluator.public.bundle import BundleError, load_benchmark
from evaluator.public.manifest import ManifestError
from evaluator.public.requirements import requirements

_source = click.option(
    "--source",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    required=True,
    help="Directory with the organisers' files.",
)
_out = click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Bundle to write: a new directory, or an earlier bundle of the same benchmark, which is replaced.",
)


TROUBLES = (ImportSourceError, ManifestError, BundleError, UnicodeEncodeError)
"""The last is raised for half a surrogate pair in an organiser's file."""


@click.group("import")
def import_() -> None:
    """Make a benchmark's bundle from its official files."""


@import_.command()
@_source
@click.option("--split", type=click.Choice(["val", "test"]), required=True)
@_out
@click.option(
    "--gallery",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="COCO's image_info_unlabeled2017.json. With it an unknown image is an error, without it unjudged.",
)
def circo(source: Path, split: str, out: Path, gallery: Path | None) -> None:
    """CIRCO: annotations/val.json or annotations/test.json."""
    try:
        _write(out, read_circo(source, cast("Split", split), gallery))
    except TROUBLES as error:
        raise click.ClickException(plain(str(error))) from None


@import_.command()
@_source
@click.option("--split", type=click.Choice(["val", "test1"]), required=True)
@_out
def cirr(source: Path, split: str, out: Path) -> None:
    """CIRR: captions/cap.rc2.SPLIT.json and image_splits/split.rc2.SPLIT.json."""
    try:
        _write(out, read_cirr(source, cast("CirrSplit", split)))
    except TROUBLES as error:
        raise click.ClickException(plain(str(error))) from None


@import_.command()
@_source
@click.option("--split", type=click.Choice(["val", "test"]), required=True)
@click.option(
    "--gallery",
    type=click.Choice(["original", "val"]),
    required=True,
    help="All images of the image splits, or those that the captions of val name: recall differs by several points.",
)
@_out
def fashioniq(source: Path, split: str, gallery: str, out: Path) -> None:
    """FashionIQ: captions/cap.CATEGORY.SPLIT.json and image_splits/split.CATEGORY.SPLIT.json."""
    try:
        _write(out, read_fashioniq(source, cast("FashionIQSplit", split), cast("FashionIQGallery", gallery)))
    except TROUBLES as error:
        raise click.ClickException(plain(str(error))) from None


@import_.command()
@_source
@click.option("--task", type=click.Choice(TASKS), required=True)
@_out
def genecis(source: Path, task: str, out: Path) -> None:
    """GeneCIS: TASK.json."""
    try:
        _write(out, read_genecis(source, cast("Task", task)))
    except TROUBLES as error:
        raise click.ClickException(plain(str(error))) from None


@import_.command()
@_source
@_out
@click.option(
    "--categories",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="CSV with the header instance,text,visual_category,textual_category: adds slices by category.",
)
def icir(source: Path, out: Path, categories: Path | None) -> None:
    """i-CIR: query_files.csv and database_files.csv."""
    try:
        _write(out, read_icir(source, categories))
    except TROUBLES as error:
        raise click.ClickException(plain(str(error))) from None


@import_.command("domain-conversion")
@_source
@click.option("--dataset", type=click.Choice(DATASETS), required=True)
@_out
def domain_conversion(source: Path, dataset: str, out: Path) -> None:
    """Domain conversion: full_files.csv, or query_files.csv and database_files.csv, of a dataset."""
    try:
        _write(out, read_domain_conversion(source, cast("Dataset", dataset)))
    except TROUBLES as error:
        raise click.ClickException(plain(str(error))) from None


@import_.command()
@_source
@_out
def generic(source: Path, out: Path) -> None:
    """Your own benchmark: benchmark.toml, queries, ground_truth and gallery as CSV or Parquet."""
    log = FaultLog()
    try:
        found = check_source(source, log)
        if found is None:
            say(*log.lines())
            words = f"{source} has {counted(log.n('error'), 'error', 'errors')}; nothing was written"
            raise click.ClickException(plain(words))
        _write(out, parts_of(found))
    except (ImportSourceError, ManifestError, BundleError, OSError) as error:
        raise click.ClickException(plain(str(error))) from None


@import_.command()
@_source
@_out
def pinpoint(source: Path, out: Path) -> None:
    """PinPoint: pinpoint_licensed.parquet and index_signatures.txt."""
    try:
        _write(out, read_pinpoint(source))
    except TROUBLES as error:
        raise click.ClickException(plain(str(error))) from None


@import_.command()
@_out
@click.option("--seed", type=click.IntRange(min=0), default=7, show_default=True, help="Decides every drawn pixel.")
def mini(out: Path, seed: int) -> None:
    """The mini benchmark, drawn by code: nothing to download."""
    try:
        write_mini_bundle(out, seed)
        _announce(out)
    except TROUBLES as error:
        raise click.ClickException(plain(str(error))) from None


def _write(out: Path, parts: BundleParts) -> None:
    write_bundle(out, parts)
    _announce(out)


def _announce(out: Path) -> None:
    benchmark = load_benchmark(out)
    manifest = benchmark.manifest
    n_images = len(benchmark.image_ids)
    # Each part asks the same queries again; one of them says how many there are.
    protocol = manifest.protocols[0]
    n_queries = int((requirements(benchmark, protocol).parts == 0).sum())
    queries = counted(n_queries, "query", "queries")
    if protocol.parts:
        queries += f" in {len(protocol.parts)} parts"
    gallery = counted(n_images, "image", "images") if n_images else "open gallery"
    say(f"{out}: {manifest.title} {manifest.split}, {queries}, {gallery}.")
    if manifest.ground_truth == "external":
        say("Its ground truth is held by the organisers: files can be checked here, not scored.")
