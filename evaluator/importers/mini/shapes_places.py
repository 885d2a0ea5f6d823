"""Vehicles and buildings. Each takes the pen and three proportions in [0, 1]."""

from evaluator.importers.mini.badge import Badge
from evaluator.importers.mini.pen import Pen, between


def car(pen: Pen, a: float, b: float, c: float) -> Badge:
    """Height of the cabin; roundness; size of the wheels."""
    roof, wheel = between(-0.5, -0.65, a), between(0.18, 0.25, c)
    pen.polygon([(-0.5, -0.1), (-0.32, roof), (0.3, roof), (0.55, -0.1)], "accent")
    pen.polygon([(-0.38, -0.12), (-0.25, roof + 0.1), (-0.02, roof + 0.1), (-0.02, -0.12)], "pane")
    pen.polygon([(0.05, -0.12), (0.05, roof + 0.1), (0.23, roof + 0.1), (0.4, -0.12)], "pane")
    pen.rounded(-0.95, -0.14, 0.95, 0.42, between(0.08, 0.25, b))
    for x in (-0.55, 0.55):
        pen.disc(x, 0.42, wheel, "dark")
        pen.ellipse(x - 0.09, 0.33, x + 0.09, 0.51, "accent")
    return Badge(0, 0.14, 0.25)


def boat(pen: Pen, a: float, b: float, c: float) -> Badge:
    """Width of the sail; with or without a jib; length of the keel."""
    pen.line([(0, -0.9), (0, 0.2)], "dark", 6)
    pen.polygon([(0.06, -0.85), (between(0.55, 0.75, a), 0.08), (0.06, 0.08)], "accent")
    if b > 0.5:
        pen.polygon([(-0.06, -0.6), (-0.06, 0.08), (-0.5, 0.08)], "cream")
    pen.polygon([(-0.95, 0.15), (0.95, 0.15), (between(0.55, 0.75, c), 0.8), (-0.6, 0.8)])
    return Badge(0, 0.47, 0.26)


def rocket(pen: Pen, a: float, b: float, c: float) -> Badge:
    """Width; height of the nose's shoulders; with or without exhaust."""
    width, shoulder = between(0.3, 0.42, a), between(-0.6, -0.75, b)
    for side in (-1, 1):
        fin = [(side * width, 0.2), (side * (width + 0.3), 0.75), (side * (width - 0.05), 0.65)]
        pen.polygon(fin, "accent")
    pen.polygon([(-width, -0.35), (width, -0.35), (width, 0.68), (-width, 0.68)])
    nose = [(-width, -0.35), (-width * 0.6, shoulder), (0, -0.97), (width * 0.6, shoulder), (width, -0.35)]
    pen.polygon(nose, "accent")
    if c > 0.5:
        pen.polygon([(-0.15, 0.68), (0.15, 0.68), (0.08, 0.95), (0, 0.85), (-0.08, 0.95)], "dark")
    return Badge(0, 0.14, min(0.28, width * 0.85))


def house(pen: Pen, a: float, b: float, c: float) -> Badge:
    """Height of the roof; width of its ridge; door at the left or the right."""
    ridge, top = between(0.25, 0.0, b), between(-0.75, -0.92, a)
    pen.rectangle(-0.62, -0.15, 0.62, 0.85)
    pen.polygon([(-0.82, -0.12), (-ridge, top), (ridge, top), (0.82, -0.12)], "accent")
    door = -0.42 if c < 0.5 else 0.14
    pen.rectangle(door, 0.42, door + 0.28, 0.85, "dark")
    return Badge(0, 0.12, 0.25)


def castle(pen: Pen, a: float, b: float, _c: float) -> Badge:
    """Height of the towers; round or square gate."""
    top = between(-0.55, -0.75, a)
    pen.rectangle(-0.5, -0.2, 0.5, 0.85)
    for x in (-0.7, 0.7):
        pen.rectangle(x - 0.24, top + 0.2, x + 0.24, 0.85)
        pen.polygon([(x - 0.3, top + 0.22), (x, top - 0.2), (x + 0.3, top + 0.22)], "accent")
    for x in (-0.3, 0, 0.3):
        pen.rectangle(x - 0.09, -0.36, x + 0.09, -0.18, "accent")
    if b < 0.5:
        pen.ellipse(-0.14, 0.48, 0.14, 0.76, "dark")
    pen.rectangle(-0.14, 0.6, 0.14, 0.85, "dark")
    return Badge(0, 0.16, 0.26)
