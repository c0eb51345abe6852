"""What damaged bytes are, and what of them is still sound.

usage: inspection.py
"""

from __future__ import annotations

import json

import libdv


# [inspect]
def describe(data: bytes) -> None:
    """Print what libdv says of some bytes."""
    found = libdv.inspect(data)  # or a path, a file object, a Source
    print(json.dumps(found, separators=(",", ":")))


# [inspect]


def main() -> None:
    """Damage a vector and look at it."""
    blob = bytearray(libdv.DeletionVector([1]).serialize())
    blob[-2] = 0  # in the CRC
    describe(bytes(blob))


if __name__ == "__main__":
    main()
