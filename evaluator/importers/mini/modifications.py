"""The 18 things that a query can ask for, in seven types (those of i-CIR's textual categories)."""

from collections.abc import Mapping

MODIFICATION_TYPES: Mapping[str, str] = {
    "sketch": "domain",
    "blueprint": "domain",
    "pixel": "domain",
    "sepia": "domain",
    "beach": "context",
    "snow": "context",
    "table": "context",
    "night": "context",
    "gold": "appearance",
    "glass": "appearance",
    "three": "attribute",
    "tiny": "attribute",
    "upside": "viewpoint",
    "side": "viewpoint",
    "hat": "addition",
    "balloon": "addition",
    "mug": "projection",
    "shirt": "projection",
}
MODIFICATIONS: tuple[str, ...] = tuple(MODIFICATION_TYPES)
PLAIN = "plain"
"""The photograph of an instance that nothing was done to."""
