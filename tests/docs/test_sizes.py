"""The sizes in docs/mumbling.md are those of bitmaps made now."""

from __future__ import annotations

import random

from pyroaring import BitMap

from libdv import DeletionVector, MumblingBitmap
from markdown import ROOT, table

ENTRIES = 50_000
COUNTS = (100, 1_000, 5_000, 10_000, 25_000)
RUN = 50


def scattered(count: int) -> list[int]:
    """So many of the entries, anywhere."""
    return sorted(random.Random(4).sample(range(ENTRIES), count))


def in_runs(count: int) -> list[int]:
    """So many of the entries, in runs of 50 neighbours."""
    starts = random.Random(4).sample(range(0, ENTRIES, RUN), count // RUN)
    return sorted(entry for start in starts for entry in range(start, start + RUN))


def sizes(entries: list[int]) -> list[str]:
    """The bytes of a Mumbling bitmap, and of a 32-bit roaring bitmap."""
    roaring = BitMap(entries)
    roaring.run_optimize()
    mumbling = MumblingBitmap.from_vector(DeletionVector(entries))
    assert list(mumbling) == entries
    return [f"{len(bytes(mumbling.buffer())):,}", f"{len(roaring.serialize()):,}"]


def test_sizes() -> None:
    rows = [[f"{count:,}", *sizes(scattered(count)), *sizes(in_runs(count))] for count in COUNTS]
    assert table(ROOT / "docs" / "mumbling.md", "## Size") == rows
