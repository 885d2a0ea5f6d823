"""Real result files with something changed in them, checked one after the other in one confined process.

python -m tests.golden.mutated_files FOLDER BUNDLE N_MUTATIONS SEED FILE...

Prints a JSON object: how many files ended in which way, and the longest time that one took.
"""

import gc
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from evaluator.formats.child import confine
from evaluator.formats.limits import Limits
from evaluator.formats.outcome import report_of
from evaluator.formats.read import read_run
from evaluator.formats.report_text import group_lines
from evaluator.public.bundle import Benchmark, load_benchmark

SCRIPTS = ("\u0660\u0661\u0662\u0663\u0664\u0665\u0666\u0667\u0668\u0669", "".join(map(chr, range(0xFF10, 0xFF1A))))
"""Digits that are none of ASCII's: Arabic and full-width."""

LEAVES: tuple[Any, ...] = (
    None, True, -1, 0, 10**30, 10**500, 1.5, 5.0, float("nan"), float("-inf"), "", " 5", "05", "\ud800", "\x00", [], {}, [[1]],
    {"retrieved_items": [1]}, "a" * 400,
)  # fmt: skip


def truncate(content: bytes, draw: random.Random) -> bytes:
    return content[: draw.randrange(len(content))]


def flip_bits(content: bytes, draw: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(draw.choice((1, 1, 2, 20))):
        changed[draw.randrange(len(changed))] ^= 1 << draw.randrange(8)
    return bytes(changed)


def splice(content: bytes, draw: random.Random) -> bytes:
    start, stop = sorted(draw.randrange(len(content)) for _ in range(2))
    place = draw.randrange(len(content))
    return content[:place] + content[start : min(stop, start + 20_000)] + content[place + draw.randrange(50) :]


def insert_bytes(content: bytes, draw: random.Random) -> bytes:
    place = draw.randrange(len(content))
    odd = draw.choice(
        (b"\x00", b"\xff", b"\xef\xbb\xbf", b"\r\n", b"\\", b'"', b"\xed\xa0\x80", b"[" * 5000, b"9" * 5000)
    )
    return content[:place] + odd + content[place:]


def other_digits(content: bytes, draw: random.Random) -> bytes:
    start = draw.randrange(len(content))
    text = content[start : start + 200].decode("utf-8", "replace")
    return (
        content[:start]
        + text.translate(dict(enumerate(draw.choice(SCRIPTS), ord("0")))).encode()
        + content[start + 200 :]
    )


def repeat_key(content: bytes, draw: random.Random) -> bytes:
    """Give a key of an object a second value: where it stands first, or at the end."""
    place = content.find(b'":', draw.randrange(len(content)))
    start = content.rfind(b'"', 0, max(place, 0)) if place > 0 else -1
    if start < 0:
        return content
    key = content[start : place + 2]
    return content[:start] + key + draw.choice((b" [], ", b" null, ", b' {"retrieved_items": []}, ')) + content[start:]


def swap_leaf(content: bytes, draw: random.Random) -> bytes:
    """Replace a value somewhere in the JSON by one of another type; other files are cut."""
    try:
        value = json.loads(content)
    except ValueError:
        return truncate(content, draw)
    place = value
    for _ in range(draw.randint(1, 5)):
        name = draw.choice(list(place)) if isinstance(place, dict) else draw.randrange(len(place))
        if isinstance(place[name], dict | list) and place[name] and draw.random() < 0.8:
            place = place[name]
            continue
        place[name] = draw.choice(LEAVES)
        break
    return json.dumps(value).encode()


MUTATIONS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    truncate, flip_bits, splice, insert_bytes, other_digits, repeat_key, swap_leaf,
)  # fmt: skip


def verdict_of(paths: list[Path], benchmark: Benchmark) -> str:
    """How a check ended. Anything that it raises ends this process."""
    reading = read_run(paths, benchmark)
    if (reading.run is None) != bool(reading.problems.n_errors):
        raise RuntimeError(f"{paths}: a run and errors, or neither")
    for group in json.loads(json.dumps(report_of(reading), allow_nan=False))["groups"]:
        if not all(line.isprintable() for line in group_lines(group)):
            raise RuntimeError(f"{paths}: a message with a control character")
    return "refused" if reading.run is None else "accepted"


def main() -> None:
    folder, bundle, n_mutations, seed = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    files = [Path(name).read_bytes() for name in sys.argv[5:]]
    benchmark = load_benchmark(bundle)
    confine(Limits())
    draw, ended, longest = random.Random(seed), Counter[str](), 0.0
    paths = [folder / f"{number}" for number in range(len(files))]
    for path, content in zip(paths, files, strict=True):
        path.write_bytes(content)
    for number in range(n_mutations):
        chosen = draw.randrange(len(files))
        paths[chosen].write_bytes(MUTATIONS[number % len(MUTATIONS)](files[chosen], draw))
        begun = time.process_time()
        ended[verdict_of(paths, benchmark)] += 1
        longest = max(longest, time.process_time() - begun)
        paths[chosen].write_bytes(files[chosen])
        gc.collect()
    sys.stdout.write(json.dumps({"ended": ended, "longest_s": longest}))


if __name__ == "__main__":
    main()
