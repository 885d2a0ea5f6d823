"""Work on large arrays in blocks, on the two or so processors of a usual machine."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

N_THREADS: Final = 2
"""NumPy and Arrow let go of the interpreter's lock while they copy, compare, sort and hash."""


def for_each_block(work: Callable[[slice], None], n: int, step: int) -> None:
    """Call a function with slices that together cover ``range(n)``, several at a time.

    The function must write only to what belongs to its slice, so that results do not depend on the order.

    Example:
        >>> found = [0] * 5
        >>> for_each_block(lambda block: found.__setitem__(block, [1] * len(found[block])), 5, step=2)
        >>> found
        [1, 1, 1, 1, 1]
    """
    blocks = [slice(start, min(start + step, n)) for start in range(0, n, step)]
    if len(blocks) <= 1:
        for block in blocks:
            work(block)
        return
    with ThreadPoolExecutor(N_THREADS) as pool:
        # Taking the results raises what a block raised.
        list(pool.map(work, blocks))
