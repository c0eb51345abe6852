"""A bug in the library is an exception: a hidden build of it panics on demand."""

from __future__ import annotations

import subprocess

import pytest

from tests import golden
from tests.processes import python

LIBRARY = golden.ROOT / "build" / "panic" / "libdv.so"


@pytest.fixture(scope="module")
def library() -> str:
    """The library that panics on demand, built if it is not current."""
    subprocess.run(["make", "-s", "-C", golden.ROOT, str(LIBRARY.relative_to(golden.ROOT))], check=True, timeout=110)
    return str(LIBRARY)


@pytest.mark.parametrize("place", [1, 2, 3])
def test_a_panic_is_dv_internal_and_the_process_works_on(library: str, place: int) -> None:
    """Place 1: with nothing held, 2: with the objects locked, 3: with an object held."""
    python(
        f"""
        import ctypes, gc, io, libdv
        from libdv import DeletionVector, DVWriter, DeltaDVWriter, MumblingBitmap, Source

        native = ctypes.CDLL({library!r})
        blob = DeletionVector([1, 5]).serialize()

        def vector(use):
            return lambda: (lambda dv: lambda: use(dv))(DeletionVector([1, 5]))

        def made(make, use):
            return lambda: (lambda thing: lambda: use(thing))(make())

        calls = [
            vector(len), vector(list), vector(lambda dv: dv.add(7)), vector(lambda dv: dv.add_many([9])),
            vector(lambda dv: dv.keep_mask(0, 9)), vector(lambda dv: dv.serialize()), vector(lambda dv: dv == dv),
            vector(lambda dv: dv | dv), vector(lambda dv: dv.copy()), vector(lambda dv: dv.to_delta_inline()),
            made(list, lambda _: DeletionVector()), made(list, lambda _: DeletionVector.deserialize(blob)),
            made(lambda: Source(io.BytesIO(blob)), lambda source: libdv.read_range(source, 0, len(blob))),
            made(lambda: Source(blob), libdv.inspect),
            made(DVWriter, lambda writer: writer.add("a", [1])),
            made(DVWriter, lambda writer: writer.flush_to_bytes("x")),
            made(lambda: DeltaDVWriter(io.BytesIO()), lambda writer: writer.write(DeletionVector([1]))),
            made(lambda: MumblingBitmap.from_vector(DeletionVector([1])), lambda bitmap: bitmap.positions()),
        ]
        caught = 0
        for prepare in calls:
            call = prepare()
            native.dv_panic_next({place})
            try:
                call()
            except libdv.DvInternal as error:
                caught += 1
                assert error.status == libdv.Status.DV_INTERNAL and "\\n" not in error.message
            native.dv_panic_next(0)
            prepare()()
            try:
                call()  # the object works on, or says that it is broken: nothing else
            except libdv.DvState as error:
                assert "failed within libdv" in error.message, error
        assert caught >= 8, caught
        del call, prepare, calls
        gc.collect()
        assert libdv.live_handles() == 0
        """,
        LIBDV_LIBRARY=library,
    )
