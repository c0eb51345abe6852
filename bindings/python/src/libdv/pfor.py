"""The PFOR coding of byte arrays, appendix A of the Mumbling format: for those who implement it."""

from __future__ import annotations

from ctypes import byref, c_size_t
from typing import TYPE_CHECKING, NamedTuple, SupportsIndex

from libdv import _arguments
from libdv._abi import INT64_MAX
from libdv._arrays import new_array
from libdv._buffers import Lent, take_bytes
from libdv._loader import native

if TYPE_CHECKING:
    from libdv._buffers import BytesLike


class PforDecoded(NamedTuple):
    """Decoded values.

    Attributes:
        values: One byte per value.
        consumed: How many bytes of the input they took.
    """

    values: bytes
    consumed: int


def pfor_encode(values: BytesLike) -> bytes:
    """Encode unsigned bytes, with the same choices as Iceberg Java.

    Example:
        >>> from libdv import pfor_encode
        >>> pfor_encode(bytes([6, 34, 8, 7])).hex()
        '050006070410'
    """
    library = native()
    with Lent(values) as lent:
        return take_bytes(library, library.mumbling_pfor_encode, lent.address, lent.size)


def pfor_decode(data: BytesLike, count: SupportsIndex) -> PforDecoded:
    """Decode ``count`` values from the start of ``data``; what follows them is ignored.

    Raises:
        DvCorrupt: The bytes break the format, or are too few.

    Example:
        >>> from libdv import pfor_decode
        >>> values, consumed = pfor_decode(bytes.fromhex("3201060901e0"), 4)
        >>> list(values), consumed
        ([6, 34, 8, 7], 6)
    """
    library = native()
    wanted = _arguments.integer(count, "count", 0, INT64_MAX)
    consumed = c_size_t()
    with Lent(data) as lent:
        values, address = new_array("B", wanted)
        library.check(library.mumbling_pfor_decode(lent.address, lent.size, address, wanted, byref(consumed)))
    return PforDecoded(bytes(values), consumed.value)


def pfor_estimate(count: SupportsIndex) -> int:
    """An upper bound of the encoded size of ``count`` values, in bytes."""
    library = native()
    out = c_size_t()
    library.check(library.mumbling_pfor_estimate(_arguments.integer(count, "count", 0, INT64_MAX), byref(out)))
    return out.value
