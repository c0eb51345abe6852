"""What the tasks run on: reproducible sets of deleted rows, and their blobs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from libdv import DeletionVector

if TYPE_CHECKING:
    import numpy.typing as npt

    Positions = npt.NDArray[np.int64]

DENSITIES = {"0.01%": 0.0001, "0.1%": 0.001, "1%": 0.01, "5%": 0.05, "10%": 0.1, "50%": 0.5}
LABELS = (*DENSITIES, "clustered", "all")


def positions(label: str, rows: int, seed: int) -> Positions:
    """The deleted rows below ``rows``, ascending, lying as ``label`` says."""
    random = np.random.default_rng(seed)
    if label == "all":
        return np.arange(rows, dtype=np.int64)
    if label == "clustered":
        return _runs(random, rows)
    return np.flatnonzero(random.random(rows) < DENSITIES[label])


def sample(count: int, rows: int, seed: int) -> Positions:
    """``count`` different rows below ``rows``, ascending."""
    return np.sort(np.random.default_rng(seed).choice(rows, count, replace=False)).astype(np.int64)


def _runs(random: np.random.Generator, rows: int) -> Positions:
    """Runs of 1 to 2,000 deleted rows with gaps of 1 to 8,000 between them."""
    change = np.zeros(rows + 1, dtype=np.int8)
    at = int(random.integers(8000))
    while at < rows:
        end = min(at + 1 + int(random.integers(2000)), rows)
        change[at] += 1
        change[end] -= 1
        at = end + 1 + int(random.integers(8000))
    return np.flatnonzero(np.cumsum(change[:rows]))


@dataclass(frozen=True)
class Case:
    """One cell of a table: a set of deleted rows, and the blob that libdv writes for it."""

    label: str
    rows: int
    positions: Positions
    blob: bytes

    @classmethod
    def of(cls, label: str, rows: int, positions: Positions) -> Case:
        """Encode the positions."""
        return cls(label, rows, positions, DeletionVector(positions).serialize())

    def kept(self) -> npt.NDArray[np.bool_]:
        """One bool per row, worked out the plain way."""
        kept = np.ones(self.rows, dtype=np.bool_)
        kept[self.positions] = False
        return kept

    def mask(self) -> npt.NDArray[np.uint8]:
        """The packed keep mask, worked out the plain way."""
        return np.packbits(self.kept(), bitorder="little")
