"""Things for the house, to wear and to use. Each takes the pen and three proportions in [0, 1]."""

from evaluator.importers.mini.badge import Badge
from evaluator.importers.mini.pen import Pen, between


def teapot(pen: Pen, a: float, b: float, c: float) -> Badge:
    """Width; handle behind or above; height of the spout."""
    width = between(0.48, 0.6, a)
    if b < 0.5:
        pen.handle(width - 0.28, -0.25, width + 0.3, 0.4, 270, 90)
    else:
        pen.handle(-0.45, -0.85, 0.45, 0.1, 180, 360)
    lift = 0.15 * c
    pen.polygon(
        [(-width + 0.1, 0.3), (-0.95, -0.25 - lift), (-0.8, -0.32 - lift), (-width + 0.15, -0.05)],
        "accent",
    )
    pen.ellipse(-width, -0.38, width, 0.62)
    pen.ellipse(-0.3, -0.5, 0.3, -0.28, "accent")
    pen.ellipse(-0.08, -0.64, 0.08, -0.48, "dark")
    return Badge(0, 0.13, 0.27)


def vase(pen: Pen, a: float, b: float, c: float) -> Badge:
    """Width of the belly; width of the neck; with or without handles."""
    belly, neck = between(0.42, 0.62, a), between(0.16, 0.3, b)
    right = [(neck, -0.8), (neck * 0.8, -0.45), (belly, 0.1), (belly * 0.8, 0.55), (0.3, 0.85)]
    left = [(-x, y) for x, y in reversed(right)]
    pen.polygon([left[-1], *right, *left[:-1]])
    pen.rectangle(-neck - 0.08, -0.9, neck + 0.08, -0.76, "accent")
    pen.rectangle(-0.34, 0.78, 0.34, 0.9, "accent")
    if c > 0.5:
        pen.handle(-belly - 0.12, -0.7, -neck + 0.1, 0.0, 90, 270, width_px=8)
        pen.handle(neck - 0.1, -0.7, belly + 0.12, 0.0, 270, 90, width_px=8)
    return Badge(0, 0.17, 0.27)


def lamp(pen: Pen, a: float, b: float, c: float) -> Badge:
    """Width of the shade's top; width of the foot; with or without a cord."""
    top, foot = between(0.22, 0.42, a), between(0.3, 0.5, b)
    pen.rectangle(-0.06, 0.1, 0.06, 0.75, "accent")
    pen.ellipse(-foot, 0.66, foot, 0.92, "accent")
    pen.polygon([(-top, -0.85), (top, -0.85), (0.72, 0.22), (-0.72, 0.22)])
    if c > 0.5:
        pen.line([(0.5, 0.22), (0.5, 0.5)], "dark", 3)
        pen.ellipse(0.44, 0.46, 0.56, 0.58, "accent")
    return Badge(0, -0.2, 0.26)


def backpack(pen: Pen, a: float, b: float, c: float) -> Badge:
    """Width; roundness; with or without a seam."""
    width = between(0.5, 0.62, a)
    pen.handle(-0.22, -0.98, 0.22, -0.55, 180, 360, width_px=8)
    pen.rounded(-width, -0.75, width, 0.85, between(0.15, 0.4, b))
    pen.rounded(-width + 0.12, 0.38, width - 0.12, 0.78, 0.08, "accent")
    for side in (-1, 1):
        x = side * (width + 0.06)
        pen.rectangle(x - 0.08, -0.1, x + 0.08, 0.6, "accent")
    if c > 0.5:
        pen.line([(-width + 0.1, -0.45), (width - 0.1, -0.45)], "dark", 4)
    return Badge(0, -0.1, 0.28)


def boot(pen: Pen, a: float, b: float, c: float) -> Badge:
    """Height of the shaft; height of the heel; with or without laces."""
    top, heel = between(-0.7, -0.9, a), between(0.84, 0.95, b)
    pen.polygon([(-0.45, top), (0.25, top), (0.25, 0.1), (0.85, 0.35), (0.9, 0.68), (-0.45, 0.68)])
    pen.polygon([(-0.5, 0.66), (0.95, 0.66), (0.95, 0.84), (-0.1, 0.84), (-0.1, heel), (-0.5, heel)], "accent")
    pen.rectangle(-0.5, top - 0.06, 0.3, top + 0.16, "accent")
    if c > 0.5:
        pen.line([(0.12, -0.3), (0.34, -0.38)], "dark", 4)
        pen.line([(0.12, -0.1), (0.36, -0.18)], "dark", 4)
    return Badge(-0.1, 0.05, 0.27)


def guitar(pen: Pen, a: float, b: float, c: float) -> Badge:
    """Width of the shoulders; round or horned; with or without a bridge."""
    width = between(0.34, 0.44, a)
    pen.rectangle(-0.07, -0.9, 0.07, -0.1, "dark")
    pen.rectangle(-0.14, -0.98, 0.14, -0.78, "accent")
    if b < 0.5:
        pen.ellipse(-width, -0.3, width, 0.3, "accent")
    else:
        horns = [(-width, -0.3), (-0.1, -0.1), (0.1, -0.1), (width, -0.3), (width, 0.2), (-width, 0.2)]
        pen.polygon(horns, "accent")
    pen.ellipse(-0.62, 0.0, 0.62, 0.94)
    pen.line([(-0.02, -0.8), (-0.02, 0.0)], "cream", 2)
    if c > 0.5:
        pen.rectangle(-0.2, 0.78, 0.2, 0.86, "dark")
    return Badge(0, 0.44, 0.27)


def camera(pen: Pen, a: float, b: float, c: float) -> Badge:
    """Place of the finder; roundness; round or flat flash."""
    finder = between(-0.5, 0.3, a)
    pen.rectangle(finder, -0.62, finder + 0.35, -0.38, "accent")
    pen.rounded(-0.9, -0.42, 0.9, 0.65, between(0.05, 0.2, b))
    if c > 0.5:
        pen.ellipse(0.42, -0.32, 0.72, -0.02, "pane")
    else:
        pen.rectangle(0.45, -0.3, 0.78, -0.12, "pane")
    pen.ellipse(-0.5, -0.3, 0.34, 0.54, "accent")
    return Badge(-0.08, 0.12, 0.3)
