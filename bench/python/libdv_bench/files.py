"""T7: a Puffin file of 1,000 vectors: opened, all of them read and masked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
from pyiceberg.table.deletion_vector import deletion_vectors_from_puffin_file
from pyiceberg.table.puffin import PuffinFile as IcebergPuffinFile

from libdv import DVWriter, PuffinFile
from libdv_bench import data, peers
from libdv_bench.measure import Contestant, Effort, contest

if TYPE_CHECKING:
    from collections.abc import Callable

VECTORS = 1000
ROWS = 100_000
POSITIONS = 1000

Masks = list[Any]


def write() -> tuple[bytes, Masks]:
    """The file, and the packed keep mask of each of its vectors."""
    writer, masks = DVWriter(), []
    for index in range(VECTORS):
        values = data.sample(POSITIONS, ROWS, 7000 + index)
        writer.add(f"s3://warehouse/db/table/data/{index:05}.parquet", values)
        masks.append(_mask_without(values))
    return writer.flush_to_bytes("s3://warehouse/db/table/data/deletes.puffin").data, masks


def pyiceberg(file: bytes, expected: Masks, effort: Effort) -> list[dict[str, Any]]:
    """Against pyiceberg's reader."""

    def theirs() -> Masks:
        vectors = deletion_vectors_from_puffin_file(IcebergPuffinFile(file))
        return [_mask_without(dv.to_vector().to_numpy()) for dv in vectors]

    return contest("T7", [*_ours(file), Contestant("pyiceberg", "peer", theirs)], _are(expected), effort)


def by_hand(file: bytes, expected: Masks, effort: Effort) -> list[dict[str, Any]]:
    """Against what one would write with json and pyroaring."""

    def theirs() -> Masks:
        size = int.from_bytes(file[-12:-8], "little")
        blobs = json.loads(file[-12 - size : -12])["blobs"]
        places = ((blob["offset"], blob["offset"] + blob["length"]) for blob in blobs)
        return [peers.packed(peers.kept32(file[start:end], ROWS)) for start, end in places]

    return contest("T7h", [*_ours(file), Contestant("json, pyroaring 32", "peer", theirs)], _are(expected), effort)


def _ours(file: bytes) -> list[Contestant]:
    out = np.empty(VECTORS * ((ROWS + 511) // 512 * 64), dtype=np.uint8)

    def masks(out: Any = None) -> Masks:
        with PuffinFile(file) as opened:
            return [mask.to_packed_numpy() for mask in opened.keep_masks(ROWS, out=out)]

    def read(opened: PuffinFile, index: int) -> Any:
        with opened.read(index) as dv:
            return dv.keep_mask(0, ROWS).to_packed_numpy()

    def vectors() -> Masks:
        with PuffinFile(file) as opened:
            return [read(opened, index) for index in range(len(opened))]

    return [
        Contestant("PuffinFile, keep_masks, out", "libdv", lambda: masks(out)),
        Contestant("PuffinFile, keep_masks", "variant", masks),
        Contestant("PuffinFile, read, keep_mask", "variant", vectors),
    ]


def _mask_without(values: Any) -> Any:
    kept = np.ones(ROWS, dtype=np.bool_)
    kept[values] = False
    return peers.packed(kept)


def _are(expected: Masks) -> Callable[[Masks], bool]:
    return lambda found: len(found) == len(expected) and all(map(np.array_equal, found, expected))
