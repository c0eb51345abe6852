"""The bulk reads of a vector: what a scan needs, and what to count and compare."""

from __future__ import annotations

from ctypes import byref, c_bool, c_int64, c_size_t
from typing import TYPE_CHECKING, Any, Final, SupportsIndex

from libdv import _arguments
from libdv._arrays import first as first_of
from libdv._arrays import new_array
from libdv._positions import LentPositions
from libdv._vector_base import VectorBase
from libdv.errors import DvTooSmall
from libdv.mask import Mask, room_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from libdv._arrays import BoolArray, Int64Array, UInt32Array
    from libdv._positions import Positions

_PAGE: Final = 8192
_MAX_SELECTION: Final = 2**32


class VectorReads(VectorBase):
    """Reads that leave the vector as it is; any number of threads may do them at a time."""

    __slots__ = ()

    def positions(self, start: SupportsIndex = 0, end: SupportsIndex | None = None) -> Int64Array:
        """The deleted rows in ``[start, end)``, ascending.

        Args:
            start: The first row, 0 or more.
            end: The row after the last; ``None``: no end. An empty or inverted range gives nothing.

        Returns:
            A new ``int64`` NumPy array; an ``array.array('q')`` where NumPy is not installed.

        Raises:
            DvInvalidArgument: ``start`` is negative.
            MemoryError: There is no room for 8 bytes per position.

        Example:
            >>> from libdv import DeletionVector
            >>> DeletionVector([5, 1, 9]).positions(1, 9)
            array([1, 5])
        """
        first, last = _arguments.start_of(start), _arguments.end_of(end)
        capacity = self.count(first, last)
        array, address = new_array("q", capacity)
        found: Int64Array = first_of(array, self._fill_positions(first, last, address, capacity))
        return found

    def head(self, start: SupportsIndex, end: SupportsIndex | None, most: SupportsIndex) -> list[int]:
        """The first ``most`` deleted rows in ``[start, end)``, as ints: to page, go on from the last one plus 1.

        Raises:
            DvInvalidArgument: ``start`` or ``most`` is negative.

        Example:
            >>> from libdv import DeletionVector
            >>> DeletionVector(range(0, 100, 10)).head(5, None, 3)
            [10, 20, 30]
        """
        capacity = _arguments.integer(most, "most", 0, _arguments.end_of(None))
        first, last = _arguments.start_of(start), _arguments.end_of(end)
        if capacity > _PAGE:  # no room for more than there are; counting costs more than a page's room
            capacity = min(capacity, self.count(first, last))
        array, address = new_array("q", capacity)
        count = self._fill_positions(first, last, address, capacity)
        found: list[int] = first_of(array, count).tolist()
        return found

    def _fill_positions(self, start: int, end: int, address: int | None, capacity: int) -> int:
        count = c_size_t()
        self._call("dv_positions", start, end, address, capacity, byref(count))
        return count.value

    def __iter__(self) -> Iterator[int]:
        """The deleted rows, ascending, read in pages: a vector that changes meanwhile is read on from the last row."""
        start, full = 0, True
        while full:
            page = self.head(start, None, _PAGE)
            full = len(page) == _PAGE
            yield from page
            start = page[-1] + 1 if page else start

    def contains_many(self, positions: Positions) -> BoolArray:
        """Whether each of the positions is deleted.

        Args:
            positions: Any integers, in any order: see :meth:`libdv.DeletionVector.add_many`.

        Returns:
            A ``bool`` NumPy array in the same order; a memoryview of format ``?`` where NumPy is not installed.

        Raises:
            DvInvalidArgument: A position is negative or too large.
        """
        with LentPositions(positions) as lent:
            array, address = new_array("?", lent.count)
            self._call("dv_contains_many", lent.address, lent.count, address)
        found: BoolArray = array
        return found

    def count(self, start: SupportsIndex = 0, end: SupportsIndex | None = None) -> int:
        """The number of deleted rows in ``[start, end)``.

        Raises:
            DvInvalidArgument: ``start`` is negative.
        """
        out = c_int64()
        first, last = _arguments.start_of(start), _arguments.end_of(end)
        self._call("dv_count", first, last, byref(out))
        return out.value

    def keep_mask(self, start: SupportsIndex, length: SupportsIndex) -> Mask:
        """Which of ``length`` rows from ``start`` on are kept, one bit each, 1 for kept.

        Raises:
            DvInvalidArgument: ``start`` or ``length`` is negative, or their sum does not fit int64.

        Example:
            >>> from libdv import DeletionVector
            >>> DeletionVector([1, 3]).keep_mask(0, 5).to_numpy()
            array([ True, False,  True, False,  True])
        """
        return self._mask("dv_keep_mask", start, length)

    def delete_mask(self, start: SupportsIndex, length: SupportsIndex) -> Mask:
        """The same as :meth:`keep_mask` with 1 for deleted."""
        return self._mask("dv_delete_mask", start, length)

    def _mask(self, function: str, start: SupportsIndex, length: SupportsIndex) -> Mask:
        first, rows = _arguments.window(start, length)
        bits, address = room_for(rows)
        self._call(function, first, rows, address, len(bits))
        return Mask(bits, first, rows)

    def keep_bytes(self, start: SupportsIndex, length: SupportsIndex) -> BoolArray:
        """Which of ``length`` rows from ``start`` on are kept, one byte each, 1 for kept.

        Returns:
            A new ``bool`` NumPy array of shape ``(length,)``, for ``rows[mask]``; a memoryview of format ``?`` where
            NumPy is not installed.

        Raises:
            DvInvalidArgument: ``start`` or ``length`` is negative, or their sum does not fit int64.
        """
        first, rows = _arguments.window(start, length)
        array, address = new_array("?", rows)
        self._call("dv_keep_bytes", first, rows, address, rows)
        kept: BoolArray = array
        return kept

    def keep_indices(self, start: SupportsIndex, length: SupportsIndex) -> UInt32Array:
        """The kept ones of ``length`` rows from ``start`` on, as ascending offsets from ``start``: a selection vector.

        Args:
            start: The first row, 0 or more.
            length: At most 2**32 rows.

        Returns:
            A new ``uint32`` NumPy array, for ``rows.take(indices)``; an ``array.array('I')`` where NumPy is not
            installed.

        Raises:
            DvInvalidArgument: ``start`` or ``length`` is out of range.
        """
        first = _arguments.start_of(start)
        rows = _arguments.integer(length, "length", 0, min(_MAX_SELECTION, _arguments.end_of(None) - first))
        count = c_size_t(rows - self.count(first, first + rows))
        while True:
            capacity = count.value
            array, address = new_array("I", capacity)
            try:
                self._call("dv_keep_indices", first, rows, address, capacity, byref(count))
            except DvTooSmall:  # another thread has changed the vector
                continue
            kept: UInt32Array = first_of(array, count.value)
            return kept

    def __len__(self) -> int:
        """The number of deleted rows."""
        out = c_int64()
        self._call("dv_cardinality", byref(out))
        return out.value

    def __bool__(self) -> bool:
        """Whether any row is deleted."""
        out = c_bool()
        self._call("dv_is_empty", byref(out))
        return not out.value

    def __contains__(self, position: Any) -> bool:
        """Whether a row is deleted; an integer that can be no row number is not."""
        row = _arguments.row_or_none(position)
        if row is None:
            self._handle.check_open()
            return False
        out = c_bool()
        self._call("dv_contains", row, byref(out))
        return out.value
