"""Reading one vector of a file, of whatever format it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from libdv.delta import read_delta_record
from libdv.errors import DvUnsupported
from libdv.mumbling import MumblingBitmap
from libdv.puffin import PuffinFile, read_range
from libdv.vector import DeletionVector

PAGE: Final = 65536
"""Positions that are printed at a time."""


def open_vector(file: str, found: dict[str, Any], index: int) -> DeletionVector:
    """The vector with that index in the description of a file.

    Raises:
        IndexError: There is none.
        DvError: It cannot be read.
    """
    if found["format"] == "unknown":
        raise DvUnsupported(f"{file} is of an unknown format: {found['fault']['message']}")
    known = {vector["index"]: vector for vector in found["vectors"]}
    if index not in known:
        raise IndexError(f"{file} has no vector {index}: it has {found['vector_count']}")
    where = known[index]
    match found["format"]:
        case "puffin":
            with PuffinFile(file) as puffin:
                return puffin.read(index)
        case "dv-blob":
            return read_range(file, 0, found["size"])
        case "delta-dv":
            return read_delta_record(file, where["offset"], where["size_in_bytes"])
        case "mumbling":
            with MumblingBitmap(Path(file).read_bytes()) as bitmap:
                return bitmap.to_vector()
        case _:
            return DeletionVector.from_bitmap(Path(file).read_bytes())
