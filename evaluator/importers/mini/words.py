"""How the needs are worded: six paraphrases each, in four forms."""

from collections.abc import Mapping

PARAPHRASES: Mapping[str, tuple[str, ...]] = {
    "sketch": (
        "as a pencil sketch",
        "a sketch made with a pencil",
        "sketched by hand",
        "the same thing, but as a hand drawn sketch",
        "show me a pencil drawing of this",
        "could you find a drawing of it in pencil?",
    ),
    "blueprint": (
        "as a technical blueprint",
        "a blueprint of it",
        "blueprint drawing, white lines on blue",
        "the same thing as a technical plan",
        "show me the blueprint of this one",
        "could you find a technical drawing of it on blue?",
    ),
    "pixel": (
        "as pixel art",
        "in the style of a pixel video game",
        "a pixelated one",
        "the same thing as a game sprite",
        "show me this in pixels, like an old video game",
        "could you find a pixel version of it?",
    ),
    "sepia": (
        "in a sepia photo",
        "as an old photograph",
        "a vintage sepia picture of it",
        "the same thing in an archival photograph",
        "show me this as an old brown photograph",
        "could you find a vintage photo of it?",
    ),
    "beach": (
        "at the beach",
        "on the sand by the sea",
        "near the sea, on the sand",
        "the same thing standing on a beach",
        "show me this near the sea on a sunny day",
        "could you find it on a sandy beach?",
    ),
    "snow": (
        "in snow",
        "on a winter day",
        "with snow around",
        "the same thing in a snowy landscape",
        "show me this in winter",
        "could you find it standing in the snow?",
    ),
    "table": (
        "on a table",
        "on top of a wooden desk",
        "on a wood table",
        "the same thing standing on a wooden table",
        "show me this placed on a desk",
        "could you find it on somebody's table?",
    ),
    "night": (
        "during the night",
        "in the dark",
        "under a night sky with stars",
        "the same thing at night",
        "show me this under the moon",
        "could you find it at night, in the dark?",
    ),
    "gold": (
        "in gold",
        "as a gold statue",
        "a golden version",
        "the same thing made of shiny gold",
        "show me a golden one",
        "could you find it made out of gold?",
    ),
    "glass": (
        "in glass",
        "as a transparent glass object",
        "a see through version",
        "the same thing made of glass",
        "show me a glass one",
        "could you find it in transparent material?",
    ),
    "three": (
        "three of these",
        "three together in a group",
        "3 copies: three together",
        "the same thing, three times",
        "show me three of them",
        "could you find three copies of it?",
    ),
    "tiny": (
        "far away and small",
        "in the far distance",
        "very tiny",
        "the same thing, but small and distant",
        "show me this from far away",
        "could you find it small, in the distance?",
    ),
    "upside": (
        "turned upside down",
        "on its head",
        "flipped over",
        "the same thing upside down",
        "show me this flipped upside down",
        "could you find it turned on its head?",
    ),
    "side": (
        "on its side",
        "lying sideways",
        "tipped over onto one side",
        "the same thing lying on its side",
        "show me this rotated sideways",
        "could you find it tipped on its side?",
    ),
    "hat": (
        "with a party hat",
        "wearing a hat",
        "a cone hat on top of it",
        "the same thing wearing a party hat",
        "show me this with a hat on",
        "could you find it with a cone hat?",
    ),
    "balloon": (
        "with a balloon attached",
        "one that holds a balloon",
        "and a balloon",
        "the same thing with a balloon tied to it",
        "show me this with a balloon",
        "could you find it next to a balloon?",
    ),
    "mug": (
        "as the print on a mug",
        "printed on a cup",
        "on a mug",
        "the same thing printed on a coffee mug",
        "show me a coffee cup with this on it",
        "could you find a mug with a print of it?",
    ),
    "shirt": (
        "as a print on a t-shirt",
        "a print of it on a shirt",
        "on a shirt",
        "the same thing printed on a t-shirt",
        "show me a t-shirt with this on it",
        "could you find a shirt with a print of it?",
    ),
}
SCENE_PARAPHRASES: tuple[str, ...] = (
    "the object of the first picture in the scene of the second picture",
    "put the first one into the second picture",
    "the first object in the place of the second picture",
    "the same thing, with the background of the second image",
    "show me the first one where the second picture was taken",
    "could you find the object of image one in the scenery of image two?",
)
"""For needs with two reference images: the object of the first in the place of the second."""


def form(paraphrase: str) -> str:
    """How a modification is put.

    Returns:
        ``question``, ``imperative``, ``comparison`` (with "the same thing") or ``phrase``.

    Example:
        >>> form("show me a glass one")
        'imperative'
    """
    if paraphrase.endswith("?"):
        return "question"
    if paraphrase.startswith(("show me", "put ")):
        return "imperative"
    return "comparison" if paraphrase.startswith("the same thing") else "phrase"
