"""Broken inputs: each gets its error or is read, and nothing else happens."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

import libdv
from libdv import DeletionVector, MumblingBitmap, PuffinFile
from tests import golden

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.filterwarnings("ignore::libdv.MissingCardinalityWarning")

Reader = "Callable[[bytes, Any], object]"


def read_blob(data: bytes, run: Any) -> None:
    positions = DeletionVector.deserialize(data, run["card"]).positions()
    assert DeletionVector.view(data, run["card"]).positions().tolist() == positions.tolist()
    assert libdv.blob_positions(data, run["card"]).tolist() == positions.tolist()


def read_puffin(data: bytes, _run: Any) -> None:
    with PuffinFile(data) as puffin:
        for index, blob in enumerate(puffin):
            if blob.type == "deletion-vector-v1":
                vector = puffin.read(index)
                puffin.read_entry(blob.offset, blob.length, len(vector), blob.referenced_data_file or "")


def read_mumbling(data: bytes, _run: Any) -> None:
    with MumblingBitmap(data) as bitmap:
        bitmap.validate()
        bitmap.positions()


READERS: dict[str, Any] = {
    "blob": read_blob,
    "roaring64": lambda data, _run: DeletionVector.from_bitmap(data).positions(),
    "delta": lambda data, run: libdv.read_delta_record(data, run["offset"], run["size"], run["card"]).positions(),
    "puffin": read_puffin,
    "mumbling": read_mumbling,
    "inline": lambda _data, run: DeletionVector.from_delta_inline(run["text"], run["size"], run["card"]).positions(),
}


@pytest.mark.parametrize(
    "pair", [p for kind in READERS for p in golden.hostile(kind)], ids=lambda p: f"{p[1]['kind']}-{p[0]['name']}"
)
def test_hostile(pair: Any) -> None:
    case, run = pair
    data = golden.data(run) if "file" in run else b""
    try:
        READERS[run["kind"]](data, run)
    except libdv.DvError as error:
        assert case["expected"] != "accept", error
        assert isinstance(error, libdv.DvCorrupt | libdv.DvMismatch | libdv.DvUnsupported | libdv.DvInvalidArgument)
        assert error.message
        assert "\n" not in error.message
    else:
        assert case["expected"] != "reject", case["wrong"]


def sample(kind: str) -> tuple[Callable[[bytes], object], bytes]:
    dv = DeletionVector([1, 5, 70_000, *range(100_000, 100_100)])
    if kind == "blob":
        return DeletionVector.deserialize, dv.serialize()
    if kind == "bitmap":
        return DeletionVector.from_bitmap, dv.to_bitmap()
    if kind == "mumbling":
        return lambda data: read_mumbling(data, None), bytes(MumblingBitmap.from_vector(dv).buffer())
    writer = libdv.DVWriter()
    writer.add("a.parquet", dv.positions())
    return lambda data: read_puffin(data, None), writer.flush_to_bytes("x").data


@pytest.mark.parametrize("kind", ["blob", "bitmap", "mumbling", "puffin"])
def test_every_truncation_is_refused(kind: str) -> None:
    read, good = sample(kind)
    read(good)
    for size in range(len(good)):
        with pytest.raises((libdv.DvCorrupt, libdv.DvUnsupported)):
            read(good[:size])


@pytest.mark.parametrize("kind", ["blob", "puffin"])
def test_no_flipped_bit_passes_the_checksum(kind: str) -> None:
    read, good = sample(kind)
    start, end = (0, len(good)) if kind == "blob" else (4, good.index(b"PFA1", 4))
    for bit in random.Random(5).sample(range(start * 8, end * 8), 300):
        broken = bytearray(good)
        broken[bit // 8] ^= 1 << bit % 8
        with pytest.raises(libdv.DvError):
            read(bytes(broken))


def test_a_bitmap_that_announces_four_billion_costs_nothing() -> None:
    with pytest.raises(libdv.DvCorrupt, match="byte"):
        DeletionVector.from_bitmap((2**32).to_bytes(8, "little") + bytes(8))


@pytest.mark.parametrize("expected", [0, 2, 2**62])
def test_another_cardinality_is_a_mismatch(expected: int) -> None:
    blob = DeletionVector([1]).serialize()
    for read in (DeletionVector.deserialize, DeletionVector.view, libdv.blob_positions):
        with pytest.raises(libdv.DvMismatch):
            read(blob, expected)
    with pytest.raises(libdv.DvMismatch):
        libdv.blob_keep_mask(blob, 0, 8, expected)
