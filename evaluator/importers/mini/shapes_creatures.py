"""Animals and imagined beings. Each takes the pen and three proportions in [0, 1]."""

import math

from evaluator.importers.mini.badge import Badge
from evaluator.importers.mini.pen import Pen, between


def robot(pen: Pen, a: float, b: float, c: float) -> Badge:
    """Width of the head; its roundness; raised or lowered arms."""
    head, arm = between(0.28, 0.42, a), between(-0.2, 0.25, c)
    pen.line([(0, -0.9), (0, -0.7)], "dark", 5)
    pen.ellipse(-0.07, -0.98, 0.07, -0.84, "accent")
    pen.rounded(-head, -0.75, head, -0.28, between(0.04, 0.2, b), "accent")
    for x in (-0.15, 0.15):
        pen.ellipse(x - 0.08, -0.6, x + 0.08, -0.44, "cream")
    pen.rectangle(-0.38, 0.6, -0.12, 0.95, "accent")
    pen.rectangle(0.12, 0.6, 0.38, 0.95, "accent")
    for side in (-1, 1):
        limb = [(side * 0.5, -0.18), (side * 0.85, arm + 0.1), (side * 0.72, arm + 0.25), (side * 0.48, 0.08)]
        pen.polygon(limb, "accent")
    pen.rounded(-0.52, -0.28, 0.52, 0.65, 0.08)
    return Badge(0, 0.2, 0.28)


def ghost(pen: Pen, a: float, b: float, c: float) -> Badge:
    """Width; three or four folds of the hem; height of the hands."""
    width, n_folds = between(0.5, 0.64, a), 3 if b < 0.5 else 4
    angles = [math.pi * step / 12 for step in range(13)]
    dome = [(-width * math.cos(angle), -0.25 - 0.65 * math.sin(angle)) for angle in angles]
    steps = range(2 * n_folds + 1)
    hem = [(width - 2 * width * step / (2 * n_folds), 0.9 if step % 2 == 0 else 0.7) for step in steps]
    pen.polygon(dome + hem)
    for x in (-0.2, 0.2):
        pen.ellipse(x - 0.1, -0.62, x + 0.1, -0.34, "dark")
    hand = 0.2 * c
    pen.ellipse(-width + 0.02, 0.0 - hand, -width + 0.2, 0.2 - hand, "accent")
    pen.ellipse(width - 0.2, 0.0 - hand, width - 0.02, 0.2 - hand, "accent")
    return Badge(0, 0.2, 0.28)


def fish(pen: Pen, a: float, b: float, c: float) -> Badge:
    """Height of the body; spread of the tail; length of the belly fin."""
    height, tail = between(0.42, 0.58, a), between(0.35, 0.55, b)
    pen.polygon([(0.45, 0), (0.95, -tail), (0.82, 0), (0.95, tail)], "accent")
    pen.polygon([(-0.2, -height + 0.1), (0.25, -height - 0.28), (0.3, -height + 0.2)], "accent")
    pen.ellipse(-0.92, -height, 0.6, height)
    pen.ellipse(-0.72, -0.22, -0.52, -0.02, "cream")
    pen.ellipse(-0.66, -0.16, -0.58, -0.06, "dark")
    pen.polygon([(0.1, 0.3), (0.3, 0.62 + 0.15 * c), (0.4, 0.25)], "accent")
    return Badge(-0.1, 0.04, 0.27)


def bird(pen: Pen, a: float, b: float, c: float) -> Badge:
    """Lift of the tail; length of the beak; with or without a crest."""
    pen.line([(-0.1, 0.6), (-0.1, 0.92)], "dark", 5)
    pen.line([(0.15, 0.6), (0.15, 0.92)], "dark", 5)
    pen.polygon([(0.45, 0.15), (0.97, -0.1 - 0.3 * a), (0.9, 0.35)], "accent")
    pen.ellipse(-0.55, -0.25, 0.6, 0.68)
    pen.ellipse(-0.78, -0.82, -0.2, -0.24, "accent")
    pen.polygon([(-0.75, -0.6), (-0.98 + 0.08 * b, -0.48), (-0.74, -0.42)], "cream")
    pen.ellipse(-0.6, -0.66, -0.46, -0.52, "dark")
    if c > 0.5:
        pen.polygon([(-0.5, -0.8), (-0.4, -0.98), (-0.32, -0.8)], "accent")
    return Badge(0.05, 0.2, 0.27)
