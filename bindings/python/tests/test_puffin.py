"""Puffin files and manifest entries."""

from __future__ import annotations

import json
from typing import Any

import pytest

import libdv
from libdv import DVWriter, PuffinBlob, PuffinFile
from tests import golden


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


def test_the_index_of_no_blob(data: bytes) -> None:
    with PuffinFile(data) as puffin:
        reads: list[Any] = [puffin.read, puffin.__getitem__, lambda index: puffin.keep_masks(9, [index])]
        for read in reads:
            for outside in (3, -4, 7, 2**70):
                with pytest.raises(IndexError, match=rf"^there is no blob {outside}: the Puffin file has 3$"):
                    read(outside)
            for wrong in ("1", 1.0, None, *([] if read == puffin.__getitem__ else [slice(1)])):
                name = type(wrong).__name__
                with pytest.raises(TypeError, match=rf"^the index of a blob must be an integer, not {name}$"):
                    read(wrong)
        assert puffin[True] is puffin[1]
        assert puffin[:] == tuple(puffin)


def test_a_closed_file_is_named(data: bytes) -> None:
    puffin = PuffinFile(data)
    late = puffin.keep_masks(9)
    puffin.close()
    uses: list[Any] = [
        lambda: next(late),
        lambda: puffin.keep_masks(9),
        lambda: puffin.read(0),
        lambda: puffin.read_entry(4, 42, 1, "0.parquet"),
    ]
    for use in uses:
        with pytest.raises(libdv.DvState, match=r"^this PuffinFile is closed$"):
            use()


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
