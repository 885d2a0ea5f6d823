"""Install a benchmark's bundle: its public side on the public volume, its sealed side on the sealed one."""

import filecmp
import os
import shutil
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from evaluator.public.bundle import Benchmark as Bundle
from evaluator.public.bundle import BundleError, load_benchmark
from evaluator.public.digests import digest_table
from evaluator.public.manifest import Digests, ManifestError
from evaluator.public.requirements import requirements
from evaluator.sealed.ground_truth import GroundTruthError, digest_ground_truth, load_ground_truth
from leaderboard.models import Benchmark, BenchmarkVersion, Split, record_event

REMEDY = "make the bundle again with `cirboard import`"


class Command(BaseCommand):
    help = (
        "Install a bundle made by `cirboard import`. Run it where both volumes are mounted; repeating it is harmless."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("bundle", type=Path, help="the directory with the sides `public` and `sealed`")

    def handle(self, *, bundle: Path, **_: Any) -> None:
        if settings.SEALED_ROOT is None:
            raise CommandError(settings.NO_SEALED_ROOT)
        if not (bundle / "public").is_dir() or not (bundle / "sealed").is_dir():
            raise CommandError(f"{bundle} is no bundle with the folders `public` and `sealed`; {REMEDY}")
        try:
            loaded = load_benchmark(bundle)
            check_digests(loaded, bundle / "sealed")
        except (BundleError, ManifestError, GroundTruthError) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(install(loaded, bundle, settings.SEALED_ROOT))


def check_digests(bundle: Bundle, sealed: Path) -> None:
    """Refuse a bundle whose files are not those that its manifest was written for.

    Raises:
        BundleError: Naming the part that was changed.
    """
    truth = load_ground_truth(sealed)
    found = Digests(
        queries=digest_table(bundle.query_table, bundle.query_table.column_names),
        gallery=digest_table(bundle.gallery_table, bundle.gallery_table.column_names),
        ground_truth=digest_ground_truth(truth.judgements, truth.slices),
    )
    expected = bundle.manifest.digests
    for part in ("queries", "gallery", "ground_truth"):
        if expected is None or getattr(found, part) != getattr(expected, part):
            name = part.replace("_", " ")
            raise BundleError(f"the {name} of this bundle are not those of its manifest; {REMEDY}")


@transaction.atomic
def install(bundle: Bundle, source: Path, sealed_root: Path) -> str:
    """Record the split and copy both sides; returns a line that says what was done."""
    split, is_new = record(bundle)
    place_folder(source / "public", settings.PUBLIC_ROOT / split.folder, file_mode=0o644, folder_mode=0o755)
    place_folder(source / "sealed", sealed_root / split.folder, file_mode=0o600, folder_mode=0o700)
    if is_new:
        record_event("benchmark installed", split, after={"manifest": split.manifest_digest})
    return f"{split}: {'installed' if is_new else 'already installed'}, {split.n_queries} queries"


def record(bundle: Bundle) -> tuple[Split, bool]:
    """The split's row, made if it is new.

    Raises:
        CommandError: If this version of the benchmark is installed with other content.
    """
    manifest = bundle.manifest
    benchmark, _ = Benchmark.objects.get_or_create(
        slug=manifest.name,
        defaults={
            key: getattr(manifest, key) for key in ("title", "summary", "homepage", "citation", "licence", "terms")
        },
    )
    version, _ = BenchmarkVersion.objects.get_or_create(benchmark=benchmark, version=manifest.version)
    split, is_new = Split.objects.get_or_create(version=version, name=manifest.split, defaults=columns(bundle))
    if split.manifest_digest != manifest.digest:
        raise CommandError(
            f"{split} is installed with other content (manifest {split.manifest_digest[:12]}, this bundle has "
            f"{manifest.digest[:12]}). Results of different content must never mix: give the bundle a new version."
        )
    return split, is_new


def columns(bundle: Bundle) -> dict[str, Any]:
    """What of a bundle goes into the split's columns."""
    manifest, digests = bundle.manifest, bundle.manifest.digests
    assert digests is not None, "check_digests has seen them"
    return {
        "ground_truth": manifest.ground_truth,
        "manifest": asdict(manifest),
        "manifest_digest": manifest.digest,
        "queries_digest": digests.queries,
        "gallery_digest": digests.gallery,
        "ground_truth_digest": digests.ground_truth,
        "n_queries": n_queries(bundle),
        "n_images": len(bundle.image_ids),
    }


def n_queries(bundle: Bundle) -> int:
    """How many queries people count: where lists come in parts, every part has the same queries."""
    return int(np.bincount(requirements(bundle, bundle.manifest.protocols[0]).parts).max())


def place_folder(source: Path, target: Path, *, file_mode: int, folder_mode: int) -> None:
    """Make ``target`` a copy of ``source``, moved into place whole; what is there and differs was damaged."""
    if target.is_dir() and same_content(source, target):
        return
    for parent in reversed(target.parents):
        parent.mkdir(mode=folder_mode, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".installing-") as scratch:
        draft, old = Path(scratch) / "new", Path(scratch) / "old"
        shutil.copytree(source, draft)
        set_modes(draft, file_mode, folder_mode)
        if target.exists():
            target.rename(old)
        draft.rename(target)


def set_modes(folder: Path, file_mode: int, folder_mode: int) -> None:
    for parent, _, files in os.walk(folder):
        Path(parent).chmod(folder_mode)
        for name in files:
            (Path(parent) / name).chmod(file_mode)


def same_content(first: Path, second: Path) -> bool:
    """Whether two folders hold the same files with the same bytes."""
    names = sorted(path.relative_to(first) for path in first.rglob("*") if path.is_file())
    if names != sorted(path.relative_to(second) for path in second.rglob("*") if path.is_file()):
        return False
    return all(filecmp.cmp(first / name, second / name, shallow=False) for name in names)
