"""Puts an object's layer into a scene. Lengths are shares of the scene's width."""

from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from evaluator.importers.mini.designs import RGB
from evaluator.importers.mini.pen import LAYER_PX

LUMA = np.array([0.3, 0.59, 0.11], np.float32)


@dataclass(frozen=True, slots=True)
class Spot:
    """Centre, half size and turn (degrees, anticlockwise) of an object in a scene."""

    x: float
    y: float
    half: float
    turn: float


def place(scene: Image.Image, layer: Image.Image, spot: Spot, *, shadow: bool) -> None:
    """Paste the object, with a soft shadow under it if it stands on the ground."""
    size = max(8, round(2 * spot.half * scene.width))
    turned = layer.rotate(spot.turn, Image.Resampling.BICUBIC) if spot.turn % 360 else layer
    # Averaging keeps the outlines of objects that shrink to less than half.
    resampling = Image.Resampling.BOX if size < LAYER_PX // 2 else Image.Resampling.BILINEAR
    small = turned.resize((size, size), resampling)
    left, top = int(spot.x * scene.width - size / 2), int(spot.y * scene.width - size / 2)
    if shadow:
        ellipse = [left + size * 0.12, top + size * 0.86, left + size * 0.88, top + size * 1.0]
        ImageDraw.Draw(scene, "RGBA").ellipse(ellipse, fill=(0, 0, 0, 60))
    scene.paste(small, (left, top), small)


def in_material(layer: Image.Image, dark: RGB, light: RGB, opacity: float = 1.0) -> Image.Image:
    """Repaint an object between two colours by its luminance; its outlines stay opaque."""
    pixels = np.asarray(layer).astype(np.float32)
    luminance = (pixels[..., :3] @ LUMA)[..., None] / 255
    paint = np.asarray(dark, np.float32) * (1 - luminance) + np.asarray(light, np.float32) * luminance
    alpha = pixels[..., 3:] * (opacity + (1 - opacity) * (luminance < 0.25))
    return Image.fromarray(np.concatenate([paint, alpha], axis=2).clip(0, 255).astype(np.uint8))
