"""What the mini benchmark's records promise, at full size."""

from collections import Counter
from dataclasses import replace
from itertools import chain, combinations

import numpy as np
import pytest

from evaluator.importers.mini.benchmark import MiniBenchmark, draw_benchmark
from evaluator.importers.mini.designs import SHAPES, Description
from evaluator.importers.mini.families import draw_family
from evaluator.importers.mini.modifications import MODIFICATION_TYPES
from evaluator.importers.mini.objects import draw_object
from evaluator.importers.mini.render import render
from evaluator.importers.mini.reserved import NEGATIVE_CORPUS, TRAINING_PHRASES
from evaluator.importers.mini.sizes import Sizes
from evaluator.importers.mini.words import PARAPHRASES, SCENE_PARAPHRASES, form

SEEDS = (1, 7, 2024)


@pytest.fixture(scope="module", params=SEEDS)
def benchmark(request: pytest.FixtureRequest) -> MiniBenchmark:
    return draw_benchmark(request.param)


def test_it_has_the_published_size(benchmark: MiniBenchmark) -> None:
    assert len(benchmark.instances) == len(benchmark.galleries) == 48
    assert len(benchmark.images) == 3936
    assert {len(gallery) for gallery in benchmark.galleries.values()} == {203}
    assert len(benchmark.needs) == 528
    assert sum(len(need.reference_images) == 2 for need in benchmark.needs) == 48


def test_every_need_has_four_positives_and_every_kind_of_hard_negative(benchmark: MiniBenchmark) -> None:
    for need in benchmark.needs:
        assert len(need.positives) == 4
        assert {kind: len(images) for kind, images in need.hard_negatives.items()} == {
            "visual": 116,
            "composed": 8,
            "textual": 12,
        }


def test_ids_are_unique(benchmark: MiniBenchmark) -> None:
    for ids in ([image.id for image in benchmark.images], [need.id for need in benchmark.needs]):
        assert len(set(ids)) == len(ids)
    for gallery in benchmark.galleries.values():
        assert len(set(gallery)) == len(gallery)


def test_every_judged_image_is_in_the_gallery_and_is_judged_once(benchmark: MiniBenchmark) -> None:
    for need in benchmark.needs:
        judged = Counter(chain(need.positives, *need.hard_negatives.values()))
        assert set(judged.values()) == {1}
        assert judged.keys() <= set(benchmark.galleries[need.instance.id])


def test_no_reference_image_is_in_the_gallery_it_is_searched_in(benchmark: MiniBenchmark) -> None:
    for need in benchmark.needs:
        assert not set(need.reference_images) & set(benchmark.galleries[need.instance.id])


def test_labels_say_what_the_images_show(benchmark: MiniBenchmark) -> None:
    shown = {image.id: (image.instance_id, image.modification) for image in benchmark.images}
    family_of = {instance.id: instance.family for instance in benchmark.instances}
    for need in benchmark.needs:
        assert {shown[image] for image in need.positives} == {(need.instance.id, need.modification)}
        for kind, images in need.hard_negatives.items():
            for instance_id, modification in map(shown.__getitem__, images):
                same_family = family_of[instance_id] == need.instance.family
                right = modification == need.modification
                assert (same_family, right) == {"visual": (True, False), "composed": (True, True)}.get(
                    kind, (False, True)
                )
                assert kind != "composed" or instance_id != need.instance.id


def test_the_second_reference_shows_the_wanted_place(benchmark: MiniBenchmark) -> None:
    shown = {image.id: image for image in benchmark.images}
    family_of = {instance.id: instance.family for instance in benchmark.instances}
    for need in benchmark.needs:
        if len(need.reference_images) == 2:
            scene = shown[need.reference_images[1]]
            assert MODIFICATION_TYPES[need.modification] == "context"
            assert scene.modification == need.modification
            assert family_of[scene.instance_id] != need.instance.family


def test_no_reference_shows_what_is_asked_for_already(benchmark: MiniBenchmark) -> None:
    shown = {image.id: image.modification for image in benchmark.images}
    assert all(shown[need.reference_images[0]] != need.modification for need in benchmark.needs)


def test_look_alikes_never_differ_by_colour_alone(benchmark: MiniBenchmark) -> None:
    def colourless(description: Description) -> tuple[str, str, str]:
        return description.shape, description.pattern, description.emblem

    descriptions = [instance.design.description for instance in benchmark.instances]
    assert len({colourless(description) for description in descriptions}) == len(descriptions)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("modification", ["sketch", "sepia", "gold", "glass"])
def test_look_alikes_stay_apart_where_colour_is_lost(shape: str, modification: str) -> None:
    for seed in range(3):
        family = draw_family(np.random.default_rng(seed), shape)
        # The same proportions and shades, so that only what can be named is left to tell them apart.
        layers = [draw_object(replace(one, variant=family[0].variant, jitter=family[0].jitter)) for one in family]
        pictures = [np.asarray(render(layer, modification, np.random.default_rng(5)), np.int64) for layer in layers]
        for one, other in combinations(pictures, 2):
            assert (np.abs(one - other).max(axis=2) > 20).sum() >= 15


def test_no_wording_repeats_what_a_model_is_trained_on() -> None:
    wordings = [*chain(*PARAPHRASES.values()), *SCENE_PARAPHRASES]
    assert len(set(wordings)) == len(wordings) == 19 * 6
    assert not set(wordings) & {*TRAINING_PHRASES, *NEGATIVE_CORPUS}


def test_every_need_is_worded_in_every_form() -> None:
    for paraphrases in (*PARAPHRASES.values(), SCENE_PARAPHRASES):
        assert {form(paraphrase) for paraphrase in paraphrases} == {"phrase", "comparison", "imperative", "question"}


def test_the_same_seed_gives_the_same_records_and_another_seed_others() -> None:
    assert draw_benchmark(7).digest == draw_benchmark(7).digest
    assert len({draw_benchmark(seed).digest for seed in SEEDS}) == len(SEEDS)


@pytest.mark.parametrize("counts", [{"n_own_unasked": 4}, {"n_kept_out": 0}, {"n_families": 2}])
def test_sizes_that_leave_no_reference_are_refused(counts: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="must leave out"):
        Sizes(**counts)
