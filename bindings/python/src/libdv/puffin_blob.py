"""What a Puffin footer says of one blob."""

from __future__ import annotations

from dataclasses import dataclass

from libdv._abi import UNKNOWN, PuffinBlobStruct


@dataclass(frozen=True)
class PuffinBlob:
    """One blob, as the footer describes it.

    Attributes:
        type: ``"deletion-vector-v1"``, or another type, which is listed and not read.
        compression_codec: ``None``: none.
        referenced_data_file: The property of that name, byte for byte; ``None``: absent.
        cardinality: The property of that name: the number of positions; ``None``: absent.
        offset: Of the first byte, from the start of the file.
        length: In bytes.
        snapshot_id: -1 in a deletion vector.
        sequence_number: -1 in a deletion vector.
    """

    type: str
    compression_codec: str | None
    referenced_data_file: str | None
    cardinality: int | None
    offset: int
    length: int
    snapshot_id: int
    sequence_number: int


def blob_at(place: int) -> PuffinBlob:
    """What the library says of a blob, which it keeps at an address."""
    found = PuffinBlobStruct.from_address(place)
    codec, data_file, cardinality = found.compression_codec, found.referenced_data_file, found.cardinality
    return PuffinBlob(
        found.type.decode(),
        None if codec is None else codec.decode(),
        None if data_file is None else data_file.decode(),
        None if cardinality == UNKNOWN else cardinality,
        found.offset,
        found.length,
        found.snapshot_id,
        found.sequence_number,
    )
