"""What one would write around pyroaring: blob to mask, blob to positions, positions to blob, union.

The frame is checked with ISA-L's CRC-32, which is faster than zlib's. pyroaring checks no more of a bitmap than that it
stays within its bytes.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

import numpy as np
from isal.isal_zlib import crc32
from pyroaring import BitMap, BitMap64

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

MAGIC = bytes.fromhex("d1d33964")


def payload(blob: bytes) -> memoryview:
    """The 64-bit bitmap in a blob, after the frame is checked."""
    view = memoryview(blob)
    covered = view[4:-4]
    if int.from_bytes(view[:4], "big") != len(covered) or covered[:4] != MAGIC:
        raise ValueError("no deletion vector")
    if crc32(covered) != int.from_bytes(view[-4:], "big"):
        raise ValueError("checksum")
    return covered[4:]


def framed(bitmap: bytes) -> bytes:
    """A blob around a 64-bit bitmap."""
    covered = MAGIC + bitmap
    return b"".join((len(covered).to_bytes(4, "big"), covered, crc32(covered).to_bytes(4, "big")))


def bitmaps(blob: bytes) -> Iterator[tuple[int, BitMap]]:
    """The 32-bit bitmaps of a blob.

    What follows a bitmap can only be found by its size, which pyroaring tells by serialising it again.
    """
    view = payload(blob)
    count, view = int.from_bytes(view[:8], "little"), view[8:]
    for left in range(count, 0, -1):
        key = int.from_bytes(view[:4], "little")
        bitmap = BitMap.deserialize(bytes(view[4:]))
        yield key, bitmap
        view = view[4 + len(bitmap.serialize()) :] if left > 1 else view[:0]


def positions32(blob: bytes) -> npt.NDArray[np.int64]:
    """Positions through the 32-bit bitmaps."""
    parts = []
    for key, bitmap in bitmaps(blob):
        values = np.frombuffer(bitmap.to_array(), dtype=np.uint32).astype(np.int64)
        parts.append(values + (key << 32) if key else values)
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def positions64(blob: bytes) -> npt.NDArray[np.int64]:
    """Positions through the 64-bit bitmap, whose array is the result."""
    return np.frombuffer(BitMap64.deserialize(bytes(payload(blob))).to_array(), dtype=np.int64)


def kept32(blob: bytes, rows: int) -> npt.NDArray[np.bool_]:
    """One bool per row."""
    kept = np.ones(rows, dtype=np.bool_)
    for key, bitmap in bitmaps(blob):
        kept[key << 32 :][np.frombuffer(bitmap.to_array(), dtype=np.uint32)] = False
    return kept


def kept64(blob: bytes, rows: int) -> npt.NDArray[np.bool_]:
    """One bool per row."""
    kept = np.ones(rows, dtype=np.bool_)
    kept[positions64(blob)] = False
    return kept


def packed(kept: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
    """The bit mask, as Arrow has it."""
    return np.packbits(kept, bitorder="little")


def encode32(positions: npt.NDArray[np.int64]) -> bytes:
    """A blob by the 32-bit API, positions below 2**32; an ``array`` is what pyroaring takes in one piece."""
    values = array("I")
    values.frombytes(positions.astype(np.uint32).tobytes())
    return framed((1).to_bytes(8, "little") + bytes(4) + BitMap(values).serialize())


def encode64(positions: npt.NDArray[np.int64]) -> bytes:
    """A blob by the 64-bit API."""
    values = array("Q")
    values.frombytes(positions.tobytes())
    return framed(BitMap64(values).serialize())


def encode_iterable(positions: npt.NDArray[np.int64]) -> bytes:
    """A blob from the NumPy array as it is, which pyroaring takes a value at a time."""
    return framed(BitMap64(positions).serialize())


def merge32(a: bytes, b: bytes) -> bytes:
    """The union of two blobs with key 0 alone."""
    (_, into), (_, other) = next(bitmaps(a)), next(bitmaps(b))
    into |= other
    into.run_optimize()
    return framed((1).to_bytes(8, "little") + bytes(4) + into.serialize())


def merge64(a: bytes, b: bytes) -> bytes:
    """The union of two blobs."""
    into = BitMap64.deserialize(bytes(payload(a)))
    into |= BitMap64.deserialize(bytes(payload(b)))
    into.run_optimize()
    return framed(into.serialize())
