"""The eight emblems: a cream badge with a dark glyph, drawn in its own square [-1, 1] x [-1, 1]."""

import math
from collections.abc import Callable, Mapping, Sequence

from evaluator.importers.mini.badge import Badge
from evaluator.importers.mini.designs import RGB
from evaluator.importers.mini.pen import CREAM, DARK, Pen, Point


class Glyph:
    """A pen whose square is scaled and moved onto the badge."""

    def __init__(self, pen: Pen, badge: Badge, scale: float) -> None:
        self._pen, self._x, self._y, self._scale = pen, badge.x, badge.y, scale

    def polygon(self, points: Sequence[Point]) -> None:
        """A dark polygon."""
        self._pen.glyph_polygon([self._on_badge(x, y) for x, y in points])

    def ellipse(self, x0: float, y0: float, x1: float, y1: float, colour: RGB = DARK) -> None:
        """An ellipse, dark unless it cuts a hole in another."""
        self._pen.glyph_ellipse(*self._on_badge(x0, y0), *self._on_badge(x1, y1), colour)

    def _on_badge(self, x: float, y: float) -> Point:
        return self._x + self._scale * x, self._y + self._scale * y


def star(glyph: Glyph) -> None:
    """Five points, the first one up."""
    corners = []
    for step in range(10):
        angle, reach = math.radians(-90 + 360 * step / 10), 0.95 if step % 2 == 0 else 0.4
        corners.append((reach * math.cos(angle), reach * math.sin(angle)))
    glyph.polygon(corners)


def heart(glyph: Glyph) -> None:
    """Two discs over a wedge."""
    glyph.ellipse(-0.8, -0.7, 0.05, 0.15)
    glyph.ellipse(-0.05, -0.7, 0.8, 0.15)
    glyph.polygon([(-0.76, -0.1), (0.76, -0.1), (0, 0.85)])


def moon(glyph: Glyph) -> None:
    """A disc with a disc cut out of it."""
    glyph.ellipse(-0.85, -0.85, 0.75, 0.85)
    glyph.ellipse(-0.25, -0.75, 0.95, 0.6, CREAM)


def cross(glyph: Glyph) -> None:
    """Two bars."""
    glyph.polygon([(-0.25, -0.85), (0.25, -0.85), (0.25, 0.85), (-0.25, 0.85)])
    glyph.polygon([(-0.85, -0.25), (0.85, -0.25), (0.85, 0.25), (-0.85, 0.25)])


def bolt(glyph: Glyph) -> None:
    """A flash of lightning."""
    glyph.polygon([(0.25, -0.95), (-0.6, 0.15), (-0.05, 0.15), (-0.25, 0.95), (0.6, -0.2), (0.05, -0.2)])


def ring(glyph: Glyph) -> None:
    """A disc with a hole."""
    glyph.ellipse(-0.8, -0.8, 0.8, 0.8)
    glyph.ellipse(-0.4, -0.4, 0.4, 0.4, CREAM)


def triangle(glyph: Glyph) -> None:
    """Three equal sides, the tip up."""
    angles = [math.radians(-90 + 360 * step / 3) for step in range(3)]
    glyph.polygon([(0.95 * math.cos(angle), 0.15 + 0.95 * math.sin(angle)) for angle in angles])


def flower(glyph: Glyph) -> None:
    """Five petals around a light centre."""
    for step in range(5):
        angle = 2 * math.pi * step / 5 - 1.57
        x, y = 0.5 * math.cos(angle), 0.5 * math.sin(angle)
        glyph.ellipse(x - 0.38, y - 0.38, x + 0.38, y + 0.38)
    glyph.ellipse(-0.25, -0.25, 0.25, 0.25, CREAM)


DRAW_GLYPH: Mapping[str, Callable[[Glyph], None]] = {
    "star": star,
    "heart": heart,
    "moon": moon,
    "cross": cross,
    "bolt": bolt,
    "ring": ring,
    "triangle": triangle,
    "flower": flower,
}


def draw_emblem(pen: Pen, emblem: str, badge: Badge) -> None:
    """Put the badge with its glyph on the object."""
    radius = badge.radius * 1.2
    pen.disc(badge.x, badge.y, radius * 1.15, "cream")
    DRAW_GLYPH[emblem](Glyph(pen, badge, radius * 0.95))
