"""An organiser's benchmark in a few lines."""

import numpy as np
import pyarrow.compute as pc

from evaluator.formats.wording import counted
from evaluator.importers.generic.rules import manifest_of
from evaluator.importers.generic.source import Source
from evaluator.sealed.ground_truth import HARD_NEGATIVE, POSITIVE


def summary_of(source: Source) -> list[str]:
    """What the benchmark is, in lines for people."""
    settings, queries, truth = source.settings, source.queries, source.judgements
    n_images = len(pc.unique(source.gallery.column("image_id")))
    n_galleries = len(pc.unique(source.gallery.column("gallery_id")))
    gallery = f"{counted(n_images, 'image', 'images')} in {counted(n_galleries, 'gallery', 'galleries')}"
    n_queries = counted(len(queries.ids), "query", "queries")
    lines = [
        f"{settings.title} {settings.split}, version {settings.version}, ground truth {settings.ground_truth}",
        f"{n_queries}, {gallery if n_images else 'open gallery'}",
    ]
    if truth is not None:
        per_query = np.bincount(truth.queries[truth.of(POSITIVE)], minlength=len(queries.ids))
        lines.append(
            f"positives per query: {per_query.min()} to {per_query.max()}, mean {per_query.mean():.1f}; "
            f"{counted(len(truth.of(HARD_NEGATIVE)), 'hard negative', 'hard negatives')}"
        )
    for axis in settings.axes:
        n_values = len(pc.unique(pc.list_flatten(queries.axes[axis.name])))
        side = "sealed" if axis.sealed else "public"
        lines.append(f"axis {axis.name}: {counted(n_values, 'value', 'values')}, {side}")
    lines += [
        f"protocol {protocol.name}: {', '.join(protocol.metrics)}; ranked by {protocol.primary}"
        for protocol in manifest_of(settings).protocols
    ]
    return lines
