"""From positions to a blob, and from a blob to positions, in a new array or one of the caller's, against NumPy."""

from __future__ import annotations

import array
import gc
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import libdv
from libdv import DeletionVector, blob_from_positions, blob_positions

# Around the sizes where the way to read changes: a shared room, room for what is expected, a pass that counts.
COUNTS = [0, 1, 4095, 4096, 4097, 70_000]
SPREADS = {"runs": 1, "bits": 3, "values": 101}


def case(count: int, step: int) -> tuple[Any, bytes]:
    positions = np.arange(count, dtype=np.int64) * step + 7
    return positions, DeletionVector(positions).serialize()


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("step", SPREADS.values(), ids=SPREADS)
def test_a_blob_of_positions_is_the_vectors(count: int, step: int) -> None:
    positions, blob = case(count, step)
    forms: list[Any] = [
        positions,
        positions[::-1],
        positions.tolist(),
        array.array("q", positions),
        pa.array(positions),
    ]
    forms.append(range(7, 7 + count * step, step))
    frozen = positions.copy()
    frozen.flags.writeable = False
    for given in (*forms, frozen, np.repeat(positions, 2)):
        assert blob_from_positions(given) == blob


def test_a_blob_of_what_is_no_position() -> None:
    before = libdv.live_handles()
    for bad in ([-1], np.array([-1]), [2**63], range(-5, 3)):
        with pytest.raises(libdv.DvInvalidArgument):
            blob_from_positions(bad)
    for wrong in ("12", [1.5], np.array([True]), 5):
        with pytest.raises(TypeError):
            blob_from_positions(wrong)
    assert libdv.live_handles() == before


def test_a_failure_does_not_hold_the_positions() -> None:
    numbers = array.array("q", [-1])
    with pytest.raises(libdv.DvInvalidArgument) as info:
        blob_from_positions(numbers)
    numbers.append(1)
    assert info.value.status == libdv.Status.DV_INVALID_ARGUMENT


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("step", SPREADS.values(), ids=SPREADS)
def test_positions_of_every_size(count: int, step: int) -> None:
    positions, blob = case(count, step)
    for data in (blob, bytearray(blob), np.frombuffer(blob, np.uint8)):
        for expected in (None, count):
            found = blob_positions(data, expected)
            assert found.dtype == np.int64
            np.testing.assert_array_equal(found, positions)
    room = np.full(count + 5, -1, dtype=np.int64)
    found = blob_positions(blob, count, out=room)
    np.testing.assert_array_equal(found, positions)
    np.testing.assert_array_equal(room[count:], -1)


def test_results_share_nothing() -> None:
    few, many = case(3, 5)[1], case(5000, 5)[1]
    found = [blob_positions(blob) for blob in (few, few, many, few, many)]
    for one in found:
        one += 1
    assert [len(one) for one in found] == [3, 3, 5000, 3, 5000]
    assert all(one[0] == 8 and one.flags.owndata for one in found)
    assert not any(np.shares_memory(a, b) for a in found for b in found if a is not b)


@pytest.mark.parametrize("expected", [0, 2, 4, 4097, 1 << 22, 1 << 40, 2**63 - 1])
def test_another_number_than_expected_needs_no_room(expected: int) -> None:
    blob = case(3, 5)[1]
    for out in (None, np.empty(10, np.int64)):
        with pytest.raises(libdv.DvMismatch):
            blob_positions(blob, expected, out)


def test_positions_into_the_callers_array() -> None:
    positions, blob = case(100, 9)
    room = np.zeros(100, dtype=np.int64)
    assert blob_positions(blob, out=room) is room
    np.testing.assert_array_equal(room, positions)
    part = blob_positions(case(4, 9)[1], out=room)
    assert np.shares_memory(part, room)
    assert part.tolist() == [7, 16, 25, 34]
    numbers = array.array("q", bytes(808))
    view: Any = blob_positions(blob, out=numbers)  # type: ignore[arg-type]
    assert view.tolist() == numbers[:100].tolist() == positions.tolist()
    assert numbers[100] == 0
    del view
    numbers.append(1)  # it is not held any longer


def test_an_array_that_is_too_small() -> None:
    blob = case(100, 9)[1]
    for capacity in (0, 1, 99):
        room = np.empty(capacity, dtype=np.int64)
        with pytest.raises(libdv.DvTooSmall, match="100"):
            blob_positions(blob, out=room)
    assert blob_positions(DeletionVector().serialize(), out=np.empty(0, np.int64)).tolist() == []


@pytest.mark.parametrize(
    "room",
    [
        np.empty(9, np.int32), np.empty(9, np.float64), np.empty(9, np.uint64), np.empty((9, 9), np.int64),
        np.empty(18, np.int64)[::2], np.empty(9, np.dtype(">i8")), np.frombuffer(bytes(72), np.int64), bytearray(72),
        [0],
    ],
    ids=str,
)  # fmt: skip
def test_what_positions_cannot_be_put_into(room: Any) -> None:
    with pytest.raises(TypeError):
        blob_positions(case(2, 9)[1], out=room)


def test_a_failure_holds_neither_the_blob_nor_the_array() -> None:
    damaged, numbers = bytearray(case(5, 3)[1][:-1]), array.array("q", bytes(80))
    with pytest.raises(libdv.DvCorrupt) as info:
        blob_positions(damaged, out=numbers)  # type: ignore[arg-type]
    with pytest.raises(libdv.DvCorrupt) as more:
        libdv.blob_keep_mask(damaged, 0, 9)
    damaged.clear()  # a buffer that is lent cannot be
    numbers.append(1)
    assert info.value.status == more.value.status == libdv.Status.DV_CORRUPT
    gc.collect()
