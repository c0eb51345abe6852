"""The stored forms of a vector: Iceberg's blob, the bare bitmap, Delta's inline text."""

from __future__ import annotations

from ctypes import byref, c_int32
from typing import TYPE_CHECKING, NamedTuple, SupportsIndex

from libdv import _abi, _arguments
from libdv._buffers import Lent, drain
from libdv._loader import native
from libdv._vector_base import VectorBase, vector_handle

if TYPE_CHECKING:
    from typing_extensions import Self

    from libdv._buffers import BytesLike


class DeltaInline(NamedTuple):
    """A vector as a Delta log holds it inline.

    Attributes:
        text: ``pathOrInlineDv`` of a descriptor of storage type ``i``: Z85 of magic and bitmap.
        size_in_bytes: ``sizeInBytes``: the length of magic and bitmap, before padding and Z85.
    """

    text: str
    size_in_bytes: int


class VectorCodecs(VectorBase):
    """Bytes to vectors and back."""

    __slots__ = ()

    def serialize(self) -> bytes:
        """The vector as an Iceberg v3 ``deletion-vector-v1`` blob: length, magic, bitmap, CRC-32.

        The bytes depend on the positions alone and are those that Iceberg Java writes. They are also a record of a
        Delta deletion vector file, after its version byte.

        Raises:
            DvLimit: The blob would be 2 GiB or more.

        Example:
            >>> from libdv import DeletionVector
            >>> blob = DeletionVector([1]).serialize()
            >>> blob.hex(" ", -4)
            '00000022 d1d33964 01000000 00000000 00000000 3a300000 01000000 00000000 10000000 0100eebd 85f4'
        """
        return self._take("dv_serialize")

    @classmethod
    def deserialize(cls, data: BytesLike, expected_cardinality: SupportsIndex | None = None) -> Self:
        """Read a ``deletion-vector-v1`` blob. The vector owns its bytes.

        Args:
            data: The blob, no more and no less: anything with a contiguous buffer.
            expected_cardinality: The number of positions that it must hold; ``None``: any.

        Raises:
            DvCorrupt: The blob breaks its format.
            DvMismatch: It holds another number of positions.
            DvUnsupported: It is an encoding that libdv does not read.
        """
        with Lent(data) as lent:
            return cls._make("dv_deserialize", lent.address, lent.size, _arguments.expected(expected_cardinality))

    @classmethod
    def view(cls, data: BytesLike, expected_cardinality: SupportsIndex | None = None) -> Self:
        """Read a ``deletion-vector-v1`` blob in place, without a copy.

        The vector keeps ``data`` alive and locked (a ``bytearray`` cannot be resized, an ``mmap`` not closed) until it
        is closed or collected. The bytes must not change as long. When the vector is first changed it becomes an
        ordinary one.

        Args:
            data: The blob: anything with a contiguous buffer.
            expected_cardinality: The number of positions that it must hold; ``None``: any.

        Raises:
            DvCorrupt: The blob breaks its format.
            DvMismatch: It holds another number of positions.
            DvUnsupported: It is an encoding that libdv does not read.
        """
        library = native()
        lent = Lent(data)
        handle = vector_handle(library, lent)
        expected = _arguments.expected(expected_cardinality)
        library.check(library.dv_view(lent.address, lent.size, expected, handle.out))
        return cls._adopt(handle)

    def to_bitmap(self) -> bytes:
        """The bare 64-bit roaring bitmap in the portable format, as ``pyroaring.BitMap64`` and CRoaring read it.

        Containers are written as they stand: call :meth:`libdv.DeletionVector.run_length_encode` first for the
        smallest.
        """
        return self._take("dv_serialize_bitmap")

    @classmethod
    def from_bitmap(cls, data: BytesLike) -> Self:
        """Read a 64-bit roaring bitmap in the portable format.

        Raises:
            DvCorrupt: The bitmap breaks its format.
            DvUnsupported: It is in another serialisation of roaring bitmaps.
        """
        with Lent(data) as lent:
            return cls._make("dv_deserialize_bitmap", lent.address, lent.size)

    def to_delta_inline(self) -> DeltaInline:
        """The vector as Delta stores small ones in its log.

        Raises:
            DvLimit: It would be too large.

        Example:
            >>> from libdv import DeletionVector
            >>> DeletionVector().to_delta_inline()
            DeltaInline(text='^Bg9^0000000000', size_in_bytes=12)
        """
        out, size = _abi.Bytes(), c_int32()
        self._call("dv_delta_inline_encode", byref(out), byref(size))
        return DeltaInline(drain(self._handle.native, out).decode("ascii"), size.value)

    @classmethod
    def from_delta_inline(
        cls, text: str, size_in_bytes: SupportsIndex | None = None, cardinality: SupportsIndex | None = None
    ) -> Self:
        """Read a vector that a Delta log holds inline.

        Args:
            text: ``pathOrInlineDv`` of the descriptor.
            size_in_bytes: Its ``sizeInBytes``; ``None``: unknown.
            cardinality: The number of positions that it must hold; ``None``: any.

        Raises:
            TypeError: The text is no string.
            DvCorrupt: The text is no Z85, or what it encodes breaks its format.
            DvMismatch: It has another size, or holds another number of positions.
            DvUnsupported: It is of an obsolete form.
        """
        _arguments.instance(text, str, "text")
        encoded = text.encode("utf-8", "surrogatepass")  # what is no Z85 is refused by the library
        size = _arguments.expected32(size_in_bytes, "size_in_bytes")
        expected = _arguments.expected(cardinality, "cardinality")
        return cls._make("dv_delta_inline_decode", encoded, len(encoded), size, expected)
