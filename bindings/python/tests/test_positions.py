"""What is refused as positions although it looks like integers: masks, bools and nulls."""

from __future__ import annotations

import array
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import libdv
from libdv import DeletionVector, DVWriter, MumblingBitmap

if TYPE_CHECKING:
    from collections.abc import Callable

BITS = [True, False, True]
MASKS: list[Callable[[], Any]] = [
    lambda: DeletionVector([1]).keep_mask(0, 3),
    lambda: list(BITS),
    lambda: tuple(BITS),
    lambda: iter(BITS),
    lambda: (bit for bit in BITS),
    lambda: [7, *BITS],
    lambda: [*range(20_000), True],
    lambda: {False: 1},
    lambda: list(np.array(BITS)),
    lambda: np.array(BITS),
    lambda: np.ma.masked_array(BITS),
    lambda: memoryview(bytes(3)).cast("?"),
    lambda: pa.array(BITS),
    lambda: pa.chunked_array([BITS]),
    lambda: pl.Series(BITS),
]


def uses(positions: Callable[[], Any]) -> list[Callable[[], Any]]:
    """Every way to hand positions in."""
    return [
        lambda: DeletionVector(positions()),
        lambda: DeletionVector([1]).add_many(positions()),
        lambda: DeletionVector([1]).contains_many(positions()),
        lambda: DVWriter().add("a.parquet", positions()),
        lambda: MumblingBitmap.from_vector(DeletionVector([1])).contains_many(positions()),
    ]


@pytest.mark.parametrize("mask", MASKS)
def test_a_mask_is_no_positions(mask: Callable[[], Any]) -> None:
    for use in uses(mask):
        with pytest.raises(TypeError, match=r"of a mask take numpy\.flatnonzero"):
            use()


def test_what_a_mask_selects_is() -> None:
    mask = DeletionVector([1, 4]).delete_mask(0, 6)
    assert list(DeletionVector(np.flatnonzero(mask.to_numpy()))) == [1, 4]


@pytest.mark.parametrize("bit", [True, False, np.True_])
def test_a_bool_is_no_position(bit: Any) -> None:
    dv, bitmap = DeletionVector([0, 1]), MumblingBitmap.from_vector(DeletionVector([0, 1]))
    with pytest.raises(TypeError):
        dv.add(bit)
    for vector in (dv, bitmap):
        with pytest.raises(TypeError):
            assert bit in vector
    assert list(dv) == [0, 1]


@pytest.mark.parametrize(
    "make",
    [
        lambda: np.ma.masked_array([1, 2, 3], mask=[False, True, False]),
        lambda: np.ma.masked_array(np.array([1, 2, 3], np.int32), mask=[False, True, False]),
        lambda: pa.array([1, None]),
        lambda: pl.Series([1, None, 3]),
        lambda: pl.Series([1, None, 3], dtype=pl.UInt32),
    ],
)
def test_nulls_are_refused(make: Callable[[], Any]) -> None:
    for use in uses(make):
        with pytest.raises(libdv.DvInvalidArgument, match=r"positions hold 1 null$"):
            use()


def test_a_masked_array_without_masked_entries() -> None:
    for dtype in (np.int32, np.int64):
        positions = np.ma.masked_array(np.array([3, 1], dtype), mask=[False, False])
        assert list(DeletionVector(positions)) == [1, 3]
        bitmap = MumblingBitmap.from_vector(DeletionVector([1, 3]))
        assert bitmap.contains_many(positions).tolist() == [True, True]


OUTSIDE: list[tuple[Callable[[], Any], int, int]] = [
    (lambda: [1, 2**63, 2**64], 1, 2**63),
    (lambda: iter([1, -(2**63) - 1]), 1, -(2**63) - 1),
    (lambda: iter([*range(20_000), 2**70]), 20_000, 2**70),
    (lambda: np.array([1, 2, 2**63], np.uint64), 2, 2**63),
    (lambda: pa.array([1, 2, 2**63], pa.uint64()), 2, 2**63),
    (lambda: array.array("Q", [2**64 - 1]), 0, 2**64 - 1),
]


@pytest.mark.parametrize(("make", "index", "value"), OUTSIDE)
def test_a_number_out_of_range_is_named(make: Callable[[], Any], index: int, value: int) -> None:
    for use in uses(make):
        with pytest.raises(libdv.DvInvalidArgument, match=rf"^position {value} at index {index} is out of range: "):
            use()


def test_a_number_that_no_bitmap_can_hold_is_named() -> None:
    bitmap = MumblingBitmap.from_vector(DeletionVector([1]))
    with pytest.raises(libdv.DvInvalidArgument, match=r"^position 2147483648 at index 1 is out of range: "):
        bitmap.contains_many([1, 2**31])


@pytest.mark.parametrize("code", [">i8", ">u4", "<i2"])
def test_memory_in_another_format(code: str) -> None:
    """A memoryview reads its machine's own formats alone, NumPy any."""
    numbers: Any = np.array([3, 1], code)
    assert list(DeletionVector(numbers)) == [1, 3]
    for use in uses(lambda: memoryview(numbers)):
        if numbers.dtype.isnative:
            use()
        else:
            with pytest.raises(TypeError, match=r"^positions must be integers of the machine's own format, not '>"):
                use()


@pytest.mark.parametrize("count", [8191, 8192, 8193, 20_000])
def test_iterables_of_any_length(count: int) -> None:
    assert DeletionVector(iter(range(0, count * 3, 3))) == DeletionVector(np.arange(count) * 3)
    assert DeletionVector(array.array("I", range(count))) == DeletionVector(range(count))
