"""Draws outlined parts of an object in the square [-1, 1] x [-1, 1], x to the right and y down."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from PIL import Image, ImageDraw

from evaluator.importers.mini.designs import RGB

Point: TypeAlias = tuple[float, float]
RGBA: TypeAlias = tuple[int, int, int, int]

LAYER_PX = 160
OUTLINE_PX = 4
DARK: RGB = (38, 34, 40)
CREAM: RGB = (250, 246, 232)
PANE: RGB = (190, 225, 240)


def opaque(colour: RGB) -> RGBA:
    """The colour with full alpha."""
    return (*colour, 255)


class Pen:
    """An RGBA layer of ``LAYER_PX`` squared, and a mask of its parts in the ``body`` ink, which take the pattern.

    Inks: ``body``, ``accent``, ``dark``, ``cream``, ``pane``.
    """

    def __init__(self, body: RGB, accent: RGB) -> None:
        self.layer = Image.new("RGBA", (LAYER_PX, LAYER_PX), (0, 0, 0, 0))
        self.body_mask = Image.new("L", (LAYER_PX, LAYER_PX), 0)
        self._draw = ImageDraw.Draw(self.layer)
        self._mask_draw = ImageDraw.Draw(self.body_mask)
        self._inks: Mapping[str, RGBA] = {
            "body": opaque(body),
            "accent": opaque(accent),
            "dark": opaque(DARK),
            "cream": opaque(CREAM),
            "pane": opaque(PANE),
        }

    def polygon(self, points: Sequence[Point], ink: str = "body") -> None:
        """A filled polygon with an outline."""
        corners = to_pixels(points)
        self._draw.polygon(corners, fill=self._inks[ink])
        self._draw.line(corners + corners[:2], fill=opaque(DARK), width=OUTLINE_PX, joint="curve")
        self._mask_draw.polygon(corners, fill=self._mask_value(ink))

    def rectangle(self, x0: float, y0: float, x1: float, y1: float, ink: str = "body") -> None:
        """A filled rectangle with an outline."""
        self.polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], ink)

    def ellipse(self, x0: float, y0: float, x1: float, y1: float, ink: str = "body") -> None:
        """A filled ellipse with an outline."""
        box = to_pixels([(x0, y0), (x1, y1)])
        self._draw.ellipse(box, fill=self._inks[ink], outline=opaque(DARK), width=OUTLINE_PX)
        self._mask_draw.ellipse(box, fill=self._mask_value(ink))

    def disc(self, x: float, y: float, radius: float, ink: str = "body") -> None:
        """A filled circle with an outline."""
        self.ellipse(x - radius, y - radius, x + radius, y + radius, ink)

    def rounded(self, x0: float, y0: float, x1: float, y1: float, corner: float, ink: str = "body") -> None:
        """A filled rectangle with round corners and an outline."""
        box, corner_px = to_pixels([(x0, y0), (x1, y1)]), corner * LAYER_PX / 2
        self._draw.rounded_rectangle(box, corner_px, fill=self._inks[ink], outline=opaque(DARK), width=OUTLINE_PX)
        self._mask_draw.rounded_rectangle(box, corner_px, fill=self._mask_value(ink))

    def line(self, points: Sequence[Point], ink: str = "dark", width_px: int = 4) -> None:
        """A line without an outline."""
        self._draw.line(to_pixels(points), fill=self._inks[ink], width=width_px, joint="curve")

    def handle(self, x0: float, y0: float, x1: float, y1: float, start: int, end: int, width_px: int = 12) -> None:
        """An outlined arc in the accent ink, from ``start`` to ``end`` degrees, clockwise from three o'clock."""
        (left, top), (right, bottom) = to_pixels([(x0, y0), (x1, y1)])
        self._draw.arc((left, top, right, bottom), start, end, fill=opaque(DARK), width=width_px + 5)
        inner = (left + 2.5, top + 2.5, right - 2.5, bottom - 2.5)
        self._draw.arc(inner, start, end, fill=self._inks["accent"], width=width_px)

    def glyph_polygon(self, points: Sequence[Point]) -> None:
        """A dark polygon without an outline, for emblems."""
        self._draw.polygon(to_pixels(points), fill=opaque(DARK))

    def glyph_ellipse(self, x0: float, y0: float, x1: float, y1: float, colour: RGB) -> None:
        """An ellipse without an outline, for emblems."""
        self._draw.ellipse(to_pixels([(x0, y0), (x1, y1)]), fill=opaque(colour))

    @staticmethod
    def _mask_value(ink: str) -> int:
        return 255 if ink == "body" else 0


def to_pixels(points: Sequence[Point]) -> list[Point]:
    """Points of the square [-1, 1] x [-1, 1] in pixels of the layer."""
    return [((x + 1) * LAYER_PX / 2, (y + 1) * LAYER_PX / 2) for x, y in points]


def between(low: float, high: float, share: float) -> float:
    """The number ``share`` of the way from low to high."""
    return low + (high - low) * share
