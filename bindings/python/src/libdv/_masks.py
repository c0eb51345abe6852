"""The masks of many blobs of a Puffin file: a piece of memory, and one call of the library, for many of them."""

from __future__ import annotations

from bisect import bisect_right
from ctypes import addressof, c_int64, c_size_t, sizeof
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final

from libdv import _callbacks
from libdv._arrays import numpy
from libdv._buffers import address_of, check_plain
from libdv._huge import PAGE, huge_memory
from libdv.errors import DvTooSmall
from libdv.mask import Mask, room_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from libdv._buffers import BytesLike
    from libdv._handle import Handle

    Memory = tuple[Any, int | None]
    """Bytes that only C writes to, and where they begin, which is ``None`` if there are none."""

_STEP: Final = 64  # bytes: what the library begins each mask at a multiple of
_ROWS_PER_STEP: Final = 8 * _STEP
_PIECE: Final = 2 * PAGE  # bytes: fresh memory is cheaper by the megabyte
_CALL: Final = 1024  # blobs in a call, for whose time Ctrl-C waits


def keep_masks(
    source: Handle, puffin: Handle, blobs: Sequence[int], lengths: Sequence[int], out: BytesLike | None
) -> Iterator[Mask]:
    """See :meth:`PuffinFile.keep_masks`; the arguments are right, but for ``out``.

    Raises:
        TypeError: ``out`` is no writable, contiguous memory of plain elements.
        DvTooSmall: It cannot hold the masks.
    """
    places = [0, *accumulate((rows + _ROWS_PER_STEP - 1) // _ROWS_PER_STEP * _STEP for rows in lengths)]
    given = None if out is None else _memory_of(out, places[-1])
    return _read(source, puffin, blobs, lengths, places, given)


def _read(
    source: Handle,
    puffin: Handle,
    blobs: Sequence[int],
    lengths: Sequence[int],
    places: list[int],
    given: Memory | None,
) -> Iterator[Mask]:
    """The masks, each from its place on in the given memory, or in pieces of new memory."""
    native = puffin.native
    puffin.check_here()  # before the source is asked, which the caller may not know
    puffin.check_open()
    call: Callable[..., int] = native.dv_puffin_keep_masks
    if source.asks_python:
        call = partial(_call_back, call)
    count = len(blobs)
    indices, rows = (c_size_t * count)(*blobs), (c_int64 * count)(*lengths)
    with source, puffin as pointer:

        def read(first: int, end: int, address: int | None) -> int:
            index, row = addressof(indices) + first * sizeof(c_size_t), addressof(rows) + first * sizeof(c_int64)
            return call(pointer, index, row, end - first, address, places[end] - places[first])

        for first, end in _pieces(places):
            memory, start = given or _new_memory(places[end] - places[first])
            before = 0 if given else places[first]
            # The caller's code runs when a mask is asked for; and where one blob is at fault, those before it are not.
            at_once = not source.asks_python and not read(first, end, start and start + places[first] - before)
            for number in range(first, end):
                at, length = places[number] - before, lengths[number]
                if not at_once and (status := read(number, number + 1, start and start + at)):
                    raise native.error(status)
                yield Mask(memory[at : at + (length + 7) // 8], 0, length)
                puffin.check_here()


def _call_back(call: Callable[..., int], *arguments: Any) -> int:
    try:
        return _callbacks.run(call, *arguments)
    except StopIteration as error:  # which would pass for the end of the masks
        raise RuntimeError("reading from the source raised StopIteration") from error


def _pieces(places: list[int]) -> Iterator[tuple[int, int]]:
    """The first mask of each piece and that after its last."""
    first, count = 0, len(places) - 1
    while first < count:
        most = min(count, first + _CALL)
        end = bisect_right(places, places[first] + _PIECE, first + 1, most + 1) - 1
        yield first, (end := max(end, first + 1))
        first = end


def _new_memory(size: int) -> Memory:
    memory = huge_memory(size) if size >= PAGE else None
    if memory is None:
        return room_for(8 * size)
    return _read_only(memoryview(memory)), address_of(memory)


def _memory_of(out: Any, size: int) -> Memory:
    """The first ``size`` bytes of the caller's memory, which they keep where they are."""
    try:
        lent = memoryview(out)
    except (TypeError, ValueError) as error:  # the latter is NumPy's, of types that no buffer can express
        raise TypeError(f"out must be writable, contiguous memory, not {type(out).__name__}") from error
    with lent as view:
        check_plain(view, "out")
        if view.readonly or not view.c_contiguous:
            raise TypeError("out must be writable, contiguous memory")
        if view.nbytes < size:
            raise DvTooSmall(f"out has {view.nbytes} bytes: expected {size} for the masks, each from a multiple of 64")
        if not size:
            return room_for(0)
        used = view.cast("B")[:size]
        return _read_only(used), address_of(used)


def _read_only(view: memoryview) -> Any:
    module = numpy()
    return view.toreadonly() if module is None else module.frombuffer(view.toreadonly(), "uint8")
