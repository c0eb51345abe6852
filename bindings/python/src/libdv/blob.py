"""From the bytes of a blob straight to what a scan needs, and from positions to a blob, without a vector."""

from __future__ import annotations

from ctypes import addressof, c_size_t
from typing import TYPE_CHECKING, Any, Final, SupportsIndex

from libdv import _arguments
from libdv._abi import Bytes
from libdv._arrays import first as first_of
from libdv._arrays import is_plain, new_array
from libdv._buffers import Lent, address_of, char_at_start, drain
from libdv._loader import native
from libdv._positions import LentPositions, is_int64
from libdv.errors import Status
from libdv.mask import Mask, room_for
from libdv.vector import DeletionVector

if TYPE_CHECKING:
    from libdv._arrays import Int64Array
    from libdv._buffers import BytesLike
    from libdv._loader import Native
    from libdv._positions import Positions

_SMALL: Final = 4096
_LARGE: Final = 1 << 22  # positions: 32 MiB that nobody touches if there are fewer
_PER_BYTE: Final = 8  # positions in a byte of a dense bitmap; more than that takes runs
_TOO_SMALL: Final = int(Status.DV_TOO_SMALL)


def blob_keep_mask(
    data: BytesLike,
    start: SupportsIndex,
    length: SupportsIndex,
    expected_cardinality: SupportsIndex | None = None,
) -> Mask:
    """The keep mask of a ``deletion-vector-v1`` blob: :meth:`DeletionVector.keep_mask` without the vector.

    Args:
        data: The blob: anything with a contiguous buffer.
        start: The first row, 0 or more.
        length: The number of rows.
        expected_cardinality: The number of positions that the blob must hold; ``None``: any.

    Raises:
        DvCorrupt: The blob breaks its format.
        DvMismatch: It holds another number of positions.
        DvInvalidArgument: ``start`` or ``length`` is out of range.

    Example:
        >>> from libdv import DeletionVector, blob_keep_mask
        >>> blob_keep_mask(DeletionVector([1, 3]).serialize(), 0, 5).to_numpy()
        array([ True, False,  True, False,  True])
    """
    library = native()
    first, rows = _arguments.window(start, length)
    expected = _arguments.expected(expected_cardinality)
    bits, address = room_for(rows)
    lent = Lent(data)
    try:
        if status := library.dv_blob_keep_mask(lent.address, lent.size, expected, first, rows, address, len(bits)):
            raise library.error(status)
    finally:
        lent.release()
    return Mask(bits, first, rows)


def blob_from_positions(positions: Positions) -> bytes:
    """A ``deletion-vector-v1`` blob of some positions: :meth:`DeletionVector.serialize` without the vector.

    Args:
        positions: Integers, in any order, duplicates allowed: see :meth:`DeletionVector.add_many`.

    Raises:
        TypeError: The positions are no integers.
        DvInvalidArgument: A position is negative or too large, or null.
        DvLimit: The blob would be 2 GiB or more.

    Example:
        >>> from libdv import blob_from_positions, blob_positions
        >>> blob_positions(blob_from_positions([7, 3, 3]))
        array([3, 7])
    """
    if isinstance(positions, range):
        return DeletionVector(positions).serialize()
    if hasattr(positions, "__array__") and is_plain(positions, "q"):  # the quickest way, for the fewest positions
        plain: Any = positions
        start = char_at_start(plain)
        return _encode(addressof(start), len(plain))
    with LentPositions(positions) as lent:
        return _encode(lent.address, lent.count)


def _encode(address: int | bytes | None, count: int) -> bytes:
    library, out = native(), Bytes()
    if status := library.dv_blob_from_positions(address, count, addressof(out)):
        raise library.error(status)
    return drain(library, out)


def blob_positions(
    data: BytesLike, expected_cardinality: SupportsIndex | None = None, out: Int64Array | None = None
) -> Int64Array:
    """The positions of a ``deletion-vector-v1`` blob, ascending.

    Args:
        data: The blob: anything with a contiguous buffer.
        expected_cardinality: The number of positions that it must hold, known from its manifest entry; ``None``: any.
            Knowing it saves a second pass over a large blob.
        out: Where to put them: one writable, contiguous dimension of int64. Who reads many large blobs into one array
            saves what fresh memory costs, which is most of it. ``None``: into a new array.

    Returns:
        A new ``int64`` NumPy array, or the first elements of ``out``; an ``array.array('q')``, or a memoryview of
        ``out``, where NumPy is not installed.

    Raises:
        TypeError: ``out`` has other elements.
        DvCorrupt: The blob breaks its format.
        DvMismatch: It holds another number of positions.
        DvTooSmall: ``out`` cannot hold them.

    Example:
        >>> from libdv import DeletionVector, blob_positions
        >>> blob_positions(DeletionVector([3, 1]).serialize())
        array([1, 3])
    """
    library = native()
    expected = _arguments.expected(expected_cardinality)
    if type(data) is bytes and out is None:  # the quickest way, for the smallest blobs
        return _positions(library, data, len(data), expected)
    lent = Lent(data)
    try:
        if out is None:
            return _positions(library, lent.address, lent.size, expected)
        return _positions_into(library, lent, expected, out)
    finally:
        lent.release()


class _Scratch:
    """Room for the positions of a small blob, which one call after the other uses: see :data:`_idle`."""

    __slots__ = ("address", "array", "count", "counted")

    def __init__(self) -> None:
        self.array, self.address = new_array("q", _SMALL)
        self.count = c_size_t()
        self.counted = addressof(self.count)


_idle: list[_Scratch] = []  # a call takes one out for its time, so that neither threads nor finalizers can share it


def _positions(library: Native, data: bytes | int | None, size: int, expected: int) -> Int64Array:
    """In one pass where the number is small, or told and backed by the bytes; else the first pass counts."""
    count = expected
    if not _SMALL < expected <= max(_LARGE, _PER_BYTE * size):
        try:
            scratch = _idle.pop()
        except IndexError:
            scratch = _Scratch()
        status = library.dv_blob_positions(data, size, expected, scratch.address, _SMALL, scratch.counted)
        count = scratch.count.value
        found: Int64Array | None = scratch.array[:count].__copy__() if not status else None
        _idle.append(scratch)
        if found is not None:
            return found
        if status != _TOO_SMALL:
            raise library.error(status)
    out = c_size_t()
    while True:
        array, address = new_array("q", count)
        status = library.dv_blob_positions(data, size, expected, address, count, addressof(out))
        count = out.value
        if not status:
            positions: Int64Array = first_of(array, count)
            return positions
        if status != _TOO_SMALL:  # else the caller is writing to the bytes
            raise library.error(status)


def _positions_into(library: Native, lent: Lent, expected: int, out: Any) -> Int64Array:
    if is_plain(out, "q"):
        start = char_at_start(out)
        filled: Int64Array = first_of(out, _fill(library, lent, expected, addressof(start), len(out)))
        return filled
    try:
        lent_out = memoryview(out)
    except (TypeError, ValueError) as error:  # the latter is NumPy's, of types that no buffer can express
        raise TypeError(f"out must be one dimension of int64, not {type(out).__name__}") from error
    with lent_out as view:
        if not is_int64(view) or view.readonly:
            raise TypeError("out must be one writable, contiguous dimension of int64")
        found = _fill(library, lent, expected, address_of(view) if view else None, len(view))
        positions: Int64Array = first_of(out if hasattr(out, "__array__") else view[:], found)
        return positions


def _fill(library: Native, lent: Lent, expected: int, address: int | None, capacity: int) -> int:
    count = c_size_t()
    if status := library.dv_blob_positions(lent.address, lent.size, expected, address, capacity, addressof(count)):
        raise library.error(status)
    return count.value
