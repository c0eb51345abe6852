"""DeletionVector as a Python object: making, changing, comparing, copying."""

from __future__ import annotations

import array
import copy
import pickle
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import libdv
from libdv import MAX_POSITION, DeletionVector

POSITIONS = [7, 3, 3, 70_000, 2**33]
EXPECTED = [3, 7, 70_000, 2**33]


class Custom:
    """A foreign array: pandas and Polars offer the same."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.array(POSITIONS)


class Capsule:
    """An Arrow array of another library."""

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        return pa.array(POSITIONS).__arrow_c_array__(requested_schema)


@pytest.mark.parametrize(
    "positions",
    [
        POSITIONS,
        tuple(POSITIONS),
        set(POSITIONS),
        iter(POSITIONS),
        (p for p in POSITIONS),
        np.array(POSITIONS),
        np.array(POSITIONS, dtype=np.uint64),
        np.array(POSITIONS, dtype=">i8"),
        np.array([POSITIONS, POSITIONS])[0],
        np.repeat(np.array(POSITIONS), 2)[::2],
        array.array("q", POSITIONS),
        array.array("Q", POSITIONS),
        np.array(POSITIONS).data,
        pa.array(POSITIONS),
        pa.array([1, *POSITIONS])[1:],
        pa.array(POSITIONS, pa.uint64()),
        pa.chunked_array([POSITIONS[:2], POSITIONS[2:]]),
        pa.chunked_array([POSITIONS]),
        Custom(),
        Capsule(),
        [np.int64(p) for p in POSITIONS],
    ],
    ids=lambda p: type(p).__name__,
)
def test_positions_of_any_kind(positions: Any) -> None:
    dv = DeletionVector(positions)
    assert list(dv) == EXPECTED
    assert dv.positions().dtype == np.int64


@pytest.mark.parametrize(
    "empty",
    [[], np.array([]), np.zeros(0, np.int64), pa.array([], pa.int64()), pa.chunked_array([], pa.int64()), range(0)],
)
def test_no_positions(empty: Any) -> None:
    dv = DeletionVector(empty)
    assert not dv
    assert len(dv) == 0
    assert list(dv) == []


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32"])
def test_narrow_integers(dtype: str) -> None:
    assert list(DeletionVector(np.array([5, 1], dtype=dtype))) == [1, 5]
    assert list(DeletionVector(pa.array([5, 1], dtype))) == [1, 5]
    if not dtype.endswith("int8"):  # a buffer of bytes is more likely a mistake
        assert list(DeletionVector(np.array([5, 1], dtype=dtype).data)) == [1, 5]


@pytest.mark.parametrize(
    "bad",
    [
        [1.5], ["1"], [None], "12", b"12", bytearray(b"12"), 5, np.array([1.5]), np.array([True]), np.array([[1]]),
        pa.array([1.5]), pa.array(["a"]), memoryview(b"12"), np.array([1.5]).data, object(),
    ],
)  # fmt: skip
def test_what_is_no_integer(bad: Any) -> None:
    with pytest.raises(TypeError):
        DeletionVector(bad)


@pytest.mark.parametrize(
    "bad",
    [
        [-1], [MAX_POSITION + 1], [2**63], [2**70], [-(2**70)], np.array([-1]), np.array([2**64 - 1], dtype=np.uint64),
        pa.array([1, None]), pa.array([2**64 - 1], pa.uint64()), range(-5, 3), range(3, MAX_POSITION + 2),
    ],
    ids=str,
)  # fmt: skip
def test_positions_out_of_range_change_nothing(bad: Any) -> None:
    dv = DeletionVector([1])
    with pytest.raises(libdv.DvInvalidArgument):
        dv.add_many(bad)
    with pytest.raises(libdv.DvInvalidArgument):
        dv.add_many([9, 2**63] if bad == [-1] else bad)
    assert list(dv) == [1]


def test_int64_data_is_read_in_place() -> None:
    positions = np.arange(0, 1_000_000, 3)
    with libdv._positions.LentPositions(positions) as lent:
        assert lent.address == positions.ctypes.data
    arrow = pa.array(positions)[10:]
    with libdv._positions.LentPositions(arrow) as lent:
        assert lent.address == arrow.buffers()[1].address + 80


def test_ranges() -> None:
    dv = DeletionVector.from_ranges([(5, 8), (0, 2), (7, 9), (4, 4), (9, 3)])
    assert list(dv) == [0, 1, 5, 6, 7, 8]
    dv.add_range(MAX_POSITION, MAX_POSITION + 1)
    assert MAX_POSITION in dv
    assert list(DeletionVector(range(3, 10, 3))) == [3, 6, 9]
    assert list(DeletionVector(range(10, 3, -3))) == [4, 7, 10]
    assert list(DeletionVector(range(-3, -5))) == []
    with pytest.raises(libdv.DvInvalidArgument):
        dv.add_range(-1, 4)
    with pytest.raises(libdv.DvInvalidArgument):
        dv.add_range(0, MAX_POSITION + 2)


def test_membership() -> None:
    dv = DeletionVector([0, 5])
    assert 0 in dv
    assert 5 in dv
    assert np.int64(5) in dv
    for absent in (1, -1, MAX_POSITION + 1, 2**64, -(2**70)):
        assert absent not in dv
    for wrong in ("5", 5.0, None):
        with pytest.raises(TypeError):
            assert wrong in dv
    np.testing.assert_array_equal(dv.contains_many([5, 1, 0]), [True, False, True])
    assert dv.contains_many([]).dtype == np.bool_
    with pytest.raises(libdv.DvInvalidArgument):
        dv.contains_many([-1])


def test_add() -> None:
    dv = DeletionVector()
    dv.add(np.int32(4))
    dv.add(4)
    assert list(dv) == [4]
    for bad in (-1, MAX_POSITION + 1, 2**64 + 5):
        with pytest.raises(libdv.DvInvalidArgument, match="position"):
            dv.add(bad)
    with pytest.raises(TypeError):
        dv.add(1.0)  # type: ignore[arg-type]
    assert list(dv) == [4]


def test_union_and_difference() -> None:
    a, b = DeletionVector([1, 2, 3]), DeletionVector([3, 4])
    assert list(a | b) == [1, 2, 3, 4]
    assert list(a - b) == [1, 2]
    assert list(a) == [1, 2, 3]
    same = a
    a |= b
    assert a is same
    assert list(a) == [1, 2, 3, 4]
    a -= b
    assert list(a) == [1, 2]
    a |= a
    assert list(a) == [1, 2]
    a -= a
    assert not a


@pytest.mark.parametrize("other", [[1], {1}, None, 1])
def test_operators_take_vectors_alone(other: Any) -> None:
    dv = DeletionVector([1])
    for operation in ("__or__", "__sub__", "__ior__", "__isub__", "__eq__"):
        assert getattr(dv, operation)(other) is NotImplemented
    with pytest.raises(TypeError):
        dv | other
    with pytest.raises(TypeError):
        dv -= other
    assert dv != other


def test_equality_is_of_positions() -> None:
    runs = DeletionVector.from_ranges([(0, 1000)])
    singles = DeletionVector(np.arange(1000))
    assert runs == singles
    assert DeletionVector.view(runs.serialize()) == singles
    assert runs == runs.copy()
    singles.add(1001)
    assert runs != singles


def test_a_vector_is_no_key() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(DeletionVector())


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, DeletionVector, DeletionVector.copy])
def test_a_copy_is_of_its_own(duplicate: Any) -> None:
    dv = DeletionVector([1, 2])
    other = duplicate(dv)
    other.add(3)
    assert (list(dv), list(other)) == ([1, 2], [1, 2, 3])


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(protocol: int) -> None:
    dv = DeletionVector(EXPECTED)
    assert pickle.loads(pickle.dumps(dv, protocol)) == dv


def test_a_subclass_stays_one() -> None:
    class Mine(DeletionVector):
        pass

    mine = Mine([1, 2])
    for made in (mine.copy(), mine | mine, mine - mine, Mine.deserialize(mine.serialize()), Mine.from_ranges([(0, 1)])):
        assert type(made) is Mine


def test_repr() -> None:
    assert repr(DeletionVector()) == "DeletionVector([])"
    assert repr(DeletionVector(range(8))) == "DeletionVector([0, 1, 2, 3, 4, 5, 6, 7])"
    assert repr(DeletionVector(range(9))) == "<DeletionVector of 9 positions: 0, 1, 2, 3, 4, 5, 6, 7, ...>"
    dv = DeletionVector()
    dv.close()
    assert repr(dv) == "<DeletionVector: this DeletionVector is closed>"


def test_iteration_pages() -> None:
    positions = np.arange(0, 100_000, 3)
    assert list(DeletionVector(positions)) == positions.tolist()
    exact = DeletionVector(range(8192 * 2))
    assert sum(1 for _ in exact) == 8192 * 2
    last = DeletionVector([MAX_POSITION])
    assert list(last) == [MAX_POSITION]


def test_iteration_goes_on_after_a_change() -> None:
    dv = DeletionVector(range(10_000))
    iterator = iter(dv)
    assert next(iterator) == 0
    dv -= DeletionVector(range(9_000, 10_000))
    dv.add(20_000)
    assert list(iterator)[-1] == 20_000


def test_run_length_encode_shrinks_the_bitmap() -> None:
    dv = DeletionVector(np.arange(5000))
    before = dv.to_bitmap()
    dv.run_length_encode()
    after = dv.to_bitmap()
    assert len(after) < len(before)
    assert DeletionVector.from_bitmap(before) == DeletionVector.from_bitmap(after) == dv


def test_a_view_reads_in_place_and_thaws() -> None:
    blob = bytearray(DeletionVector([1, 2]).serialize())
    with DeletionVector.view(blob, 2) as dv:
        with pytest.raises(BufferError):
            blob.append(0)
        dv.add(9)
        assert list(dv) == [1, 2, 9]
    blob.append(0)
    assert list(DeletionVector.view(memoryview(blob)[:-1])) == [1, 2]


def test_a_view_keeps_its_bytes_alive() -> None:
    dv = DeletionVector.view(memoryview(DeletionVector(range(0, 10_000, 7)).serialize()))
    junk = [bytes(5000) for _ in range(100)]
    assert list(dv) == list(range(0, 10_000, 7))
    assert len(junk) == 100


@pytest.mark.parametrize("wrap", [bytes, bytearray, memoryview, lambda b: np.frombuffer(b, np.uint8), pa.py_buffer])
def test_bytes_of_any_kind(wrap: Any) -> None:
    dv = DeletionVector([1, 2])
    blob, bitmap = wrap(dv.serialize()), wrap(dv.to_bitmap())
    assert DeletionVector.deserialize(blob) == DeletionVector.view(blob) == DeletionVector.from_bitmap(bitmap) == dv
    assert libdv.blob_positions(blob).tolist() == [1, 2]


def test_bytes_that_are_not_contiguous() -> None:
    with pytest.raises(BufferError):
        DeletionVector.deserialize(memoryview(bytes(100))[::2])
    for wrong in ("text", 5, None, [1]):
        with pytest.raises(TypeError):
            DeletionVector.deserialize(wrong)  # type: ignore[arg-type]


def test_numbers_out_of_range() -> None:
    dv = DeletionVector([1])
    for call in (
        lambda: dv.positions(-1),
        lambda: dv.positions(2**63),
        lambda: dv.count(-1),
        lambda: DeletionVector.deserialize(dv.serialize(), -1),
        lambda: DeletionVector.deserialize(dv.serialize(), 2**64 + 1),
        lambda: DeletionVector.from_delta_inline("", 2**31),
    ):
        with pytest.raises(libdv.DvInvalidArgument):
            call()


def test_counts_and_ranges() -> None:
    dv = DeletionVector([1, 5, 9])
    assert dv.count() == 3
    assert dv.count(1, 9) == 2
    assert dv.count(5) == 2
    assert dv.count(9, 1) == 0
    assert dv.count(0, 2**63 - 1) == 3
    assert dv.positions(2, 9).tolist() == [5]
    assert dv.positions(9, 2).tolist() == []
    assert dv.positions(5).tolist() == [5, 9]


def test_head_makes_room_for_what_there_is() -> None:
    dv = DeletionVector([1, 5, 9])
    assert dv.head(0, None, 2**61) == [1, 5, 9]
    assert dv.head(2, 9, 2**63 - 1) == [5]
    many = DeletionVector(range(20_000))
    assert many.head(0, None, 9_000) == list(range(9_000))
    assert many.head(19_999, None, 2**40) == [19_999]
    assert many.head(5, 2, 2**61) == []


def test_bitmaps_of_other_kinds_are_refused() -> None:
    with pytest.raises(libdv.DvError):
        DeletionVector.from_bitmap(b"\x01" * 40)
