"""How much a submitted file may ask for."""

from dataclasses import dataclass

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one check. Sizes in bytes, times in seconds.

    Attributes:
        packed_bytes: Size of the file as sent.
        expanded_bytes: Size after unpacking.
        ratio: Largest factor by which unpacking may enlarge a file beyond ``ratio_floor_bytes``. A run of real lists
            shrinks to about half, one that repeats a single image 120-fold.
        memory_bytes: Memory of the checking process.
        cpu_s: Processor time of the checking process.
        wall_s: Time until the checking process is killed.
    """

    packed_bytes: int = 512 * MIB
    expanded_bytes: int = 1024 * MIB
    ratio: int = 400
    ratio_floor_bytes: int = 8 * MIB
    memory_bytes: int = 2048 * MIB
    cpu_s: int = 60
    wall_s: float = 90.0

    def expanded_cap(self, packed_bytes: int) -> int:
        """Most bytes to which a packed file of this size may expand."""
        return min(self.expanded_bytes, max(self.ratio_floor_bytes, self.ratio * packed_bytes))


def in_words(n_bytes: int) -> str:
    """A size for people.

    Example:
        >>> in_words(42_374), in_words(1 << 30), in_words(2)
        ('42.4 kB', '1.1 GB', '2 bytes')
    """
    if n_bytes < 1000:
        return f"{n_bytes} bytes" if n_bytes != 1 else "1 byte"
    power = 1 if n_bytes < 10**6 else 2 if n_bytes < 10**9 else 3
    return f"{n_bytes / 1000**power:.1f} {('kB', 'MB', 'GB')[power - 1]}"
