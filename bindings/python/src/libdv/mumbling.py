"""Mumbling bitmaps: the deletion vectors of Iceberg v4 manifests."""

from __future__ import annotations

import ctypes
import weakref
from ctypes import byref, c_bool, c_int32, c_size_t, c_void_p
from typing import TYPE_CHECKING, Any, SupportsIndex

from libdv import _arguments
from libdv._abi import MUMBLING_MAX_CARDINALITY
from libdv._arrays import first as first_of
from libdv._arrays import new_array
from libdv._buffers import Lent
from libdv._handle import Handle, Owner
from libdv._loader import native
from libdv._positions import LentPositions32
from libdv.errors import DvTooSmall
from libdv.mask import Mask, room_for
from libdv.vector import DeletionVector

if TYPE_CHECKING:
    from collections.abc import Iterator

    from libdv._arrays import BoolArray, Int32Array
    from libdv._buffers import BytesLike
    from libdv._positions import Positions


class MumblingBitmap(Owner):
    """A Mumbling bitmap, version 1: a read-only set of positions below 2,097,152.

    Making one checks the version, counts and bounds, and copies the bytes once. The rest is decoded on first use, so a
    fault there is a :class:`libdv.DvCorrupt` of that call; :meth:`validate` looks for every fault. Any number of
    threads may read one bitmap.

    Example:
        >>> from libdv import DeletionVector, MumblingBitmap
        >>> bitmap = MumblingBitmap.from_vector(DeletionVector([2, 40, 300]))
        >>> bytes(bitmap.buffer()).hex()
        '0103000002000100018002282c'
        >>> 40 in bitmap, len(bitmap), list(bitmap)
        (True, 3, [2, 40, 300])
        >>> bitmap.to_vector()
        DeletionVector([2, 40, 300])
    """

    __slots__ = ()

    def __init__(self, data: BytesLike) -> None:
        """Read a serialized bitmap.

        Args:
            data: Anything with a contiguous buffer.

        Raises:
            DvCorrupt: The header, the counts or the bounds are wrong.
            DvUnsupported: The version is not 1.
        """
        library = native()
        self._handle = Handle(library, "mumbling_free", "this MumblingBitmap")
        with Lent(data) as lent:
            library.check(library.mumbling_read(lent.address, lent.size, self._handle.out))

    @classmethod
    def from_vector(cls, vector: DeletionVector) -> MumblingBitmap:
        """The smallest bitmap that holds a vector's positions.

        Raises:
            TypeError: It is no vector.
            DvLimit: A position is 2,097,152 or more.
        """
        _arguments.instance(vector, DeletionVector, "vector")
        return cls(vector._take("mumbling_from_dv"))

    def to_vector(self) -> DeletionVector:
        """A deletion vector of the same positions.

        Raises:
            DvCorrupt: The bitmap breaks its format, or holds another number of positions than its header says.
        """
        with self._handle as pointer:
            return DeletionVector._make("mumbling_to_dv", pointer, library=self._handle.native)

    def validate(self) -> None:
        """Check everything that the format promises.

        Raises:
            DvCorrupt: Something is wrong; the message has the offset of the first fault.
        """
        self._call("mumbling_validate")

    def positions(self) -> Int32Array:
        """The positions, ascending.

        Returns:
            A new ``int32`` NumPy array; an ``array.array('i')`` where NumPy is not installed.

        Raises:
            DvCorrupt: The bitmap breaks its format, or holds another number of positions than its header says.
        """
        count = c_size_t(len(self))
        while True:
            capacity = count.value
            array, address = new_array("i", capacity)
            try:
                self._call("mumbling_positions", address, capacity, byref(count))
            except DvTooSmall:  # the header announces fewer than there are
                continue
            found: Int32Array = first_of(array, count.value)
            return found

    def contains_many(self, positions: Positions) -> BoolArray:
        """Whether each of the positions is in the bitmap.

        Args:
            positions: Integers in any order, as :meth:`DeletionVector.add_many` takes them; contiguous int32 data is
                read in place.

        Returns:
            A ``bool`` NumPy array in the same order; a memoryview of format ``?`` where NumPy is not installed.

        Raises:
            DvInvalidArgument: A position is negative, or does not fit int32.
            DvCorrupt: A container that is needed breaks its format.
        """
        with LentPositions32(positions) as lent:
            array, address = new_array("?", lent.count)
            self._call("mumbling_is_set_many", lent.address, lent.count, address)
        found: BoolArray = array
        return found

    def keep_mask(self, start: SupportsIndex, length: SupportsIndex) -> Mask:
        """Which of ``length`` rows from ``start`` on are not in the bitmap, one bit each, 1 for kept.

        Raises:
            DvInvalidArgument: ``start`` or ``length`` is negative, or their sum does not fit int32.
            DvCorrupt: A container that is needed breaks its format.
        """
        first = _arguments.integer(start, "start", 0, _arguments.INT32_MAX)
        rows = _arguments.integer(length, "length", 0, _arguments.INT32_MAX - first)
        bits, address = room_for(rows)
        self._call("mumbling_keep_mask", first, rows, address, len(bits))
        return Mask(bits, first, rows)

    def buffer(self) -> memoryview:
        """The serialized bytes, read-only and not copied. They stay alive as long as the view, also after ``close``."""
        data, size = c_void_p(), c_size_t()
        self._call("mumbling_buffer", byref(data), byref(size))
        if not data.value:
            return memoryview(b"")
        array = (ctypes.c_ubyte * size.value).from_address(data.value)
        weakref.finalize(array, self._handle.retain().release).atexit = False
        return memoryview(array).cast("B").toreadonly()

    def __len__(self) -> int:
        """The number of positions, as the header says it."""
        out = c_int32()
        self._call("mumbling_cardinality", byref(out))
        return out.value

    def __contains__(self, position: Any) -> bool:
        """Whether a position is in the bitmap; an integer that can be none is not."""
        row = _arguments.row_or_none(position)
        if row is None or row >= MUMBLING_MAX_CARDINALITY:
            self._handle.check_open()
            return False
        out = c_bool()
        self._call("mumbling_is_set", row, byref(out))
        return out.value

    def __iter__(self) -> Iterator[int]:
        """The positions, ascending."""
        return iter(self.positions().tolist())

    def __eq__(self, other: object) -> bool:
        """Whether the other bitmap has the same bytes."""
        if not isinstance(other, MumblingBitmap):
            return NotImplemented
        return self.buffer() == other.buffer()

    __hash__ = None  # type: ignore[assignment]  # compared by bytes that may be many

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (bytes(self.buffer()),)

    def __repr__(self) -> str:
        return f"<libdv.MumblingBitmap: {'closed' if self.closed else f'{len(self)} positions'}>"
