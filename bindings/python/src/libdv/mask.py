"""A window of rows as bits: what a scan filters with."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, SupportsIndex

from libdv._arrays import new_array, require

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    import numpy.typing as npt

    from libdv._arrays import BoolArray


class Mask:
    """One bit per row for the rows ``start`` to ``start + length - 1``, in the layout of an Arrow Boolean buffer.

    Bit ``i`` (least significant first) stands for row ``start + i``. In a keep mask 1 means kept, in a delete mask
    deleted. Bits past the last row are 0. A mask owns its bits and does not change; it is no view of the vector. Only
    those that :meth:`PuffinFile.keep_masks` puts into memory of yours change with it.

    Attributes:
        start: The first row.

    Example:
        >>> from libdv import DeletionVector
        >>> mask = DeletionVector([1, 3]).keep_mask(0, 5)
        >>> list(mask), len(mask), mask.count()
        ([True, False, True, False, True], 5, 3)
        >>> mask.to_numpy()
        array([ True, False,  True, False,  True])
        >>> mask.to_arrow().to_pylist()
        [True, False, True, False, True]
    """

    __slots__ = ("_data", "_length", "start")

    def __init__(self, data: Any, start: int, length: int) -> None:
        """Take over ``(length + 7) // 8`` bytes that :func:`room_for` made: masks come from vectors, not callers."""
        self._data = data
        self._length = length
        self.start = start

    @property
    def buffer(self) -> memoryview:
        """The packed bits: ``(len(mask) + 7) // 8`` bytes, read-only, not copied."""
        return memoryview(self._data)

    def to_numpy(self) -> BoolArray:
        """One ``bool`` per row: a new NumPy array of shape ``(len(mask),)``.

        Raises:
            DvLoadError: NumPy is not installed.
        """
        numpy = require("numpy", "Mask.to_numpy()")
        bits = numpy.unpackbits(self.to_packed_numpy(), count=self._length, bitorder="little")
        result: BoolArray = bits.view(numpy.bool_)
        return result

    def to_packed_numpy(self) -> npt.NDArray[np.uint8]:
        """The packed bits as a read-only ``uint8`` NumPy array over the same memory.

        Raises:
            DvLoadError: NumPy is not installed.
        """
        data = self._data
        if isinstance(data, memoryview):
            data = require("numpy", "Mask.to_packed_numpy()").frombuffer(data, dtype="uint8")
        packed: npt.NDArray[np.uint8] = data.view()  # which nobody can make writable, unlike the array itself
        return packed

    def to_arrow(self) -> Any:
        """A ``pyarrow.BooleanArray`` of ``len(mask)`` values over the same memory, without nulls.

        It is what ``pyarrow.Table.filter`` and ``pyarrow.compute`` take.

        Raises:
            DvLoadError: PyArrow is not installed.
        """
        pa = require("pyarrow", "Mask.to_arrow()")
        return pa.Array.from_buffers(pa.bool_(), self._length, [None, pa.py_buffer(self.buffer)], null_count=0)

    def count(self) -> int:
        """The number of rows whose bit is 1."""
        return int.from_bytes(self.buffer, "little").bit_count()

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: SupportsIndex) -> bool:
        """The bit of row ``start + index``; a negative index counts from the end."""
        i = operator.index(index)
        if i < 0:
            i += self._length
        if not 0 <= i < self._length:
            raise IndexError(f"index {operator.index(index)} is outside of a mask of {self._length} rows")
        return bool(self.buffer[i >> 3] >> (i & 7) & 1)

    def __iter__(self) -> Iterator[bool]:
        bits = self.buffer
        for i in range(self._length):
            yield bool(bits[i >> 3] >> (i & 7) & 1)

    def __bytes__(self) -> bytes:
        return bytes(self.buffer)

    def __buffer__(self, flags: int, /) -> memoryview:
        """The packed bits, for Python 3.12 and later (PEP 688)."""
        return self.buffer

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mask):
            return NotImplemented
        return (self.start, self._length, self.buffer) == (other.start, other._length, other.buffer)

    __hash__ = None  # type: ignore[assignment]  # it holds a large buffer and is no key

    def __repr__(self) -> str:
        return f"<libdv.Mask: rows {self.start} to {self.start + self._length}, {self.count()} set>"


def room_for(length: int) -> tuple[Any, int | None]:
    """Memory for a mask of ``length`` rows, which C alone writes to, and where it begins."""
    data, address = new_array("B", (length + 7) // 8)
    if isinstance(data, memoryview):
        return data.toreadonly(), address
    data.setflags(write=False)
    return data, address
