from dataclasses import replace
from time import process_time

import numpy as np
import pyarrow as pa
import pytest

from evaluator.importers.bundle_checks import check_parts
from evaluator.importers.bundle_writer import ImportSourceError
from evaluator.public.bundle import GALLERY_SCHEMA
from evaluator.public.manifest import FairnessRule, LanguageRule, ManifestError, Part, ResamplingUnit, SliceAxis
from evaluator.sealed.ground_truth import JUDGEMENT_SCHEMA, SLICE_SCHEMA
from tests.evaluator.small_bundle import IMAGES, OFFICIAL, QUERIES, manifest, write_small_bundle


def other(**changes):
    return {"protocols": (replace(OFFICIAL, **changes),)}


def with_slices(**values):
    return [
        replace(query, slices={**query.slices, **{n: v[place] for n, v in values.items()}})
        for place, query in enumerate(QUERIES)
    ]


def test_a_sound_bundle_is_written(tmp_path):
    write_small_bundle(tmp_path / "bundle")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"resampling": ResamplingUnit("colour", "")},
            "resampling needs exactly one value per query on the axis 'colour'; query 'q0' has 2",
        ),
        (
            {"resampling": ResamplingUnit("instance", "")},
            "resampling names the axis 'instance', which the benchmark does",
        ),
        (
            {"resampling": ResamplingUnit("need", "", strata="query")},
            "a unit of the axis 'need' lies in several strata of",
        ),
        ({"slice_axes": (SliceAxis("shape", ""),)}, "slice_axes names the axis 'shape'"),
        (
            {"slice_axes": (SliceAxis("colour", "", sealed=True),)},
            "'colour' is declared sealed, but its values are public",
        ),
        ({"slice_axes": (SliceAxis("secret", ""),)}, "'secret' is declared public, but its values are sealed"),
        ({"fairness": FairnessRule("tone")}, "fairness names the axis 'tone'"),
        ({"image_id_pattern": "[a-z]"}, "image 'i0' of the gallery is not of the form"),
        (other(language=LanguageRule("wording", "mAP@2")), "protocol 'official': language names the axis 'wording'"),
        (other(macro="colour"), "protocol 'official': macro needs exactly one value per query"),
        (other(average_over="shape"), "average_over names the axis 'shape'"),
        (other(parts=(Part("a", "", (1, 6), OFFICIAL.metrics),)), "parts names the axis 'part'"),
    ],
)
def test_rules_that_rest_on_what_is_not_there_are_refused(changes, message, tmp_path):
    with pytest.raises(ImportSourceError) as caught:
        write_small_bundle(tmp_path / "bundle", **changes)
    assert message in str(caught.value)
    assert not (tmp_path / "bundle").exists()


def test_a_metric_that_nothing_computes_is_refused(tmp_path):
    with pytest.raises(ManifestError, match="there is no metric 'mAP2'"):
        write_small_bundle(tmp_path / "bundle", **other(metrics=("mAP2",), primary="mAP2"))


def test_a_query_of_a_part_that_no_protocol_has_is_refused(tmp_path):
    parts = (Part("a", "", (1, 6), OFFICIAL.metrics),)
    queries = with_slices(part=[("a",), ("a",), ("b",), ("a",)])
    with pytest.raises(ImportSourceError, match="has no part 'b'"):
        write_small_bundle(tmp_path / "bundle", queries, **other(parts=parts))


def test_an_image_judged_outside_the_gallery_of_its_query_is_refused(tmp_path):
    galleries = [("all", image) for image in IMAGES if image != "i8"] + [("others", "i8")]
    with pytest.raises(ImportSourceError, match="image 'i8' is judged but is not in the gallery of query 'q2'"):
        write_small_bundle(tmp_path / "bundle", galleries=galleries)


def test_a_query_of_an_empty_gallery_is_refused(tmp_path):
    queries = [*QUERIES[:3], replace(QUERIES[3], gallery_id="none")]
    with pytest.raises(ImportSourceError, match="query 'q3' ranks the gallery 'none', which holds no image"):
        write_small_bundle(tmp_path / "bundle", queries)


def test_excluded_images_must_be_in_a_gallery_that_is_ranked_whole(tmp_path):
    queries = [replace(QUERIES[0], exclude=("i99",)), *QUERIES[1:]]
    write_small_bundle(tmp_path / "cut", queries)
    with pytest.raises(ImportSourceError, match="image 'i99' is excluded but is in no gallery"):
        write_small_bundle(tmp_path / "whole", queries, **other(full_gallery=True))


def test_millions_of_judgements_are_checked_in_seconds():
    n_queries, n_images, n = 2_000, 700_000, 4_000_000
    places = np.arange(n)
    ids = pa.array([f"q{number}" for number in range(n_queries)])
    images = pa.array([f"i{number}" for number in range(n_images)])
    strings = pa.list_(pa.string())
    queries = pa.table(
        {
            "query_id": ids,
            "reference_images": pa.array([["i0"]] * n_queries, strings),
            "gallery_id": ["all"] * n_queries,
            "exclude": pa.array([[]] * n_queries, strings),
        }
    )
    ones = pa.array(np.ones(n))
    judged = [ids.take(pa.array(places % n_queries)), images.take(pa.array(places % n_images))]
    judged += [pa.array(["positive"] * n), pa.array([""] * n), ones, ones.cast(pa.int64())]
    plain = manifest(
        resampling=ResamplingUnit("query", ""),
        slice_axes=(),
        protocols=(replace(OFFICIAL, metrics=("mAP@2",), language=None),),
    )
    start = process_time()
    check_parts(
        plain,
        queries,
        pa.table([["all"] * n_images, images], schema=GALLERY_SCHEMA),
        pa.table(judged, schema=JUDGEMENT_SCHEMA),
        SLICE_SCHEMA.empty_table(),
    )
    assert process_time() - start < 20
