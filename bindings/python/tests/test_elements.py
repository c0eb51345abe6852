"""Buffers whose elements are references or pointers: nothing writes bytes over them, nothing reads them as bytes."""

from __future__ import annotations

import array
import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import libdv
from libdv import DeletionVector, DVWriter, PuffinFile, Source

if TYPE_CHECKING:
    from collections.abc import Callable


class Packed(ctypes.Structure):
    """Whose format is that of bytes."""

    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("mark", ctypes.c_byte), ("held", ctypes.py_object))


class Either(ctypes.Union):
    """The same."""

    _fields_ = (("number", ctypes.c_int64), ("held", ctypes.py_object))


REFUSED: dict[str, Callable[[], Any]] = {
    "objects": lambda: np.full(64, None, dtype=object),
    "structures of objects": lambda: np.zeros(64, [("a", object), ("b", "i4")]),
    "structures": lambda: np.zeros(64, [("a", "i4"), ("b", "i8")]),
    "complex": lambda: np.zeros(64, "c16"),
    "text": lambda: np.zeros(64, "U2"),
    "ctypes objects": lambda: (ctypes.py_object * 64)(*map(ctypes.py_object, range(64))),  # type: ignore[misc]
    "ctypes strings": lambda: (ctypes.c_char_p * 64)(),
    "ctypes addresses": lambda: (ctypes.c_void_p * 64)(),
    "ctypes pointers": lambda: (ctypes.POINTER(ctypes.c_int) * 64)(),
    "ctypes functions": lambda: (ctypes.CFUNCTYPE(None) * 64)(),
    "ctypes unions": lambda: (Either * 64)(),
    "packed ctypes structures": lambda: (Packed * 64)(),
}
refused = pytest.mark.parametrize("make", REFUSED.values(), ids=REFUSED)


@pytest.fixture(scope="module")
def puffin() -> PuffinFile:
    with DVWriter() as writer:
        writer.add("a.parquet", [1, 3])
        return PuffinFile(writer.flush_to_bytes("x").data)


@refused
def test_no_result_is_written_over_them(puffin: PuffinFile, make: Any) -> None:
    out = make()
    before = bytes(memoryview(out))
    with pytest.raises(TypeError, match=r"^out must "):
        puffin.keep_masks(512, out=out)
    with pytest.raises(TypeError, match=r"^out must "):
        libdv.blob_positions(DeletionVector([1, 3]).serialize(), out=out)
    assert bytes(memoryview(out)) == before


@refused
def test_no_input_is_made_of_them(make: Any) -> None:
    data = make()
    for read in (
        DeletionVector.deserialize,
        DeletionVector.view,
        DeletionVector.from_bitmap,
        libdv.blob_positions,
        libdv.pfor_encode,
        libdv.inspect,
        Source,
        PuffinFile,
        DeletionVector,
        libdv.blob_from_positions,
        libdv.MumblingBitmap,
        lambda data: libdv.blob_keep_mask(data, 0, 9),
        lambda data: libdv.pfor_decode(data, 9),
    ):
        with pytest.raises(TypeError):
            read(data)
    view = memoryview(data)
    source = Source.from_function(512, lambda _offset, size: view[: size // view.itemsize])
    with source, pytest.raises(TypeError, match="returned must hold plain"):
        PuffinFile(source)


@pytest.mark.parametrize(
    "make",
    [
        lambda size: np.zeros(size, "S1"),
        lambda size: np.zeros(size, "V1"),
        lambda size: np.zeros(size, np.bool_),
        lambda size: np.zeros(size // 8, ">i8"),
        lambda size: np.zeros((8, size // 8), np.uint8),
        lambda size: array.array("I", bytes(size)),
        lambda size: (ctypes.c_ubyte * size)(),
        lambda size: (ctypes.c_int64 * (size // 8))(),
        ctypes.create_string_buffer,
    ],
)
def test_plain_elements_are_taken(puffin: PuffinFile, make: Any) -> None:
    out = make(64)
    [mask] = puffin.keep_masks(5, out=out)
    assert list(mask) == [True, False, True, False, True]
    assert bytes(memoryview(out))[0] == 0b10101
    blob = DeletionVector([1, 3]).serialize()
    blob = blob + b"-" * (-len(blob) % 8)
    given = make(len(blob))
    memoryview(given).cast("B")[:] = blob
    assert libdv.read_range(given, 0, len(DeletionVector([1, 3]).serialize())) == DeletionVector([1, 3])
