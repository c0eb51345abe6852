"""Mumbling bitmaps that Iceberg Java confirmed, and PFOR arrays that it wrote."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import libdv
from libdv import DeletionVector, MumblingBitmap
from tests import golden

FILES = golden.files("mumbling-v1")
PFOR = json.loads((golden.GOLDEN / "mumbling/pfor.json").read_bytes())


@pytest.mark.parametrize("entry", FILES, ids=golden.name)
def test_a_bitmap(entry: Any) -> None:
    data, expected = golden.data(entry), golden.positions(entry)
    with MumblingBitmap(data) as bitmap:
        bitmap.validate()
        assert len(bitmap) == len(expected)
        positions = bitmap.positions()
        assert positions.dtype == np.int32
        np.testing.assert_array_equal(positions, expected)
        kept = np.ones(2_097_152, dtype=bool)
        kept[expected] = False
        np.testing.assert_array_equal(bitmap.keep_mask(0, len(kept)).to_numpy(), kept)
        np.testing.assert_array_equal(bitmap.keep_mask(77, 1000).to_numpy(), kept[77:1077])
        probes = np.arange(0, len(kept), 97, dtype=np.int32)
        np.testing.assert_array_equal(bitmap.contains_many(probes), ~kept[probes])
        assert bytes(bitmap.buffer()) == data
        assert bitmap.to_vector() == DeletionVector(expected)


@pytest.mark.parametrize("entry", FILES, ids=golden.name)
def test_a_vector_there_and_back(entry: Any) -> None:
    vector = DeletionVector(golden.positions(entry))
    bitmap = MumblingBitmap.from_vector(vector)
    bitmap.validate()
    assert bitmap.to_vector() == vector
    assert len(bitmap.buffer()) <= entry["bytes"]


@pytest.mark.parametrize("case", PFOR["encode"], ids=lambda c: c["label"])
def test_pfor_is_javas(case: Any) -> None:
    values, encoded = bytes(case["values"]), bytes.fromhex(case["hex"])
    assert libdv.pfor_encode(values) == encoded
    assert libdv.pfor_decode(encoded + b"more", len(values)) == (values, len(encoded))
    assert len(encoded) <= libdv.pfor_estimate(len(values))


@pytest.mark.parametrize("case", PFOR["decode"], ids=lambda c: c["label"])
def test_pfor_that_no_encoder_writes(case: Any) -> None:
    data = bytes.fromhex(case["hex"])
    if case["verdicts"]["iceberg-java"] == "accept" and "values" in case:
        assert list(libdv.pfor_decode(data, case["count"]).values) == case["values"]
        return
    try:
        values, consumed = libdv.pfor_decode(data, case["count"])
    except libdv.DvCorrupt as error:
        assert "byte" in error.message
    else:
        assert len(values) == case["count"]
        assert consumed <= len(data)
