"""Delete rows of an Iceberg v3 table, delete more, and filter a scan.

usage: iceberg.py DIRECTORY   (an empty one; the Puffin files go there)
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from libdv import DVWriter, read_dv

if TYPE_CHECKING:
    from typing import Any

    from libdv import DeletionVector

DATA_FILE = "s3://lake/t/data/a.parquet"


# [delete]
def delete_rows(path: Path, location: str, rows: list[int], previous: DeletionVector | None = None) -> dict[str, Any]:
    """Delete rows, on top of those that are deleted already, and return the manifest entry."""
    with DVWriter() as writer:  # DVWriter.from_table_metadata(...) for a partitioned table
        writer.add(DATA_FILE, rows)
        if previous is not None:
            writer.load(DATA_FILE, previous)
        entries = writer.flush(path, location)  # the file appears whole, or not at all
    print(entries.json)  # content files, as a REST catalog takes them
    return entries[0]


# [delete]


# [read]
def read_vector(path: Path, entry: dict[str, Any]) -> DeletionVector:
    """Read the vector that a manifest entry points at; it is checked against the entry and the file's footer."""
    return read_dv(
        path,
        entry["content-offset"],
        entry["content-size-in-bytes"],
        entry["record-count"],
        entry["referenced-data-file"],
    )


def scan(deleted: DeletionVector, table: pa.Table) -> None:
    """Print the rows that a scan keeps."""
    mask = deleted.keep_mask(0, table.num_rows).to_arrow()  # a pyarrow.BooleanArray, without a copy
    print("kept:", *table.filter(mask)["row"].to_pylist())


# [read]


def main(directory: Path) -> None:
    """Delete twice and scan after each."""
    table = pa.table({"row": range(10)})
    entry = delete_rows(directory / "first.puffin", "s3://lake/t/data/first.puffin", [3, 5, 8])
    deleted = read_vector(directory / "first.puffin", entry)
    scan(deleted, table)

    entry = delete_rows(directory / "second.puffin", "s3://lake/t/data/second.puffin", [5, 0], deleted)
    scan(read_vector(directory / "second.puffin", entry), table)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
