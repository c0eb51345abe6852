"""Python file objects as what the C library reads from and writes to."""

from __future__ import annotations

import ctypes
import io
import operator
import threading
from typing import TYPE_CHECKING, Any

from libdv import _callbacks
from libdv._abi import INT64_MAX, FinishFn, ReadAtFn, WriteFn
from libdv._buffers import check_plain, writable_view

if TYPE_CHECKING:
    from collections.abc import Callable


def describe(value: object) -> str:
    """The type of a value, for a message."""
    return f"{type(value).__module__}.{type(value).__qualname__}".removeprefix("builtins.")


def is_readable_file(value: Any) -> bool:
    """Whether it has what a source needs."""
    return _way_to_read(value) is not None and callable(getattr(value, "seek", None))


def _way_to_read(file: Any) -> str | None:
    """``readinto``, which spares a copy, or ``read``: what the object, or else the most derived class, defines.

    Where both stand side by side it is ``readinto``. So a subclass that decrypts in ``read`` is read by that, and not
    by the ``readinto`` that it inherited.
    """
    ways = [name for name in ("readinto", "read") if callable(getattr(file, name, None))]
    for names in (getattr(file, "__dict__", {}), *map(vars, type(file).__mro__)):
        for way in ways:
            if way in names:
                return way
    return ways[0] if ways else None  # a proxy, which defines neither


def is_writable_file(value: Any) -> bool:
    """Whether it has what a sink needs."""
    return callable(getattr(value, "write", None))


def _refuse_text(file: Any) -> None:
    if isinstance(file, io.TextIOBase):
        raise TypeError(f"{describe(file)} is a text file: open it in binary mode")


class FileReader:
    """Random access to a file object that has one position.

    Reads of several threads take turns, and each leaves the position where it was, so the file's owner can go on using
    it. The file is not closed.
    """

    def __init__(self, file: Any) -> None:
        """Measure the file.

        Raises:
            TypeError: It is a text file.
            io.UnsupportedOperation: It cannot seek.
        """
        _refuse_text(file)
        seekable = getattr(file, "seekable", None)
        if callable(seekable) and not seekable():
            raise io.UnsupportedOperation(
                f"{describe(file)} cannot seek, so it cannot be read at random: read it into bytes"
            )
        self._file = file
        self._lock = threading.RLock()  # a file may call back into libdv on the same thread
        self._readinto = file.readinto if _way_to_read(file) == "readinto" else None
        before = self._tell()
        try:
            file.seek(0, io.SEEK_END)
            self.size = self._tell()
        finally:
            file.seek(before)

    def _tell(self) -> int:
        tell = getattr(self._file, "tell", None)
        told = tell() if callable(tell) else self._file.seek(0, io.SEEK_CUR)
        if not hasattr(told, "__index__"):
            raise TypeError(f"{describe(self._file)} says that it is at {told!r:.60}, which is no integer")
        at = operator.index(told)
        if not 0 <= at <= INT64_MAX:
            raise OSError(f"{describe(self._file)} says that it is at {at}: expected 0 to {INT64_MAX}")
        return at

    def read_at(self, offset: int, view: memoryview) -> int:
        """Fill the start of ``view`` with what is at ``offset``; the number of bytes, 0 at the end."""
        with self._lock:
            before = self._tell()
            self._file.seek(offset)
            try:
                return self._read(view)
            finally:
                self._file.seek(before)

    def _read(self, view: memoryview) -> int:
        if self._readinto is not None:
            count = self._readinto(view)
            if count is None:
                raise BlockingIOError(f"{describe(self._file)} has no data now: it is in non-blocking mode")
            return operator.index(count)
        return copy_into(view, self._file.read(len(view)), self._file)


def copy_into(view: memoryview, data: Any, source: object) -> int:
    """Put what a Python read function returned where C wants it."""
    if data is None:
        raise BlockingIOError(f"{describe(source)} has no data now: it is in non-blocking mode")
    with memoryview(data) as raw, raw.cast("B") as bytes_read:
        check_plain(raw, f"what {describe(source)} returned")
        if len(bytes_read) > len(view):
            raise ValueError(f"{describe(source)} returned {len(bytes_read)} bytes, asked for {len(view)}")
        view[: len(bytes_read)] = bytes_read
        return len(bytes_read)


class FileWriter:
    """A file object that takes bytes in order; the file is not closed, and not truncated when writing fails."""

    def __init__(self, file: Any) -> None:
        """Check the file.

        Raises:
            TypeError: It is a text file.
        """
        _refuse_text(file)
        self._file = file

    def write(self, data: bytes) -> None:
        """Write all of ``data``."""
        rest = data
        while rest:
            written = self._file.write(rest)
            if written is None:
                if isinstance(self._file, io.RawIOBase):
                    raise BlockingIOError(f"{describe(self._file)} takes no data now: it is in non-blocking mode")
                return  # many objects return nothing and have taken everything
            if not 0 < operator.index(written) <= len(rest):
                raise OSError(f"{describe(self._file)} says that it wrote {written} of {len(rest)} bytes")
            rest = rest[operator.index(written) :]

    def finish(self, success: bool) -> None:
        """Flush a finished file."""
        flush = getattr(self._file, "flush", None)
        if success and callable(flush):
            flush()


class Callbacks:
    """C callbacks, alive as long as the library may call them."""

    __slots__ = ("functions",)

    def __init__(self, *functions: Any) -> None:
        self.functions = functions

    def release(self) -> None:
        """The library calls them no more."""
        self.functions = ()


def read_at_callback(read_at: Callable[[int, memoryview], int]) -> Any:
    """``read_at(offset, view)`` as a C callback."""

    def body(_context: int | None, offset: int, address: int, size: int) -> int:
        view = writable_view(address, size)
        try:
            count = operator.index(read_at(offset, view))
        finally:
            view.release()  # whoever kept it would write into memory that is gone
        if not 0 <= count <= size:
            raise ValueError(f"a read of {size} bytes at offset {offset} reported {count} bytes")
        return count

    return ReadAtFn(_callbacks.callback(body, -1))


def write_callback(write: Callable[[bytes], Any]) -> Any:
    """``write(data)`` as a C callback. The data is a copy, so that it may be kept."""

    def body(_context: int | None, address: int, size: int) -> int:
        write(ctypes.string_at(address, size))
        return 0

    return WriteFn(_callbacks.callback(body, 1))


def finish_callback(finish: Callable[[bool], Any]) -> Any:
    """``finish(success)`` as a C callback: it learns of a failure that C could not see."""

    def body(_context: int | None, success: bool) -> int:
        good = success and not _callbacks.failed()
        finish(good)
        return 0 if good or not success else 1

    return FinishFn(_callbacks.callback(body, 1, always=True))
