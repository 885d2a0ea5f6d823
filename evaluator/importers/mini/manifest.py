"""What benchmark.toml says about the mini benchmark."""

from evaluator.public.manifest import Display, LanguageRule, Manifest, Protocol, ResamplingUnit, SliceAxis

NAME = "mini"
INSTANCE_AXIS, NEED_AXIS = "instance", "need"
"""Axes by which queries are resampled and wordings compared; too many values for a table."""

LIST_LENGTH = (1, 50)
METRICS: tuple[str, ...] = (
    *("mAP@5", "mAP@10", "mAP@50"),
    *("precision@1", "precision@5", "precision@10"),
    *("recall@10", "recall@50"),
    *("negative_recall@10", "mAP@10_without_negatives", "delta_mAP@10"),
    *("linguistic_range", "linguistic_std"),
)
OFFICIAL = Protocol(
    name="official",
    title="Official",
    description=(
        "Each query ranks the gallery of its instance. AP@K divides by the smaller of K and the number of positives; "
        "the paraphrase metrics are the spread of AP@10 over the six wordings of a need."
    ),
    list_length=LIST_LENGTH,
    metrics=METRICS,
    primary="mAP@10",
    short_lists=True,
    language=LanguageRule(axis=NEED_AXIS, metric="mAP@10"),
)
SLICE_AXES: tuple[SliceAxis, ...] = (
    SliceAxis("category", "Visual category"),
    SliceAxis("modification", "Type of modification"),
    SliceAxis("group", "Body tone"),
    SliceAxis("images", "Number of reference images"),
    SliceAxis("form", "Form of the modification"),
)


def mini_manifest(seed: int) -> Manifest:
    """The manifest of the benchmark drawn from a seed; another seed is another version."""
    return Manifest(
        name=NAME,
        version=f"1-seed-{seed}",
        split="val",
        title="CIRBoard mini",
        summary=(
            "Scenes drawn by code: objects in families of look-alikes, under modifications of seven types, with every "
            "positive and three kinds of hard negatives known by construction. Made to try CIRBoard and methods on; "
            "its image ids tell what they show, so a score proves nothing about a method that reads them."
        ),
        homepage="",
        citation="",
        licence="CC0-1.0",
        terms="",
        ground_truth="public",
        run_format="pinpoint",
        gallery_policy="closed",
        image_id_pattern=r"i[0-9]{2}-[a-z]+-[0-9]{1,2}",
        resampling=ResamplingUnit(INSTANCE_AXIS, "instance"),
        display=Display(percent=True, decimals=1),
        protocols=(OFFICIAL,),
        slice_axes=SLICE_AXES,
    )
