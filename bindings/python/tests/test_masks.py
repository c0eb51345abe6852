"""What scans filter with, against a plain NumPy model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

import libdv
from libdv import MAX_POSITION, DeletionVector, Mask

if TYPE_CHECKING:
    from collections.abc import Iterator

DELETED = np.array([0, 1, 7, 8, 63, 64, 65, 1000, *range(2000, 5000), 65_535, 65_536, 100_000])
WINDOWS = [
    (0, 0),
    (0, 1),
    (0, 8),
    (0, 9),
    (1, 7),
    (3, 64),
    (60, 70),
    (1999, 3002),
    (65_530, 20),
    (0, 120_000),
    (10**12, 9),
]


def kept(start: int, length: int) -> Any:
    result = np.ones(length, dtype=bool)
    inside = DELETED[(start <= DELETED) & (start + length > DELETED)] - start
    result[inside] = False
    return result


@pytest.fixture(params=["mutable", "frozen", "view"])
def dv(request: pytest.FixtureRequest) -> Iterator[DeletionVector]:
    blob = DeletionVector(DELETED).serialize()
    make = {"mutable": lambda: DeletionVector(DELETED), "frozen": lambda: DeletionVector.deserialize(blob)}
    with make.get(request.param, lambda: DeletionVector.view(blob))() as vector:
        yield vector


@pytest.mark.parametrize(("start", "length"), WINDOWS)
def test_windows(dv: DeletionVector, start: int, length: int) -> None:
    expected = kept(start, length)
    packed = np.packbits(expected, bitorder="little").tobytes()
    mask = dv.keep_mask(start, length)
    assert bytes(mask) == bytes(mask.buffer) == packed
    assert (mask.start, len(mask), mask.count()) == (start, length, expected.sum())
    np.testing.assert_array_equal(mask.to_numpy(), expected)
    np.testing.assert_array_equal(mask.to_packed_numpy(), np.frombuffer(packed, np.uint8))
    assert mask.to_arrow().to_numpy(zero_copy_only=False).tolist() == expected.tolist()
    np.testing.assert_array_equal(dv.delete_mask(start, length).to_numpy(), ~expected)
    np.testing.assert_array_equal(dv.keep_bytes(start, length), expected)
    np.testing.assert_array_equal(dv.keep_indices(start, length), np.flatnonzero(expected))
    blob_mask = libdv.blob_keep_mask(dv.serialize(), start, length, len(dv))
    assert blob_mask == mask


def test_element_types(dv: DeletionVector) -> None:
    assert dv.keep_mask(0, 9).to_numpy().dtype == np.bool_
    assert dv.keep_mask(0, 9).to_packed_numpy().dtype == np.uint8
    assert dv.keep_bytes(0, 9).dtype == np.bool_
    assert dv.keep_indices(0, 9).dtype == np.uint32
    assert dv.keep_mask(0, 9).to_arrow().type == pa.bool_()


def test_arrow_and_numpy_share_the_masks_memory() -> None:
    mask = DeletionVector([1]).keep_mask(0, 100)
    address = mask.to_packed_numpy().__array_interface__["data"][0]
    assert mask.to_arrow().buffers()[1].address == address
    arrow = mask.to_arrow()
    del mask
    assert arrow.to_pylist() == [True, False] + [True] * 98
    arrow.validate(full=True)


def test_a_mask_filters_a_table() -> None:
    table = pa.table({"row": range(10)})
    mask = DeletionVector([0, 4]).keep_mask(0, 10)
    assert table.filter(mask.to_arrow())["row"].to_pylist() == [1, 2, 3, 5, 6, 7, 8, 9]
    indices = DeletionVector([0, 4]).keep_indices(0, 10)
    assert table.take(pa.array(indices))["row"].to_pylist() == [1, 2, 3, 5, 6, 7, 8, 9]


def test_a_mask_is_a_read_only_sequence() -> None:
    mask = DeletionVector([1, 9]).keep_mask(0, 10)
    assert list(mask) == [True, False] + [True] * 7 + [False]
    assert (mask[0], mask[1], mask[-1], mask[-10]) == (True, False, False, True)
    for outside in (10, -11):
        with pytest.raises(IndexError):
            mask[outside]
    assert mask == DeletionVector([1, 9, 10]).keep_mask(0, 10)
    assert mask != DeletionVector([1]).keep_mask(0, 10)
    assert mask != "mask"
    assert repr(mask) == "<libdv.Mask: rows 0 to 10, 8 set>"
    with pytest.raises(TypeError):
        mask.buffer[0] = 0
    with pytest.raises(ValueError, match="read-only"):
        mask.to_packed_numpy()[0] = 0
    for packed in (mask.to_packed_numpy(), np.frombuffer(mask.buffer, np.uint8)):
        with pytest.raises(ValueError, match="WRITEABLE"):
            packed.flags.writeable = True
    with pytest.raises(TypeError):
        hash(mask)
    assert isinstance(mask, Mask)


def test_the_far_end() -> None:
    dv = DeletionVector([MAX_POSITION])
    assert list(dv.keep_mask(MAX_POSITION - 1, 3)) == [True, False, True]
    assert dv.keep_mask(2**63 - 9, 8).count() == 8


@pytest.mark.parametrize("method", ["keep_mask", "delete_mask", "keep_bytes", "keep_indices"])
@pytest.mark.parametrize(("start", "length"), [(-1, 5), (0, -1), (2**63 - 1, 1), (5, 2**63 - 1), (2**64, 1)])
def test_windows_out_of_range(method: str, start: int, length: int) -> None:
    with pytest.raises(libdv.DvInvalidArgument):
        getattr(DeletionVector(), method)(start, length)


def test_a_selection_vector_has_32_bits() -> None:
    with pytest.raises(libdv.DvInvalidArgument):
        DeletionVector().keep_indices(0, 2**32 + 1)


def test_an_impossible_length_is_refused_by_memory() -> None:
    with pytest.raises(MemoryError):
        DeletionVector().keep_bytes(0, 2**62)
    with pytest.raises(MemoryError):
        DeletionVector().keep_mask(0, 2**62)
