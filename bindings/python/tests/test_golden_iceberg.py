"""Iceberg's blobs, Puffin files and bitmaps that Java, Go, Rust and pyroaring wrote: read, and written again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import libdv
from libdv import DeletionVector, PuffinFile
from tests import golden

BLOBS = golden.files("iceberg-dv-blob")
PUFFINS = golden.files("puffin")
BITMAPS = golden.files("roaring64-portable")


@pytest.mark.parametrize("entry", BLOBS, ids=golden.name)
@pytest.mark.parametrize("read", [DeletionVector.deserialize, DeletionVector.view], ids=["copy", "view"])
def test_a_blob_has_its_positions(entry: Any, read: Any) -> None:
    blob, expected = golden.data(entry), golden.positions(entry)
    with read(blob, entry["cardinality"]) as dv:
        np.testing.assert_array_equal(dv.positions(), expected)
        assert len(dv) == len(expected) == entry["cardinality"]
        assert dv == DeletionVector(expected)


@pytest.mark.parametrize("entry", BLOBS, ids=golden.name)
def test_a_blob_straight_to_positions_and_mask(entry: Any) -> None:
    blob, expected = golden.data(entry), golden.positions(entry)
    np.testing.assert_array_equal(libdv.blob_positions(blob), expected)
    np.testing.assert_array_equal(libdv.blob_positions(blob, len(expected)), expected)
    kept = np.ones(200_000, dtype=bool)
    kept[expected[expected < 200_000]] = False
    np.testing.assert_array_equal(libdv.blob_keep_mask(blob, 0, 200_000).to_numpy(), kept)


def written_as_java_writes(entry: Any) -> bool:
    """Whether Java added the positions one by one, with no key missing in between, or to the same effect."""
    structure = entry["structure"]
    return not structure["empty_bitmaps"] and entry["file"].startswith("iceberg/") and "/go/" not in entry["file"]


@pytest.mark.parametrize("entry", [e for e in BLOBS if written_as_java_writes(e)], ids=golden.name)
def test_our_bytes_are_javas(entry: Any) -> None:
    one_by_one = next((e for e in BLOBS if e["file"] == entry["file"].replace(".dv", ".onebyone.dv")), entry)
    ours = DeletionVector(golden.positions(entry)).serialize()
    assert ours == golden.data(one_by_one)


@pytest.mark.parametrize("entry", PUFFINS, ids=golden.name)
def test_a_puffin_file_lists_its_blobs(entry: Any) -> None:
    with PuffinFile(golden.data(entry)) as puffin:
        assert puffin.footer.get("properties") == entry["footer_properties"]
        assert len(puffin) == len(entry["blobs"])
        for blob, expected in zip(puffin, entry["blobs"], strict=True):
            properties = expected["properties"] or {}
            assert blob.type == expected["type"]
            assert (blob.offset, blob.length) == (expected["offset"], expected["length"])
            assert (blob.snapshot_id, blob.sequence_number) == (expected["snapshot-id"], expected["sequence-number"])
            assert blob.compression_codec == expected["compression-codec"]
            assert blob.referenced_data_file == properties.get("referenced-data-file")
            assert blob.cardinality == (int(properties["cardinality"]) if "cardinality" in properties else None)


@pytest.mark.parametrize("entry", PUFFINS, ids=golden.name)
@pytest.mark.filterwarnings("ignore::libdv.MissingCardinalityWarning")
def test_the_vectors_of_a_puffin_file(entry: Any) -> None:
    data = golden.data(entry)
    with PuffinFile(data) as puffin:
        for index, expected in enumerate(entry["blobs"]):
            if expected["type"] != "deletion-vector-v1":
                with pytest.raises(libdv.DvMismatch):
                    puffin.read(index)
                continue
            if expected["compression-codec"]:
                with pytest.raises(libdv.DvUnsupported):
                    puffin.read(index)
                continue
            positions = golden.positions(expected)
            range_ = expected["offset"], expected["length"]
            where = *range_, len(positions), expected["properties"]["referenced-data-file"]
            for dv in (
                puffin.read(index),
                puffin.read_entry(*where),
                libdv.read_dv(data, *where),
                libdv.read_range(data, *range_, len(positions)),
            ):
                np.testing.assert_array_equal(dv.positions(), positions)


@pytest.mark.parametrize("entry", BITMAPS, ids=golden.name)
def test_a_bare_bitmap(entry: Any) -> None:
    dv = DeletionVector.from_bitmap(golden.data(entry))
    expected = golden.positions(entry)
    np.testing.assert_array_equal(dv.positions(), expected)
    assert DeletionVector.from_bitmap(dv.to_bitmap()) == DeletionVector(expected)


def test_there_is_enough_to_see() -> None:
    assert (len(BLOBS), len(PUFFINS), len(BITMAPS)) >= (40, 49, 24)
    assert sum(written_as_java_writes(entry) for entry in BLOBS) >= 25
