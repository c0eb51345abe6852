"""Puffin files and manifest entries."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import pytest

import libdv
from libdv import DVWriter, PuffinBlob, PuffinFile, Source
from tests import golden
from tests.processes import python


@pytest.fixture(scope="module")
def data() -> bytes:
    writer = DVWriter()
    for number in range(3):
        writer.add(f"{number}.parquet", range(number + 1))
    return writer.flush_to_bytes("x").data


def test_a_file_is_a_sequence_of_its_blobs(data: bytes) -> None:
    with PuffinFile(data) as puffin:
        assert len(puffin) == 3
        assert puffin[0] == PuffinBlob("deletion-vector-v1", None, "0.parquet", 1, 4, 42, -1, -1)
        assert puffin[-1].referenced_data_file == "2.parquet"
        assert [blob.cardinality for blob in puffin] == [1, 2, 3]
        assert puffin[1:] == tuple(puffin)[1:]
        assert puffin[1] in puffin
        with pytest.raises(IndexError):
            puffin[3]
        assert repr(puffin) == "<libdv.PuffinFile: 3 blobs>"
    assert repr(puffin) == "<libdv.PuffinFile: 3 blobs, closed>"


def test_reading_by_index(data: bytes) -> None:
    with PuffinFile(data) as puffin:
        assert list(puffin.read(2)) == list(puffin.read(-1)) == [0, 1, 2]
        for outside in (3, -4, 2**70):
            with pytest.raises(IndexError):
                puffin.read(outside)


LENGTHS = [
    [9, 9, 9],
    [0, 0, 0],
    [1, 2, 3],
    [0, 70_000, 1],
    [513, 512, 511],
    (5, 0, 8),
    range(7, 10),
    np.array([1, 600, 9]),
]


@pytest.mark.parametrize("lengths", LENGTHS, ids=str)
def test_all_masks(data: bytes, lengths: Any) -> None:
    """The same as by way of the vectors, whatever the source is."""
    with Source(data) as kept:
        for source in (data, io.BytesIO(data), kept):
            before = libdv.live_handles()
            with PuffinFile(source) as puffin:
                masks = list(puffin.keep_masks(lengths))
                assert [len(mask) for mask in masks] == list(lengths)
                for index, mask in enumerate(masks):
                    assert mask == puffin.read(index).keep_mask(0, len(mask))
                    with pytest.raises(ValueError, match="WRITEABLE"):
                        mask.to_packed_numpy().flags.writeable = True
            assert libdv.live_handles() == before
            assert [list(mask) for mask in masks] == [
                [row > index for row in range(length)] for index, length in enumerate(lengths)
            ]


def test_masks_of_one_length(data: bytes) -> None:
    with PuffinFile(data) as puffin:
        masks = list(puffin.keep_masks(100))
        assert [mask.count() for mask in masks] == [99, 98, 97]
        assert [mask.to_arrow().null_count for mask in masks] == [0, 0, 0]
        arrays = [mask.to_packed_numpy() for mask in puffin.keep_masks(np.int64(100))]
    assert [int(bits[0]) for bits in arrays] == [0b11111110, 0b11111100, 0b11111000]
    assert not any(np.shares_memory(a, b) for a in arrays for b in arrays if a is not b)


@pytest.mark.parametrize("pages", ["huge", "small"])
def test_masks_of_more_than_one_piece_of_memory(pages: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if pages == "small":  # another system
        monkeypatch.setattr(libdv.mask, "huge_memory", lambda _size: None)
    rows = [100, 40_000_000, 9, 0, 20_000_000, 12_000_000, 3]
    with DVWriter() as writer:
        for number in range(len(rows)):
            writer.add(str(number), [number, 1_000_000])
        data = writer.flush_to_bytes("x").data
    with PuffinFile(data) as puffin:
        for index, mask in enumerate(puffin.keep_masks(rows)):
            assert mask.count() == rows[index] - (rows[index] > index) - (rows[index] > 1_000_000)
            assert mask == puffin.read(index).keep_mask(0, rows[index])
            with pytest.raises(ValueError, match="WRITEABLE"):
                mask.to_packed_numpy().flags.writeable = True
            assert mask.buffer.readonly


def test_masks_that_no_memory_can_hold(data: bytes) -> None:
    before = libdv.live_handles()
    with PuffinFile(data) as puffin:
        for rows in (2**50, 2**62, 2**63 - 1):
            with pytest.raises(MemoryError):
                list(puffin.keep_masks([1, rows, 1]))
    assert libdv.live_handles() == before


def test_memory_of_masks_is_given_back() -> None:
    python(
        """
        from pathlib import Path
        from libdv import DVWriter, PuffinFile

        def mapped():
            return int(Path("/proc/self/statm").read_text().split()[0]) * 4096

        with DVWriter() as writer:
            for number in range(20):
                writer.add(str(number), [number])
            data = writer.flush_to_bytes("x").data
        with PuffinFile(data) as puffin:
            kept = list(puffin.keep_masks(8_000_000))[7]
            before = mapped()
            for _ in range(40):
                for mask in puffin.keep_masks(8_000_000):
                    pass
            assert mapped() - before < 100 << 20
            assert kept.count() == 7_999_999 and not kept[7]
        """
    )


def test_masks_of_what_is_no_vector(data: bytes) -> None:
    damaged = bytearray(data)
    damaged[PuffinFile(data)[1].offset + 9] ^= 1
    before = libdv.live_handles()
    for source in (damaged, io.BytesIO(damaged)):
        with PuffinFile(source) as puffin:
            with pytest.raises(libdv.DvCorrupt) as by_vector:
                puffin.read(1)
            masks = puffin.keep_masks(9)
            assert next(masks).count() == 8
            with pytest.raises(libdv.DvCorrupt) as by_mask:
                next(masks)
            assert str(by_mask.value) == str(by_vector.value)
            assert list(masks) == []
    assert libdv.live_handles() == before


@pytest.mark.parametrize("lengths", [[], [1, 2], [1, 2, 3, 4], -1, 2**63, [1, -1, 1], [1, 1, 2**64]], ids=str)
def test_lengths_that_do_not_fit(data: bytes, lengths: Any) -> None:
    with PuffinFile(data) as puffin, pytest.raises(libdv.DvInvalidArgument):
        puffin.keep_masks(lengths)  # at once, not when the first mask is asked for


@pytest.mark.parametrize("lengths", [None, 1.5, "123", [1, 2, "3"]], ids=str)
def test_lengths_that_are_no_integers(data: bytes, lengths: Any) -> None:
    with PuffinFile(data) as puffin, pytest.raises(TypeError):
        puffin.keep_masks(lengths)


def test_an_iteration_that_has_begun_outlives_its_file(data: bytes) -> None:
    before = libdv.live_handles()
    puffin = PuffinFile(data)
    begun, late = puffin.keep_masks(9), puffin.keep_masks(9)
    assert next(begun).count() == 8
    puffin.close()
    with pytest.raises(libdv.DvState):
        next(late)
    assert [mask.count() for mask in begun] == [7, 6]
    assert libdv.live_handles() == before
    puffin = PuffinFile(data)
    given_up = puffin.keep_masks(9)
    next(given_up)
    puffin.close()
    del given_up
    assert libdv.live_handles() == before


def test_blobs_are_what_they_were_whenever_they_are_asked_for(data: bytes) -> None:
    puffin = PuffinFile(data)
    last = puffin[2]
    blobs = [puffin[index] for index in (0, 1, 2)]
    assert blobs[2] is last is puffin[-1]
    puffin.close()
    assert [blob.referenced_data_file for blob in blobs] == ["0.parquet", "1.parquet", "2.parquet"]
    with pytest.raises(libdv.DvState):
        puffin[0]


def test_the_footer(data: bytes) -> None:
    with PuffinFile(data) as puffin:
        assert puffin.footer == json.loads(puffin.footer_json)
        assert puffin.footer["blobs"][0]["fields"] == [2147483645]
        assert puffin.footer_json in data


def test_vectors_outlive_their_file(data: bytes) -> None:
    puffin = PuffinFile(data)
    dv = puffin.read(1)
    puffin.close()
    assert list(dv) == [0, 1]


@pytest.mark.parametrize(
    "change",
    [
        {"content_offset": 5},
        {"content_size": 41},
        {"record_count": 2},
        {"record_count": 0},
        {"referenced_data_file": "x"},
    ],
    ids=str,
)
def test_an_entry_that_says_something_else(data: bytes, change: dict[str, Any]) -> None:
    entry: dict[str, Any] = {
        "content_offset": 4,
        "content_size": 42,
        "record_count": 1,
        "referenced_data_file": "0.parquet",
    }
    with PuffinFile(data) as puffin:
        assert list(puffin.read_entry(**entry)) == list(libdv.read_dv(data, **entry)) == [0]
        with pytest.raises(libdv.DvMismatch):
            puffin.read_entry(**{**entry, **change})
    with pytest.raises(libdv.DvMismatch):
        libdv.read_dv(data, **{**entry, **change})


@pytest.mark.parametrize("bad", [(-1, 42, 1), (4, -1, 1), (4, 42, -1), (2**63, 42, 1), (4, 2**64, 1)])
def test_numbers_that_an_entry_cannot_hold(data: bytes, bad: tuple[int, int, int]) -> None:
    with pytest.raises(libdv.DvInvalidArgument):
        libdv.read_dv(data, *bad, "0.parquet")
    with pytest.raises(libdv.DvInvalidArgument):
        libdv.read_range(data, bad[0], bad[1], bad[2])


def test_a_missing_cardinality_is_a_warning() -> None:
    [entry] = [e for e in golden.files("puffin") if "without_cardinality" in e["file"]]
    data, [blob] = golden.data(entry), entry["blobs"]
    where = blob["offset"], blob["length"], len(golden.positions(blob)), blob["properties"]["referenced-data-file"]
    with pytest.warns(libdv.MissingCardinalityWarning, match="no cardinality") as caught:
        libdv.read_dv(data, *where)
    assert caught[0].filename == __file__
    with PuffinFile(data) as puffin:
        assert puffin[0].cardinality is None
        with pytest.warns(libdv.MissingCardinalityWarning) as caught:
            puffin.read_entry(*where)
        assert caught[0].filename == __file__


def test_a_range_needs_no_file_around_it() -> None:
    blob = libdv.DeletionVector([3]).serialize()
    assert list(libdv.read_range(b"head" + blob + b"tail", 4, len(blob), 1)) == [3]
    with pytest.raises(libdv.DvMismatch):
        libdv.read_range(blob, 0, len(blob), 2)
    for offset, size in ((1, len(blob)), (0, len(blob) - 1), (10**9, 20)):
        with pytest.raises(libdv.DvCorrupt):
            libdv.read_range(blob, offset, size)


def test_entries_of_files_that_are_no_puffin_file() -> None:
    blob = libdv.DeletionVector([3]).serialize()
    with pytest.raises(libdv.DvCorrupt, match="dv_read_range"):
        libdv.read_dv(blob, 0, len(blob), 1, "a")
