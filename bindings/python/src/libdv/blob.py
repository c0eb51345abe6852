"""From the bytes of a blob straight to what a scan needs, in one call and without a vector."""

from __future__ import annotations

from ctypes import byref, c_size_t
from typing import TYPE_CHECKING, Final, SupportsIndex

from libdv import _arguments
from libdv._arrays import Output
from libdv._buffers import Lent
from libdv._loader import native
from libdv.errors import Status
from libdv.mask import Mask, mask_from

if TYPE_CHECKING:
    from libdv._arrays import Int64Array
    from libdv._buffers import BytesLike

_GUESS: Final = 4096


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
    first = _arguments.start_of(start)
    rows = _arguments.length_of(length, first)
    expected = _arguments.expected(expected_cardinality)
    with Lent(data) as lent:

        def fill(address: int | None, size: int) -> None:
            library.check(
                library.dv_blob_keep_mask(lent.address, lent.size, expected, first, rows, address, size),
            )

        return mask_from(first, rows, fill)


def blob_positions(data: BytesLike, expected_cardinality: SupportsIndex | None = None) -> Int64Array:
    """The positions of a ``deletion-vector-v1`` blob, ascending.

    Args:
        data: The blob: anything with a contiguous buffer.
        expected_cardinality: The number of positions that it must hold, known from its manifest entry; ``None``: any.
            Knowing it saves a second pass over a large blob.

    Returns:
        A new ``int64`` NumPy array; an ``array.array('q')`` where NumPy is not installed.

    Raises:
        DvCorrupt: The blob breaks its format.
        DvMismatch: It holds another number of positions.

    Example:
        >>> from libdv import DeletionVector, blob_positions
        >>> blob_positions(DeletionVector([3, 1]).serialize())
        array([1, 3])
    """
    library = native()
    expected = _arguments.expected(expected_cardinality)
    count = c_size_t(_GUESS)
    with Lent(data) as lent:
        while True:
            capacity = count.value
            output = Output("q", capacity)
            status = library.dv_blob_positions(
                lent.address, lent.size, expected, output.address, capacity, byref(count)
            )
            if status != Status.DV_TOO_SMALL:
                library.check(status)
                positions: Int64Array = output.result(count.value)
                return positions
