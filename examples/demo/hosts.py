"""The same read in several languages: the vector of a manifest entry, and its keep mask."""

from __future__ import annotations

import subprocess
import time
from typing import TYPE_CHECKING, NamedTuple

from libdv import read_dv

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

REPEATS = 50


class Host(NamedTuple):
    """What one language read, and how long it took."""

    name: str
    answer: tuple[int, int, str]
    """Rows deleted, rows kept, and a hash of the mask (FNV-1a, 64 bits)."""
    best: float
    """Seconds of the fastest of REPEATS reads."""


def fnv1a(data: memoryview) -> str:
    """A short hash that needs no library in any language."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def read_in_python(puffin: Path, entry: dict[str, Any], rows: int) -> Host:
    """Read here."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        with read_dv(
            puffin,
            entry["content-offset"],
            entry["content-size-in-bytes"],
            entry["record-count"],
            entry["referenced-data-file"],
        ) as deleted:
            mask = deleted.keep_mask(0, rows)
            times.append(time.perf_counter() - start)
            count = len(deleted)
    return Host("Python", (count, mask.count(), fnv1a(mask.buffer)), min(times))


def read_in_another_language(name: str, command: list[str], puffin: Path, entry: dict[str, Any], rows: int) -> Host:
    """Run a program that reads: it prints deleted, kept, hash, and the seconds of its best read."""
    arguments = [
        puffin,
        entry["content-offset"],
        entry["content-size-in-bytes"],
        entry["record-count"],
        entry["referenced-data-file"],
        rows,
        REPEATS,
    ]
    done = subprocess.run([*command, *map(str, arguments)], check=True, stdout=subprocess.PIPE, text=True)
    deleted, kept, mask, best = done.stdout.split()
    return Host(name, (int(deleted), int(kept), mask), float(best))
