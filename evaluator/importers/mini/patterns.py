"""The patterns that an object's body can wear, as transparent layers in the accent colour."""

from collections.abc import Callable, Mapping

from PIL import Image, ImageDraw

from evaluator.importers.mini.designs import RGB
from evaluator.importers.mini.pen import LAYER_PX, RGBA, opaque

STRIPE_PX = 26


def striped(draw: ImageDraw.ImageDraw, ink: RGBA) -> None:
    """Upright stripes."""
    for x in range(0, LAYER_PX, STRIPE_PX):
        draw.rectangle([x, 0, x + STRIPE_PX // 2 - 2, LAYER_PX], fill=ink)


def banded(draw: ImageDraw.ImageDraw, ink: RGBA) -> None:
    """Level bands."""
    for y in range(0, LAYER_PX, STRIPE_PX):
        draw.rectangle([0, y, LAYER_PX, y + STRIPE_PX // 2 - 2], fill=ink)


def dotted(draw: ImageDraw.ImageDraw, ink: RGBA) -> None:
    """Dots, every other row shifted by half a step."""
    for row, y in enumerate(range(0, LAYER_PX + STRIPE_PX, 22)):
        for x in range(-11 * (row % 2), LAYER_PX + STRIPE_PX, 22):
            draw.ellipse([x - 6, y - 6, x + 6, y + 6], fill=ink)


def checked(draw: ImageDraw.ImageDraw, ink: RGBA) -> None:
    """A chessboard."""
    for row, y in enumerate(range(0, LAYER_PX, 18)):
        for x in range(18 * (row % 2), LAYER_PX, 36):
            draw.rectangle([x, y, x + 17, y + 17], fill=ink)


def zigzag(draw: ImageDraw.ImageDraw, ink: RGBA) -> None:
    """Level zigzag lines."""
    for y in range(-10, LAYER_PX + 20, 28):
        points = [(x, y + (14 if (x // 14) % 2 else 0)) for x in range(0, LAYER_PX + 15, 14)]
        draw.line(points, fill=ink, width=9, joint="curve")


DRAW_PATTERN: Mapping[str, Callable[[ImageDraw.ImageDraw, RGBA], None]] = {
    "striped": striped,
    "banded": banded,
    "dotted": dotted,
    "checked": checked,
    "zigzag": zigzag,
}


def pattern_layer(pattern: str, colour: RGB) -> Image.Image:
    """The pattern over the whole layer; transparent between its marks."""
    layer = Image.new("RGBA", (LAYER_PX, LAYER_PX), (0, 0, 0, 0))
    DRAW_PATTERN[pattern](ImageDraw.Draw(layer), opaque(colour))
    return layer
