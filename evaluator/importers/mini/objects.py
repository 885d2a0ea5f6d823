"""A design drawn as an object on a transparent layer."""

import numpy as np
from PIL import Image, ImageFilter

from evaluator.importers.mini.designs import Design
from evaluator.importers.mini.emblems import draw_emblem
from evaluator.importers.mini.patterns import pattern_layer
from evaluator.importers.mini.pen import Pen
from evaluator.importers.mini.shapes import DRAW_SHAPE


def draw_object(design: Design) -> Image.Image:
    """Draw shape, pattern and emblem; an RGBA layer of ``LAYER_PX`` squared."""
    pen = Pen(design.body_rgb, design.accent_rgb)
    badge = DRAW_SHAPE[design.shape](pen, *design.variant)
    if design.pattern != "plain":
        _wear_pattern(pen, design)
    draw_emblem(pen, design.emblem, badge)
    return pen.layer


def _wear_pattern(pen: Pen, design: Design) -> None:
    """Paste the pattern inside the body's outline."""
    layer = pattern_layer(design.pattern, design.accent_rgb)
    inside = np.asarray(pen.body_mask.filter(ImageFilter.MinFilter(5)))
    marks = np.asarray(layer)[..., 3] > 0
    pen.layer.paste(layer, (0, 0), Image.fromarray((inside * marks).astype(np.uint8)))
