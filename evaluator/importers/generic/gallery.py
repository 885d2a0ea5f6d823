"""The gallery: a table, or the images of a folder; and whether queries and judgements keep to it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evaluator.importers.generic import cells
from evaluator.importers.generic.faults import FaultLog
from evaluator.importers.generic.judgements import Judgements
from evaluator.importers.generic.queries import ONLY_GALLERY, QueryColumns
from evaluator.importers.generic.reading import read_table
from evaluator.importers.generic.settings import Settings
from evaluator.importers.generic.tables import parents_of
from evaluator.public.bundle import GALLERY_SCHEMA
from evaluator.public.lookup import positions_in
from evaluator.public.pairs import PairSet, pairs_of

ROLE = "gallery"
IMAGES = "images"
ENDING = ".png"
SIGNATURE = b"\x89PNG\r\n\x1a\n"
MOST_IMAGE_BYTES = 20 << 20


@dataclass(frozen=True)
class ImageFiles(Mapping[str, bytes]):
    """The PNG files of a folder by image id, each read when it is asked for.

    Attributes:
        paths: Image id -> file.
    """

    paths: dict[str, Path]

    def __getitem__(self, image_id: str) -> bytes:
        return self.paths[image_id].read_bytes()

    def __iter__(self) -> Iterator[str]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)


def find_images(folder: Path, log: FaultLog) -> ImageFiles:
    """The files `images/IMAGE_ID.png`, every one that is something else reported."""
    root = folder / IMAGES
    found: dict[str, Path] = {}
    if not root.is_dir():
        return ImageFiles(found)
    if root.is_symlink():
        log.report("path-outside", "is a link", "copy the folder here", file=IMAGES)
        return ImageFiles(found)
    for path in sorted(root.iterdir()):
        name = f"{IMAGES}/{path.name}"
        if path.is_symlink() or not path.is_file():
            log.report("image-file", "is a link or no file", "copy the image here", file=name)
        elif path.suffix != ENDING or not _is_png(path):
            log.report("image-file", "is no PNG image", f"write images/IMAGE_ID{ENDING}", file=name)
        elif path.stat().st_size > MOST_IMAGE_BYTES:
            log.report("file-too-large", "is larger than 20 MiB", "scale the image down", file=name)
        else:
            found[path.stem] = path
    return ImageFiles(found)


def _is_png(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(SIGNATURE)) == SIGNATURE


def read_gallery(folder: Path, images: ImageFiles, settings: Settings, log: FaultLog) -> pa.Table | None:
    """Read the gallery, reporting every fault.

    Returns:
        Columns of GALLERY_SCHEMA, empty where the gallery is open; None if there is none to work with.
    """
    is_closed = settings.gallery_policy == "closed"
    table = read_table(folder, ROLE, log, needed=is_closed and not images)
    if not is_closed:
        if table is not None:
            remedy = 'remove it, or write gallery_policy = "closed"'
            log.report("gallery-open", "is given, but the gallery is open", remedy, file=table.name)
        return GALLERY_SCHEMA.empty_table()
    if table is None:
        return pa.table([[ONLY_GALLERY] * len(images), list(images)], schema=GALLERY_SCHEMA) if images else None
    usable = cells.check_columns(table, ("image_id",), ("image_id", "gallery_id"), log)
    if not cells.check_is_text(table, ("image_id", "gallery_id"), log) or not usable:
        return None
    for name in table.columns:
        if name in GALLERY_SCHEMA.names:
            cells.check_filled(table, name, log)
    found = pa.table([table.texts("gallery_id", ONLY_GALLERY), table.texts("image_id")], schema=GALLERY_SCHEMA)
    image_ids = table.texts("image_id")
    cells.check_pattern(table, "image_id", image_ids, np.arange(table.n_rows), settings.image_id_pattern, log)
    galleries, names = (pc.unique(found.column(name)) for name in GALLERY_SCHEMA.names)
    keys = positions_in(found.column("gallery_id"), galleries) * len(names) + positions_in(image_ids, names)
    again = cells.repeats(keys)
    log.report_rows("gallery-repeated", table, "image_id", again, "stands twice in its gallery", "list it once")
    return found


def check_gallery(gallery: pa.Table, queries: QueryColumns, judgements: Judgements | None, log: FaultLog) -> None:
    """Report queries of galleries that do not exist, and what is judged or excluded outside its query's gallery."""
    if gallery.num_rows == 0:
        return
    names = pc.unique(gallery.column("gallery_id"))
    images = pc.unique(gallery.column("image_id"))
    of_query = positions_in(queries.gallery_ids, names)
    column = "gallery_id" if "gallery_id" in queries.table.columns else "query_id"
    words = (
        "is not among the galleries"
        if column == "gallery_id"
        else f"has no gallery_id, so that {ONLY_GALLERY} is meant"
    )
    bad = np.flatnonzero(of_query < 0)
    log.report_rows("gallery-unknown", queries.table, column, bad, words, "name one that holds images")
    members = pairs_of(
        positions_in(gallery.column("gallery_id"), names), positions_in(gallery.column("image_id"), images), len(images)
    )
    if judgements is not None:
        _check_judged(judgements, of_query, images, members, log)
    if "exclude" in queries.table.columns:
        rows = parents_of(queries.excluded)
        places = positions_in(pc.list_flatten(queries.excluded), images).astype(np.int32)
        stray = np.unique(rows[~members.holds(of_query[rows], places) & (of_query[rows] >= 0)])
        words = "excludes an image that is not in the gallery of its query"
        log.report_rows("excluded-outside", queries.table, "exclude", stray, words, "take it out")


def _check_judged(
    judgements: Judgements, of_query: cells.Rows, images: pa.Array, members: PairSet, log: FaultLog
) -> None:
    place_of_image = positions_in(judgements.image_ids, images)
    places = place_of_image[judgements.images]
    asked = np.where(judgements.queries >= 0, of_query[judgements.queries], -1)
    lost = np.flatnonzero(places < 0)
    texts = judgements.rows.column("image_id").combine_chunks().take(pa.array(lost))
    cells.check_known(
        judgements.table, "image_id", texts, images, log, kind="judged-unknown", words="is in no gallery", rows=lost
    )
    stray = np.flatnonzero((places >= 0) & (asked >= 0) & ~members.holds(asked, places.astype(np.int32)))
    words = "is not in the gallery of its query"
    log.report_rows("judged-outside", judgements.table, "image_id", stray, words, "correct the gallery or the query")
