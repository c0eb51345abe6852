"""A manifest's own deletion vector: which of its entries are deleted.

usage: mumbling.py
"""

from __future__ import annotations

import numpy as np

from libdv import DeletionVector, MumblingBitmap


# [write]
def delete_entries(entries: list[int]) -> bytes:
    """Make the bytes that go into the manifest's entry."""
    return bytes(MumblingBitmap.from_vector(DeletionVector(entries)).buffer())


# [write]


# [read]
def list_entries(data: bytes, entries: int) -> None:
    """Print the entries of the manifest that are still there."""
    with MumblingBitmap(data) as deleted:  # copies the bytes, checks the header
        deleted.validate()  # everything that the format promises
        kept = deleted.keep_mask(0, entries).to_numpy()
    print("kept:", *np.flatnonzero(kept))


# [read]


def main() -> None:
    """Delete, list, delete more, list."""
    data = delete_entries([2, 7, 300])
    print(f"{len(data)} bytes: {data.hex(' ')}")
    list_entries(data, 10)

    # Deleting more: to a deletion vector, and back.
    with MumblingBitmap(data) as before:
        deleted = before.to_vector()
    deleted.add_range(4, 7)
    list_entries(bytes(MumblingBitmap.from_vector(deleted).buffer()), 10)


if __name__ == "__main__":
    main()
