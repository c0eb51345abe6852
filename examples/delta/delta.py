"""Deletion vectors of a Delta table: a file of two, their descriptors, an inline one, and the way to Iceberg.

usage: delta.py DIRECTORY   (an empty one: the table's root)
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from libdv import DeletionVector, DeltaDescriptor, DeltaDVWriter, read_delta_dv, read_range

if TYPE_CHECKING:
    from collections.abc import Iterable


# [write]
def write_file(root: Path, relative_path: str, vectors: Iterable[DeletionVector]) -> list[DeltaDescriptor]:
    """Write vectors into one file and return the descriptor of each: what ``add.deletionVector`` holds."""
    with DeltaDVWriter(root / relative_path) as writer:  # the file is there at the end of the block
        return [DeltaDescriptor.for_file(relative_path, writer.write(vector)) for vector in vectors]


# [write]


# [read]
def read_vector(root: Path, descriptor: DeltaDescriptor) -> DeletionVector:
    """Read the vector that a descriptor points at; size and cardinality are checked.

    A ``deletionVector`` object of the log does as well, and ``filesystem=`` takes one of fsspec or PyArrow.
    """
    return read_delta_dv(descriptor, root)


# [read]


# [iceberg]
def read_as_iceberg(file: Path, descriptor: DeltaDescriptor) -> DeletionVector:
    """A record of a Delta file is an Iceberg blob: from the offset on, 8 bytes longer than sizeInBytes."""
    return read_range(file, descriptor.offset or 1, descriptor.size_in_bytes + 8)


# [iceberg]


def compare(what: str, written: DeletionVector, read: DeletionVector) -> None:
    """Print what was read, and whether it is what was written."""
    print(f"{what}: {len(read)} rows, {'as written' if read == written else 'OTHERS THAN WRITTEN'}")


def show(descriptor: DeltaDescriptor) -> None:
    """Print a descriptor as it stands in the log."""
    print(json.dumps(descriptor.to_dict(), separators=(",", ":")))


def main(root: Path) -> None:
    """Write, describe and read back."""
    name = "deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin"  # delta_dv_path() makes a new one
    few, many = DeletionVector([3, 5, 8]), DeletionVector(range(100, 200))

    first, second = write_file(root, name, [few, many])
    show(first)
    show(second)
    compare("first", few, read_vector(root, first))
    compare("second", many, read_vector(root, second))

    inline = DeltaDescriptor.inline(few)
    show(inline)
    compare("inline", few, read_vector(root, inline))

    compare("as an Iceberg blob", few, read_as_iceberg(root / name, first))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
