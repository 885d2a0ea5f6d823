"""The methods behind the demo runs: real retrieval by pixels, chance, and oracles that are told part of the answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluator.importers.mini.words import form


@dataclass(frozen=True, slots=True)
class Task:
    """One query as a demo method sees it.

    Attributes:
        modification: Its text.
        similarity: (G,) cosine of all pixel features to the reference images.
        colour_similarity: (G,) cosine of the colour features alone.
        positive: (G,) bool, told to oracles only.
        composed: (G,) bool, look-alikes under the right modification; told to oracles only.
        textual: (G,) bool, other families under the right modification; told to oracles only.
    """

    modification: str
    similarity: NDArray[np.float32]
    colour_similarity: NDArray[np.float32]
    positive: NDArray[np.bool_]
    composed: NDArray[np.bool_]
    textual: NDArray[np.bool_]


Scores = NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class DemoMethod:
    """A method and what its page says about it.

    Attributes:
        slug: Also the name of its file.
        paradigm: ``baseline`` for real retrieval, ``other`` for oracles.
        score: (task, rng) -> (G,) scores, higher is better.
    """

    slug: str
    name: str
    description: str
    paradigm: str
    backbone: str
    score: Callable[[Task, np.random.Generator], Scores]


def blurred(truth: NDArray[np.bool_], share: float, rng: np.random.Generator) -> Scores:
    """(G,) one where true, zero where false, but chance for the given share of images."""
    replaced = rng.random(len(truth)) < share
    return np.where(replaced, rng.random(len(truth)), truth) + rng.random(len(truth)) * 1e-6


MISHEARD: Mapping[str, float] = {"phrase": 0.15, "comparison": 0.2, "imperative": 0.25, "question": 0.4}


def misheard(task: Task, rng: np.random.Generator) -> Scores:
    """(G,) whether an image shows the modification, as an oracle hears it that finds questions hardest."""
    right = task.positive | task.composed | task.textual
    return blurred(right, MISHEARD[form(task.modification)], rng)


def _standardised(values: Scores) -> Scores:
    standardised: Scores = (values - values.mean()) / max(float(values.std()), 1e-12)
    return standardised


HEARING_WEIGHT = 30
"""Large enough for what is heard to come before what is similar."""

DEMO_METHODS: tuple[DemoMethod, ...] = (
    DemoMethod(
        "random-order",
        "Random order",
        "Every gallery in random order: the floor of every metric.",
        "baseline",
        "none",
        lambda task, rng: rng.random(len(task.positive)),
    ),
    DemoMethod(
        "pixel-colours-only",
        "Pixel colours only",
        "Real retrieval without words: cosine between 64-bin colour histograms of reference and gallery images.",
        "baseline",
        "colour histogram",
        lambda task, _rng: task.colour_similarity,
    ),
    DemoMethod(
        "pixel-image-only",
        "Pixel image only",
        "Real retrieval without words: cosine between colour histograms and coarse edge maps of reference and gallery.",
        "baseline",
        "colour histogram and edges",
        lambda task, _rng: task.similarity,
    ),
    DemoMethod(
        "text-oracle",
        "Text oracle, mishears 15-40%",
        "Not a method: it is told which images show the modification, mishears 15% of them in phrases and up to 40% "
        "in questions, and ignores the reference image.",
        "other",
        "ground truth",
        misheard,
    ),
    DemoMethod(
        "pixel-and-text-oracle",
        "Pixel image + text oracle",
        "Half a method: a text oracle that mishears 15-40% chooses, and real pixel similarity to the reference orders "
        "what it chose.",
        "other",
        "colour histogram and edges; ground truth",
        lambda task, rng: _standardised(task.similarity) + HEARING_WEIGHT * misheard(task, rng),
    ),
    DemoMethod(
        "look-alike-blind-oracle",
        "Look-alike-blind oracle, 20% noise",
        "Not a method: it is told the answers but takes look-alikes for the object itself, and judges 20% of the "
        "images by chance. Compare its negative recall with its mAP.",
        "other",
        "ground truth",
        lambda task, rng: blurred(task.positive | task.composed, 0.2, rng),
    ),
    DemoMethod(
        "noisy-oracle-60",
        "Noisy oracle, 60% noise",
        "Not a method: it is told the answers and judges 60% of the images by chance.",
        "other",
        "ground truth",
        lambda task, rng: blurred(task.positive, 0.6, rng),
    ),
    DemoMethod(
        "noisy-oracle-30",
        "Noisy oracle, 30% noise",
        "Not a method: it is told the answers and judges 30% of the images by chance.",
        "other",
        "ground truth",
        lambda task, rng: blurred(task.positive, 0.3, rng),
    ),
)
