"""Delta's files, inline vectors and descriptors that delta_kernel and Delta's Java code wrote."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import libdv
from libdv import DeletionVector, DeltaDescriptor, DeltaDVWriter, Sink
from tests import golden

FILES = golden.files("delta-dv-file")
VECTORS = [(entry, dv) for entry in FILES for dv in entry["dvs"]]
INLINE = json.loads((golden.GOLDEN / "delta/inline.json").read_bytes())["vectors"]
DESCRIPTORS = json.loads((golden.GOLDEN / "delta/descriptors.json").read_bytes())["descriptors"]


def is_native(entry: Any) -> bool:
    """Whether it is in the older form, which is named and not read."""
    return "native" in entry["file"]


@pytest.mark.parametrize(
    ("entry", "dv"), VECTORS, ids=[f"{entry['file']}-{dv['set']}-{dv['offset']}" for entry, dv in VECTORS]
)
def test_a_vector_of_a_file(entry: Any, dv: Any) -> None:
    data = golden.data(entry)
    where = dv["offset"], dv["sizeInBytes"], dv["cardinality"]
    if is_native(entry):
        with pytest.raises(libdv.DvUnsupported):
            libdv.read_delta_record(data, *where)
        return
    expected = golden.positions(dv)
    np.testing.assert_array_equal(libdv.read_delta_record(data, *where).positions(), expected)
    np.testing.assert_array_equal(libdv.read_delta_record(data, dv["offset"]).positions(), expected)
    # A record is an Iceberg blob.
    blob = libdv.read_range(data, dv["offset"], dv["sizeInBytes"] + 8, dv["cardinality"])
    np.testing.assert_array_equal(blob.positions(), expected)


def written_alike(entry: Any) -> bool:
    """Whether its writer encodes as we do: in the smallest form, and without empty bitmaps."""
    smallest = "spark" in entry["file"] and "not_run" not in entry["file"] and not is_native(entry)
    return smallest and not any(dv["structure"]["empty_bitmaps"] for dv in entry["dvs"])


@pytest.mark.parametrize("entry", [e for e in FILES if written_alike(e)], ids=golden.name)
def test_our_file_is_sparks(entry: Any) -> None:
    sink = Sink.memory()
    with DeltaDVWriter(sink) as writer:
        results = [writer.write(DeletionVector(golden.positions(dv))) for dv in entry["dvs"]]
    assert sink.take() == golden.data(entry)
    assert results == [(dv["cardinality"], dv["offset"], dv["sizeInBytes"]) for dv in entry["dvs"]]


@pytest.mark.parametrize("vector", INLINE, ids=lambda v: f"{v['set']}-{v['magic']}")
def test_an_inline_vector(vector: Any) -> None:
    arguments = vector["pathOrInlineDv"], vector["sizeInBytes"], vector["cardinality"]
    if vector["magic"] == "native":
        with pytest.raises(libdv.DvUnsupported):
            DeletionVector.from_delta_inline(*arguments)
        return
    parts = [np.arange(start, end) for start, end in vector["positions"]["ranges"]]
    dv = DeletionVector.from_delta_inline(*arguments)
    np.testing.assert_array_equal(dv.positions(), np.concatenate(parts) if parts else [])
    descriptor = DeltaDescriptor.from_dict(
        {k: vector[k] for k in ("storageType", "pathOrInlineDv", "sizeInBytes", "cardinality")}
    )
    assert descriptor.unique_id == vector["uniqueId"]
    assert descriptor.path == ""
    assert descriptor.read() == dv


def test_the_inline_vector_of_the_documents() -> None:
    text = "^Bg9^0rr910000000000iXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L"
    dv = DeletionVector([3, 4, 7, 11, 18, 29])
    assert dv.to_delta_inline() == (text, 44)
    assert DeletionVector.from_delta_inline(text, 44, 6) == dv
    assert DeletionVector.from_delta_inline(text) == dv


def relative_path(entry: Any) -> str:
    absolute: str = entry["delta-spark"]["absolutePath"]
    return absolute.removeprefix(f"{entry['table']}/")


GOOD = [d for d in DESCRIPTORS if "error" not in d["delta_kernel"]]


@pytest.mark.parametrize("entry", GOOD, ids=lambda e: e["label"])
def test_a_descriptor(entry: Any) -> None:
    members = ("storageType", "pathOrInlineDv", "offset", "sizeInBytes", "cardinality")
    value = {name: entry[name] for name in members if entry.get(name) is not None}
    descriptor = DeltaDescriptor.from_dict(value)
    assert descriptor.to_dict() == value
    assert DeltaDescriptor.from_json(json.dumps({**value, "unknown": [1]})) == descriptor
    assert descriptor.unique_id == entry["delta_kernel"]["uniqueId"]
    assert descriptor.path == (relative_path(entry) if value["storageType"] == "u" else value["pathOrInlineDv"])
    if value["storageType"] == "u" and "offset" in value:
        result = libdv.DeltaResult(value["cardinality"], value["offset"], value["sizeInBytes"])
        assert DeltaDescriptor.for_file(descriptor.path, result) == descriptor


@pytest.mark.parametrize("entry", [d for d in DESCRIPTORS if d not in GOOD], ids=lambda e: e["label"])
def test_a_bad_descriptor(entry: Any) -> None:
    members = ("storageType", "pathOrInlineDv", "offset", "sizeInBytes", "cardinality")
    value = {name: entry[name] for name in members if entry.get(name) is not None}
    with pytest.raises(libdv.DvError) as info:
        DeltaDescriptor.from_dict(value)
    assert (info.type is libdv.DvUnsupported) == (entry["label"] == "unknown type")


def test_there_is_enough_to_see() -> None:
    assert len(VECTORS) > 40
    assert sum(written_alike(entry) for entry in FILES) >= 3
    assert len(INLINE) >= 16
    assert len(GOOD) >= 18
