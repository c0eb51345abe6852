"""pyroaring's 64-bit bitmaps and ours are the same bytes' worth."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyroaring import BitMap64

from libdv import DeletionVector

SHAPES = {
    "empty": [],
    "one": [0],
    "runs": [*range(70_000), *range(2**32 - 10, 2**32 + 10)],
    "sparse": list(range(0, 3_000_000, 1009)),
    "dense": list(range(1, 300_000, 2)),
    "far keys": [5, 2**40, 2**62],
}


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("optimize", [False, True])
def test_there_and_back(name: str, optimize: bool) -> None:
    positions = SHAPES[name]
    peer = BitMap64(positions)
    ours = DeletionVector(positions)
    if optimize:
        peer.run_optimize()
        ours.run_length_encode()
    assert BitMap64.deserialize(ours.to_bitmap()) == peer
    assert list(DeletionVector.from_bitmap(peer.serialize())) == positions
    blob = ours.serialize()
    assert BitMap64.deserialize(blob[8:-4]) == peer


@given(
    st.lists(st.integers(0, 2**34), max_size=50),
    st.lists(st.tuples(st.integers(0, 2**33), st.integers(1, 80_000)), max_size=6),
)
@settings(max_examples=60, deadline=None)
def test_algebra(positions: list[int], ranges: list[tuple[int, int]]) -> None:
    a, b = BitMap64(positions), BitMap64()
    mine, other = DeletionVector(positions), DeletionVector()
    for start, length in ranges:
        b.add_range(start, start + length)
        other.add_range(start, start + length)
    for peer, ours in ((a | b, mine | other), (a - b, mine - other), (b - a, other - mine)):
        assert len(peer) == len(ours)
        assert BitMap64.deserialize(ours.to_bitmap()) == peer
        assert DeletionVector.from_bitmap(peer.serialize()) == ours
