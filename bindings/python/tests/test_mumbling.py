"""MumblingBitmap as a Python object."""

from __future__ import annotations

import array
import pickle
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import libdv
from libdv import MUMBLING_MAX_CARDINALITY, DeletionVector, MumblingBitmap

POSITIONS = [0, 5, 31, 255, 256, 70_000, *range(1000, 1300)]


@pytest.fixture
def bitmap() -> Any:
    with DeletionVector(POSITIONS) as vector, MumblingBitmap.from_vector(vector) as made:
        yield made


def test_it_is_a_read_only_set(bitmap: MumblingBitmap) -> None:
    assert list(bitmap) == sorted(POSITIONS)
    assert len(bitmap) == len(POSITIONS)
    assert 31 in bitmap
    assert np.int32(31) in bitmap
    for absent in (1, -1, MUMBLING_MAX_CARDINALITY - 1, MUMBLING_MAX_CARDINALITY, 2**31, 2**70, -(2**70)):
        assert absent not in bitmap
    with pytest.raises(TypeError):
        assert "31" in bitmap
    assert repr(bitmap) == "<libdv.MumblingBitmap: 306 positions>"
    with pytest.raises(TypeError):
        hash(bitmap)


def test_results(bitmap: MumblingBitmap) -> None:
    expected = np.array(sorted(POSITIONS), dtype=np.int32)
    positions = bitmap.positions()
    assert positions.dtype == np.int32
    np.testing.assert_array_equal(positions, expected)
    kept = np.ones(100_000, dtype=bool)
    kept[expected] = False
    for start, length in ((0, 0), (0, 100_000), (3, 999), (990, 301), (255, 2)):
        mask = bitmap.keep_mask(start, length)
        np.testing.assert_array_equal(mask.to_numpy(), kept[start : start + length])
        assert mask == DeletionVector(POSITIONS).keep_mask(start, length)
    assert bitmap.keep_mask(MUMBLING_MAX_CARDINALITY - 1, 8).count() == 8


@pytest.mark.parametrize(
    "probes",
    [
        [5, 6, 255], (5, 6, 255), np.array([5, 6, 255]), np.array([5, 6, 255], dtype=np.int32),
        np.array([5, 6, 255], dtype=np.uint8), array.array("i", [5, 6, 255]), array.array("q", [5, 6, 255]),
        pa.array([5, 6, 255]), pa.array([5, 6, 255], pa.int32()), iter([5, 6, 255]),
    ],
    ids=lambda p: type(p).__name__,
)  # fmt: skip
def test_many_probes(bitmap: MumblingBitmap, probes: Any) -> None:
    found = bitmap.contains_many(probes)
    assert found.dtype == np.bool_
    assert found.tolist() == [True, False, True]


@pytest.mark.parametrize("bad", [[-1], [2**31], [2**70], np.array([2**40])])
def test_bad_probes(bitmap: MumblingBitmap, bad: Any) -> None:
    with pytest.raises(libdv.DvInvalidArgument):
        bitmap.contains_many(bad)


@pytest.mark.parametrize("window", [(-1, 1), (0, -1), (2**31, 0), (1, 2**31 - 1), (0, 2**64)])
def test_bad_windows(bitmap: MumblingBitmap, window: tuple[int, int]) -> None:
    with pytest.raises(libdv.DvInvalidArgument):
        bitmap.keep_mask(*window)


def test_bytes(bitmap: MumblingBitmap) -> None:
    data = bytes(bitmap.buffer())
    assert bitmap.buffer().readonly
    for wrap in (bytes, bytearray, memoryview, pa.py_buffer):
        with MumblingBitmap(wrap(data)) as again:
            assert again == bitmap
            assert pickle.loads(pickle.dumps(again)) == bitmap
    assert bitmap != MumblingBitmap.from_vector(DeletionVector([1]))
    assert bitmap != data


def test_the_source_may_change_afterwards(bitmap: MumblingBitmap) -> None:
    data = bytearray(bitmap.buffer())
    copy = MumblingBitmap(data)
    data[:] = bytes(len(data))
    data.clear()
    assert list(copy) == sorted(POSITIONS)


def test_positions_that_do_not_fit() -> None:
    top = DeletionVector([MUMBLING_MAX_CARDINALITY - 1])
    assert list(MumblingBitmap.from_vector(top)) == [MUMBLING_MAX_CARDINALITY - 1]
    top.add(MUMBLING_MAX_CARDINALITY)
    with pytest.raises(libdv.DvLimit, match=str(MUMBLING_MAX_CARDINALITY)):
        MumblingBitmap.from_vector(top)


def test_empty_and_full() -> None:
    empty = MumblingBitmap.from_vector(DeletionVector())
    assert (len(empty), list(empty), empty.positions().tolist()) == (0, [], [])
    full = MumblingBitmap.from_vector(DeletionVector(range(MUMBLING_MAX_CARDINALITY)))
    full.validate()
    assert len(full) == MUMBLING_MAX_CARDINALITY
    assert full.keep_mask(0, MUMBLING_MAX_CARDINALITY).count() == 0


def test_a_header_that_lies() -> None:
    data = bytearray(MumblingBitmap.from_vector(DeletionVector([1, 2, 3])).buffer())
    for count in (2, 4):
        data[1] = count
        bitmap = MumblingBitmap(data)
        assert len(bitmap) == count
        assert 2 in bitmap
        for call in (bitmap.positions, bitmap.to_vector, bitmap.validate, bitmap.__iter__):
            with pytest.raises(libdv.DvCorrupt):
                call()


def test_pfor_arguments() -> None:
    assert libdv.pfor_encode(b"") == b""
    assert libdv.pfor_decode(b"", 0) == (b"", 0)
    for bad in (-1, 2**64):
        with pytest.raises(libdv.DvInvalidArgument):
            libdv.pfor_decode(b"", bad)
        with pytest.raises(libdv.DvInvalidArgument):
            libdv.pfor_estimate(bad)
    with pytest.raises(libdv.DvCorrupt):
        libdv.pfor_decode(b"\0", 1)
    with pytest.raises(TypeError):
        libdv.pfor_encode("text")  # type: ignore[arg-type]
