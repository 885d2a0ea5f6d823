"""Which images exist: every instance under every modification, several times."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaluator.importers.mini.families import Instance
from evaluator.importers.mini.modifications import MODIFICATIONS, PLAIN
from evaluator.importers.mini.sizes import Sizes


@dataclass(frozen=True, slots=True)
class ImageRecord:
    """One image before it is drawn.

    Attributes:
        id: Such as "i07-beach-2".
        number: Place among all images; decides its random numbers.
        modification: One of ``MODIFICATIONS``, or ``PLAIN``.
    """

    id: str
    number: int
    instance_id: str
    modification: str


class Album:
    """All image records, by instance and modification."""

    def __init__(self, instances: Sequence[Instance], sizes: Sizes) -> None:
        self._shelves: dict[tuple[str, str], list[ImageRecord]] = {}
        self.records: list[ImageRecord] = []
        for instance in instances:
            self._add(instance.id, PLAIN, sizes.n_plain)
            for modification in MODIFICATIONS:
                self._add(instance.id, modification, sizes.n_per_modification)

    def of(self, instance: Instance, modification: str) -> list[ImageRecord]:
        """The images of an instance under one modification."""
        return self._shelves[instance.id, modification]

    def of_all(self, instances: Iterable[Instance], modification: str, start: int = 0) -> list[ImageRecord]:
        """The images of several instances under one modification, from the given repetition on."""
        return [record for instance in instances for record in self.of(instance, modification)[start:]]

    def _add(self, instance_id: str, modification: str, n_images: int) -> None:
        first = len(self.records)
        shelf = [
            ImageRecord(f"{instance_id}-{modification}-{repetition + 1}", first + repetition, instance_id, modification)
            for repetition in range(n_images)
        ]
        self._shelves[instance_id, modification] = shelf
        self.records.extend(shelf)
