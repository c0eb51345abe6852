"""Cycles of every kind of object: memory stays flat. ``LIBDV_SOAK_CYCLES=100000`` makes it long."""

from __future__ import annotations

import os

import pytest

from tests.processes import python

CYCLES = int(os.environ.get("LIBDV_SOAK_CYCLES", "2000"))

KINDS = {
    "vector": "list(DeletionVector([1, 70_000]))",
    "view": "DeletionVector.view(BLOB).keep_mask(0, 9).to_arrow()",
    "changes": "(DeletionVector(ARRAY) | DeletionVector.view(BLOB)).serialize()",
    "pickle": "pickle.loads(pickle.dumps(DeletionVector([5])))",
    "puffin": "PuffinFile(io.BytesIO(PUFFIN)).read(0).positions()",
    "masks of a file": "next(PuffinFile(PUFFIN).keep_masks(99)).to_packed_numpy()",
    "masks in an array": "list(PuffinFile(PUFFIN).keep_masks(99, [0, 0], ARRAY.copy()))[1].to_packed_numpy()",
    "positions of a blob": "blob_positions(BLOB, out=ARRAY.copy()), blob_positions(BLOB)",
    "blob of positions": "blob_from_positions(ARRAY)",
    "entry": "libdv.read_dv(PUFFIN, 4, 42, 1, 'a')",
    "writer": "flush()",
    "delta": "delta()",
    "descriptor": "DeltaDescriptor.from_json(DeltaDescriptor.inline(DeletionVector([1])).to_json()).read()",
    "mumbling": "MumblingBitmap(MUMBLING).buffer().tobytes()",
    "inspect": "libdv.inspect(PUFFIN)",
    "refused": "refused()",
    "raising callback": "raising()",
}


@pytest.mark.timeout(0 if CYCLES > 10_000 else 120)
@pytest.mark.parametrize("kind", KINDS)
def test_memory_stays_flat(kind: str) -> None:
    python(
        f"""
        import ctypes, gc, io, pickle, sys
        from pathlib import Path
        import numpy, pyarrow
        import libdv
        from libdv import *

        BLOB, ARRAY = DeletionVector([1]).serialize(), numpy.arange(0, 5000, 7)
        MUMBLING = bytes(MumblingBitmap.from_vector(DeletionVector([1, 2])).buffer())

        def flush():
            with DVWriter() as writer:
                writer.add("a", [1])
                return writer.flush(io.BytesIO(), "x")

        def delta():
            with DeltaDVWriter(io.BytesIO()) as writer:
                return writer.write(DeletionVector([1]))

        def refused():
            try:
                DeletionVector.deserialize(BLOB[:-1])
            except DvCorrupt:
                pass

        def raising():
            def read(offset, size):
                raise KeyError
            try:
                read_range(Source.from_function(99, read), 0, 50)
            except KeyError:
                pass

        with DVWriter() as writer:
            writer.add("a", [1])
            PUFFIN = writer.flush_to_bytes("x").data

        class Mallinfo(ctypes.Structure):
            _fields_ = [(name, ctypes.c_size_t) for name in (
                "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks",
                "fsmblks", "uordblks", "fordblks", "keepcost")]

        mallinfo = ctypes.CDLL(None).mallinfo2
        mallinfo.restype = Mallinfo

        def used():
            # handles, bytes of the C heap, blocks of Python's, and resident bytes, which Go's heap is a part of
            gc.collect()
            heap = mallinfo()
            pages = int(Path("/proc/self/statm").read_text().split()[1])
            return live_handles(), heap.uordblks + heap.hblkhd, sys.getallocatedblocks(), pages * 4096

        def cycle(count):
            for _ in range(count):
                {KINDS[kind]}

        cycle(1000)
        before = used()
        cycle({CYCLES})
        grown = [after - earlier for after, earlier in zip(used(), before)]
        assert grown[0] == 0, grown
        # Addresses of freed handles wait in a bounded queue until they are used again.
        assert grown[1] < (1 << 20), grown
        assert grown[2] < 1000, grown
        # Go lets garbage pile up to a bound before it collects; what is above would be a leak in a long run.
        assert grown[3] < (64 << 20), grown
        """,
        timeout=3600,
    )
