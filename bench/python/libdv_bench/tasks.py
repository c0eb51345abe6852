"""The tasks: each gives the contestants of one cell, and what their result must be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from libdv import DeletionVector, blob_from_positions, blob_keep_mask, blob_positions
from libdv_bench import peers
from libdv_bench.measure import Contestant, Effort, contest

if TYPE_CHECKING:
    from collections.abc import Callable

    from libdv_bench.data import Case

Results = list[dict[str, Any]]


def memory(case: Case, size: int) -> Contestant:
    """Read the blob once and write ``size`` bytes once."""
    blob, out = np.frombuffer(case.blob, dtype=np.uint8), np.empty(size, dtype=np.uint8)
    words = blob[: len(blob) // 8 * 8].view(np.uint64)

    def run() -> None:
        np.bitwise_xor.reduce(words)
        out.fill(0x5A)

    return Contestant("memory", "memory", run)


def mask(case: Case, effort: Effort) -> Results:
    """T1: blob to packed keep mask."""
    blob, rows, count, expected = case.blob, case.rows, len(case.positions), case.mask()

    def by_handle() -> Any:
        with DeletionVector.deserialize(blob, count) as dv:
            return dv.keep_mask(0, rows).to_packed_numpy()

    contestants = [
        Contestant("blob_keep_mask", "libdv", lambda: blob_keep_mask(blob, 0, rows, count).to_packed_numpy()),
        Contestant("DeletionVector.deserialize, keep_mask", "variant", by_handle),
        memory(case, len(expected)),
        Contestant("pyroaring 32, NumPy", "peer", lambda: peers.packed(peers.kept32(blob, rows))),
        Contestant("pyroaring 64, NumPy", "peer", lambda: peers.packed(peers.kept64(blob, rows))),
    ]
    return contest(f"T1 {case.label}", contestants, lambda found: np.array_equal(found, expected), effort)


def bools(case: Case, effort: Effort) -> Results:
    """T1b: blob to one NumPy bool per row."""
    blob, rows, count, expected = case.blob, case.rows, len(case.positions), case.kept()

    def by_handle() -> Any:
        with DeletionVector.deserialize(blob, count) as dv:
            return dv.keep_bytes(0, rows)

    contestants = [
        Contestant("DeletionVector.deserialize, keep_bytes", "libdv", by_handle),
        memory(case, rows),
        Contestant("pyroaring 32, NumPy", "peer", lambda: peers.kept32(blob, rows)),
        Contestant("pyroaring 64, NumPy", "peer", lambda: peers.kept64(blob, rows)),
    ]
    return contest(f"T1b {case.label}", contestants, lambda found: np.array_equal(found, expected), effort)


def positions(case: Case, effort: Effort) -> Results:
    """T2: blob to an int64 array: a new one, which is all that pyroaring gives, or one that is used again and again."""
    blob, count = case.blob, len(case.positions)
    out = np.empty(count, dtype=np.int64)
    contestants = [
        Contestant("blob_positions, out", "libdv", lambda: blob_positions(blob, count, out)),
        Contestant("blob_positions", "libdv", lambda: blob_positions(blob, count)),
        memory(case, 8 * count),
        Contestant("pyroaring 32", "peer", lambda: peers.positions32(blob)),
        Contestant("pyroaring 64", "peer", lambda: peers.positions64(blob)),
    ]
    return contest(f"T2 {case.label}", contestants, lambda found: np.array_equal(found, case.positions), effort)


def encode(case: Case, effort: Effort) -> Results:
    """T3: sorted positions, a NumPy array, to a blob."""
    values = case.positions
    contestants = [
        Contestant("blob_from_positions", "libdv", lambda: blob_from_positions(values)),
        Contestant("DeletionVector, serialize", "variant", lambda: DeletionVector(values).serialize()),
        Contestant("pyroaring 32 from array.array", "peer", lambda: peers.encode32(values)),
        Contestant("pyroaring 64 from array.array", "peer", lambda: peers.encode64(values)),
    ]
    return contest(f"T3 {case.label}", contestants, holds(values), effort)


def encode_plainly(case: Case, effort: Effort) -> Results:
    """T3n: the same, but pyroaring gets the NumPy array as it is."""
    values = case.positions
    contestants = [
        Contestant("blob_from_positions", "libdv", lambda: blob_from_positions(values)),
        Contestant("DeletionVector, serialize", "variant", lambda: DeletionVector(values).serialize()),
        Contestant("pyroaring 64 from NumPy", "peer", lambda: peers.encode_iterable(values)),
    ]
    return contest(f"T3n {case.label}", contestants, holds(values), effort)


def merge(case: Case, other: Case, effort: Effort) -> Results:
    """T4: two blobs to the blob of their union."""
    a, b = case.blob, other.blob

    def ours() -> bytes:
        with DeletionVector.view(a, len(case.positions)) as into, DeletionVector.view(b, len(other.positions)) as more:
            into |= more
            return into.serialize()

    contestants = [
        Contestant("DeletionVector.view twice, |=, serialize", "libdv", ours),
        Contestant("pyroaring 32", "peer", lambda: peers.merge32(a, b)),
        Contestant("pyroaring 64", "peer", lambda: peers.merge64(a, b)),
    ]
    return contest(f"T4 {case.label}", contestants, holds(np.union1d(case.positions, other.positions)), effort)


def holds(expected: Any) -> Callable[[bytes], bool]:
    """A check that a blob holds these positions, whatever containers were chosen."""
    return lambda blob: np.array_equal(blob_positions(blob, len(expected)), expected)
