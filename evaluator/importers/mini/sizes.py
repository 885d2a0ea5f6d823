"""How large a mini benchmark is."""

from dataclasses import dataclass

from evaluator.importers.mini.designs import SHAPES


@dataclass(frozen=True, slots=True)
class Sizes:
    """Counts that decide everything else; the defaults are the benchmark as published.

    Attributes:
        n_families: Families of three look-alike instances, one family per shape.
        n_plain: Plain images per instance.
        n_kept_out: Plain images per instance that no gallery holds: the first is the reference, the rest are spare.
        n_per_modification: Images per instance and modification; each asked modification has as many positives.
        n_asked: Modifications that the queries of one instance ask for, each of another type.
        n_own_unasked: Images of the instance, per modification that is not asked for, in its gallery.
        n_look_alike_plain: Plain images of each look-alike in the gallery.
        n_look_alike_unasked: Images of each look-alike, per modification that is not asked for, in the gallery.
        n_textual: Images of other families per asked modification in the gallery.
        n_unrelated: Plain images of other families in the gallery.
    """

    n_families: int = len(SHAPES)
    n_plain: int = 10
    n_kept_out: int = 2
    n_per_modification: int = 4
    n_asked: int = 5
    n_own_unasked: int = 2
    n_look_alike_plain: int = 4
    n_look_alike_unasked: int = 1
    n_textual: int = 12
    n_unrelated: int = 15

    def __post_init__(self) -> None:
        """Refuse counts that leave no image outside a gallery to serve as a reference.

        Raises:
            ValueError: If a reference image would have to come from the gallery.
        """
        if self.n_kept_out < 1 or self.n_own_unasked >= self.n_per_modification:
            raise ValueError("a gallery must leave out a plain and a styled image of its instance")
        if self.n_textual >= 3 * (self.n_families - 1) * self.n_per_modification:
            raise ValueError("a gallery must leave out an image of another family under each modification")
