"""pyiceberg reads what libdv writes, and libdv what pyiceberg's readers take."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pyiceberg.table.deletion_vector import deletion_vectors_from_puffin_file
from pyiceberg.table.puffin import PuffinFile as PeerFile

import libdv
from libdv import DeletionVector, DVWriter, PuffinFile
from tests import golden

SHAPES = {
    "one": [5],
    "sparse": list(range(0, 1_000_000, 997)),
    "dense": sorted(set(range(0, 200_000, 2)) | {200_003}),
    "runs": [*range(100), *range(65_500, 140_000), *range(300_000, 300_700)],
    "keys": [1, 2**32 + 7, 2**33 + 1],
    "full": list(range(65_536)),
}


def test_pyiceberg_reads_our_files() -> None:
    with DVWriter() as writer:
        for name, positions in SHAPES.items():
            writer.add(f"s3://b/{name}.parquet", positions)
        data, entries = writer.flush_to_bytes("s3://b/deletes.puffin")
    peer = PeerFile(data)
    for blob, entry in zip(peer.footer.blobs, entries, strict=True):
        assert (blob.offset, blob.length) == (entry["content-offset"], entry["content-size-in-bytes"])
    vectors = {dv.referenced_data_file: dv.to_vector() for dv in deletion_vectors_from_puffin_file(peer)}
    assert list(vectors) == [f"s3://b/{name}.parquet" for name in SHAPES]
    for name, positions in SHAPES.items():
        assert vectors[f"s3://b/{name}.parquet"].to_pylist() == positions


def pyiceberg_reads(entry: Any) -> bool:
    """It fails on other blobs, on empty vectors, and on gaps in the keys, which it fills."""
    for blob in entry["blobs"]:
        if blob["type"] != "deletion-vector-v1" or blob["compression-codec"] or not blob["cardinality"]:
            return False
        keys = set((golden.positions(blob) >> 32).tolist())
        if keys != set(range(len(keys))):
            return False
    return True


READABLE = [entry for entry in golden.files("puffin") if pyiceberg_reads(entry)]


@pytest.mark.parametrize("entry", READABLE, ids=golden.name)
def test_pyiceberg_and_libdv_read_the_same_from_javas_files(entry: Any) -> None:
    data = golden.data(entry)
    peers = {dv.referenced_data_file: dv.to_vector() for dv in deletion_vectors_from_puffin_file(PeerFile(data))}
    with PuffinFile(data) as puffin:
        ours = {blob.referenced_data_file or "": puffin.read(index) for index, blob in enumerate(puffin)}
    assert set(peers) == set(ours)
    for name, dv in ours.items():
        np.testing.assert_array_equal(peers[name].to_numpy(), dv.positions())


def test_there_is_enough_to_see() -> None:
    assert len(READABLE) >= 30


def test_what_pyiceberg_lets_through() -> None:
    """A truncated blob is no deletes there: the class of fault that this library refuses."""
    blob = DeletionVector([1, 2, 3]).serialize()
    for size in range(len(blob)):
        with pytest.raises(libdv.DvCorrupt):
            DeletionVector.deserialize(blob[:size])
