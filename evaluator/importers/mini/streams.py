"""Independent streams of random numbers, one per purpose, so that a change of one leaves the others as they are."""

import numpy as np

FAMILIES, NEEDS, PIXELS = 77, 78, 79


def stream(seed: int, purpose: int, *place: int) -> np.random.Generator:
    """The stream of a seed for one purpose, and for one instance or image where that is named."""
    return np.random.default_rng([purpose, seed, *place])
