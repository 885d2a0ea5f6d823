"""An organiser's benchmark, read and found to be without errors."""

from dataclasses import dataclass

import pyarrow as pa

from evaluator.importers.generic.gallery import ImageFiles
from evaluator.importers.generic.judgements import Judgements
from evaluator.importers.generic.queries import QueryColumns
from evaluator.importers.generic.settings import Settings


@dataclass(frozen=True)
class Source:
    """An organiser's benchmark without errors.

    Attributes:
        settings: What benchmark.toml says.
        queries: The queries in columns.
        judgements: The ground truth; None where only its organisers have it.
        gallery: Columns of GALLERY_SCHEMA, empty where the gallery is open.
        images: The images that come with it.
    """

    settings: Settings
    queries: QueryColumns
    judgements: Judgements | None
    gallery: pa.Table
    images: ImageFiles
