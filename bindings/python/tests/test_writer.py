"""Writing deletes into Iceberg tables."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

import libdv
from libdv import DeletionVector, DVWriter, PuffinFile

SPECS: list[dict[str, Any]] = [
    {"spec-id": 0, "fields": []},
    {
        "spec-id": 3,
        "fields": [
            {"name": "day", "transform": "day", "source-id": 1, "field-id": 1000},
            {"name": "price", "transform": "identity", "source-id": 2, "field-id": 1001},
        ],
    },
]


def test_one_blob_per_data_file_in_the_order_of_first_adds() -> None:
    with DVWriter() as writer:
        writer.add("b", [5, 1])
        writer.add("a", np.array([7]))
        writer.add("b", range(2, 4))
        writer.add("nothing", [])
        data, entries = writer.flush_to_bytes("s3://bucket/x.puffin")
    assert [(e["referenced-data-file"], e["record-count"]) for e in entries] == [("b", 4), ("a", 1)]
    with PuffinFile(data) as puffin:
        assert [blob.referenced_data_file for blob in puffin] == ["b", "a"]
        assert puffin.footer["properties"]["created-by"]
        for entry, expected in zip(entries, ([1, 2, 3, 5], [7]), strict=True):
            dv = libdv.read_dv(
                data,
                entry["content-offset"],
                entry["content-size-in-bytes"],
                entry["record-count"],
                entry["referenced-data-file"],
            )
            assert list(dv) == expected


def test_an_entry_has_the_form_of_a_content_file() -> None:
    with DVWriter() as writer:
        writer.add("s3://b/a.parquet", [1])
        data, entries = writer.flush_to_bytes("s3://b/x.puffin")
    assert entries == [
        {
            "spec-id": 0,
            "content": "position-deletes",
            "file-path": "s3://b/x.puffin",
            "file-format": "puffin",
            "partition": [],
            "file-size-in-bytes": len(data),
            "record-count": 1,
            "referenced-data-file": "s3://b/a.parquet",
            "content-offset": 4,
            "content-size-in-bytes": 42,
        }
    ]
    assert json.loads(entries.json) == entries


def test_a_writer_is_used_again() -> None:
    with DVWriter() as writer:
        writer.add("a", [1])
        assert len(writer.flush_to_bytes("x").entries) == 1
        assert writer.flush_to_bytes("x") == (b"", [])
        writer.add("b", [2])
        assert [e["referenced-data-file"] for e in writer.flush_to_bytes("x").entries] == ["b"]


def test_a_loaded_vector_is_merged() -> None:
    with DVWriter() as writer, DeletionVector([1, 2]) as existing:
        writer.load("a", existing)
        existing.add(99)  # it was copied
        writer.add("a", [2, 3])
        data, [entry] = writer.flush_to_bytes("x")
        writer.load("a", DeletionVector())
        assert writer.flush_to_bytes("x").entries == []
    assert entry["record-count"] == 3
    assert list(PuffinFile(data).read(0)) == [1, 2, 3]


@pytest.mark.parametrize(
    ("partition", "expected"),
    [
        ({1000: "2022-01-08", 1001: "14.20"}, ["2022-01-08", "14.20"]),
        ({"1001": None, "1000": None}, [None, None]),
        (["2022-01-08", "14.20"], ["2022-01-08", "14.20"]),
        ('{"1001": 1.10, "1000": 19000}', [19000, 1.1]),
        ("[1e2, -0.0]", [100.0, -0.0]),
    ],
)
def test_partitions(partition: Any, expected: list[Any]) -> None:
    with DVWriter(SPECS) as writer:
        writer.add("a", [1], spec_id=3, partition=partition)
        writer.load("b", DeletionVector([1]), 3, partition)
        entries = writer.flush_to_bytes("x").entries
    assert [(entry["spec-id"], entry["partition"]) for entry in entries] == [(3, expected)] * 2


def test_partition_values_are_copied_verbatim() -> None:
    with DVWriter(SPECS) as writer:
        writer.add("a", [1], spec_id=3, partition="[123456789012345678901234567890, 1.10e-2]")
        entries = writer.flush_to_bytes("x").entries
    assert "123456789012345678901234567890" in entries.json
    assert "1.10e-2" in entries.json


@pytest.mark.parametrize(
    ("spec_id", "partition"),
    [
        (1, None),
        (3, None),
        (3, {}),
        (3, {1000: 1}),
        (3, {1000: 1, 1001: 2, 1002: 3}),
        (3, [1]),
        (3, "no json"),
        (3, {1000: Decimal(1), 1001: None}),
        (3, {1000: float("nan"), 1001: None}),
        (3, '["\0", 1]'),
        (0, [1]),
        (2**31, None),
        (-(2**31) - 1, None),
    ],
)
def test_partitions_that_do_not_fit(spec_id: int, partition: Any) -> None:
    with DVWriter(SPECS) as writer:
        with pytest.raises(libdv.DvInvalidArgument):
            writer.add("a", [1], spec_id, partition)
        with pytest.raises(libdv.DvInvalidArgument):
            writer.load("a", DeletionVector([1]), spec_id, partition)
        assert writer.flush_to_bytes("x").entries == []


@pytest.mark.parametrize("metadata", [{"partition-specs": SPECS}, json.dumps({"partition-specs": SPECS})])
def test_specs_from_table_metadata(metadata: Any) -> None:
    for made in (DVWriter.from_table_metadata(metadata), DVWriter(json.dumps(SPECS))):
        with made as writer:
            writer.add("a", [1], 3, [None, None])
            assert writer.flush_to_bytes("x").entries[0]["spec-id"] == 3


NO_SPECS = [{"partition-specs": None}, '{"partition-specs": null}', {"partition-specs": "[]"}, {"partition-specs": {}}]


@pytest.mark.parametrize("metadata", [{}, "{}", "[]", "no json", b"\xff", "5", [1], {"partition-specs": 5}, *NO_SPECS])
def test_metadata_without_specs(metadata: Any) -> None:
    with pytest.raises(libdv.DvInvalidArgument):
        DVWriter.from_table_metadata(metadata)


@pytest.mark.parametrize("positions", [[-1], [1, libdv.MAX_POSITION + 1], [2**70]])
def test_bad_positions_add_nothing(positions: list[int]) -> None:
    with DVWriter() as writer:
        with pytest.raises(libdv.DvInvalidArgument):
            writer.add("a", positions)
        assert writer.flush_to_bytes("x").entries == []


@pytest.mark.parametrize(
    ("name", "error"), [("a\0b", libdv.DvInvalidArgument), ("\ud800", libdv.DvInvalidArgument), (5, TypeError)]
)
def test_bad_names(name: Any, error: type[Exception]) -> None:
    with DVWriter() as writer:
        with pytest.raises(error):
            writer.add(name, [1])
        writer.add("a", [1])
        with pytest.raises(error):
            writer.flush_to_bytes(name)


def test_names_are_kept_byte_for_byte() -> None:
    name = 's3://b/täble/ "quoted" \\ \n \U0001f600.parquet'
    with DVWriter() as writer:
        writer.add(name, [1])
        data, [entry] = writer.flush_to_bytes(name)
    assert (entry["file-path"], entry["referenced-data-file"]) == (name, name)
    assert PuffinFile(data)[0].referenced_data_file == name
