"""Two simple descriptions of an image, straight from its pixels: which colours it has, and where its edges lie."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

COLOUR_LEVELS = 4
EDGE_CELLS = 16


def read_pixels(images: Path, image_ids: Sequence[str]) -> NDArray[np.uint8]:
    """(N, H, W, 3) the images of a bundle, all of one size."""
    return np.stack([_read(images / f"{image_id}.png") for image_id in image_ids])


def colour_features(pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(N, 64) unit rows: square roots of a histogram over 4 x 4 x 4 colours."""
    levels = pixels // (256 // COLOUR_LEVELS)
    colours = (levels[..., 0] * COLOUR_LEVELS + levels[..., 1]) * COLOUR_LEVELS + levels[..., 2]
    histograms = [np.bincount(image.ravel(), minlength=COLOUR_LEVELS**3) for image in colours]
    return _unit(np.sqrt(np.stack(histograms, dtype=np.float32)))


def edge_features(pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(N, 256) unit rows: strength of the edges in 16 x 16 cells, less the mean over the images.

    H and W are multiples of 16.
    """
    strengths = np.stack([_edge_strengths(image) for image in pixels])
    return _unit(strengths - strengths.mean(axis=0))


def pixel_features(pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(N, 320) unit rows: colours and edges in equal parts."""
    return _unit(np.concatenate([colour_features(pixels), edge_features(pixels)], axis=1))


def _read(path: Path) -> NDArray[np.uint8]:
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB"))


def _edge_strengths(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(256,) mean gradient of the grey image in each cell."""
    grey = image.mean(axis=2, dtype=np.float32)
    down, across = np.gradient(grey)
    height, width = grey.shape
    cells = np.hypot(down, across).reshape(EDGE_CELLS, height // EDGE_CELLS, EDGE_CELLS, width // EDGE_CELLS)
    strengths: NDArray[np.float32] = cells.mean(axis=(1, 3)).ravel()
    return strengths


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: NDArray[np.float32] = (rows / np.maximum(lengths, 1e-12)).astype(np.float32)
    return unit
