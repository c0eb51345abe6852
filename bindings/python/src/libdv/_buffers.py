"""Python buffers lent to C, and memory of the library taken back."""

from __future__ import annotations

import ctypes
import re
from ctypes import addressof, byref, c_char, c_char_p, c_int, c_ssize_t, c_void_p, py_object
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from libdv import _abi

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    import numpy.typing as npt
    from typing_extensions import Buffer

    from libdv._loader import Native

    BytesLike: TypeAlias = Buffer | npt.NDArray[Any]
    """A contiguous buffer of bytes, integers or bools: bytes, bytearray, memoryview, mmap, NumPy and Arrow buffers."""

_PLAIN: Final = re.compile(r"[@=<>!]?(?:[bBc?]|[0-9]*[sx]|[hHiIlLqQnN])")
_OF_ONE_BYTE: Final = frozenset("bBc?")
_PYBUF_FORMATTED: Final = 0x4 | 0x8  # PyBUF_FORMAT | PyBUF_ND: contiguous, and says what its elements are
_PYBUF_WRITE: Final = 0x200
_PYBUF_READ: Final = 0x100


def _prototype(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))


_get_buffer = _prototype("PyObject_GetBuffer", c_int, py_object, c_void_p, c_int)
_release_buffer = _prototype("PyBuffer_Release", None, c_void_p)
_memory_view = _prototype("PyMemoryView_FromMemory", py_object, c_void_p, c_ssize_t, c_int)
_copy = _prototype("PyBytes_FromStringAndSize", py_object, c_void_p, c_void_p)  # the size as it converts fastest


@lru_cache(64)
def _refusal(code: str, item_size: int) -> str | None:
    """What is wrong with a buffer's elements, if anything is: see :func:`check_plain`."""
    if _PLAIN.fullmatch(code) and (item_size == 1 or code[-1] not in _OF_ONE_BYTE):  # else it is a union's
        return None
    return f"must hold plain bytes, integers or bools, not elements of format {code!r} and {item_size} bytes"


def check_plain(view: memoryview, name: str) -> None:
    """Check that a buffer's elements are mere bits: no references and no pointers, which bytes would forge or leak.

    Raises:
        TypeError: They are something else than bytes, integers or bools.
    """
    if refusal := _refusal(view.format, view.itemsize):
        raise TypeError(f"{name} {refusal}")


class _PyBuffer(ctypes.Structure):
    """``Py_buffer``, given back when it goes; its object is left to CPython, hence the plain pointer."""

    _fields_ = (
        ("buf", c_void_p),
        ("obj", c_void_p),
        ("len", c_ssize_t),
        ("itemsize", c_ssize_t),
        ("readonly", c_int),
        ("ndim", c_int),
        ("format", c_char_p),
        ("shape", c_void_p),
        ("strides", c_void_p),
        ("suboffsets", c_void_p),
        ("internal", c_void_p),
    )

    def __del__(self, release: Callable[..., Any] = _release_buffer) -> None:
        release(byref(self))  # one that was never filled, too: nothing happens


class Lent:
    """The bytes of a Python object, lent to C: while this lives, the object neither moves nor resizes them.

    Attributes:
        address: Of the first byte, as ctypes takes it: a number, or a ``bytes`` object for its own; ``None`` if there
            are no bytes.
        size: Their number.
    """

    __slots__ = ("_view", "address", "size")

    address: int | bytes | None

    def __init__(self, data: BytesLike) -> None:
        """Lend the bytes of ``data``, without a copy.

        Raises:
            TypeError: ``data`` has no buffer, or one of other elements than bytes, integers and bools.
            BufferError: Its buffer is not contiguous.
        """
        if type(data) is bytes:  # never moves and never changes: to hold it is enough
            self._view: _PyBuffer | None = None
            self.size = len(data)
            self.address = data or None
            return
        self._view = view = _PyBuffer()
        _get_buffer(data, byref(view), _PYBUF_FORMATTED)
        if refusal := _refusal((view.format or b"B").decode("latin-1"), view.itemsize):
            raise TypeError(f"the buffer of a {type(data).__name__} {refusal}")
        self.size = view.len
        self.address = view.buf if self.size else None

    def release(self) -> None:
        """Give the bytes back. A second call does nothing."""
        self.address, self.size = None, 0
        self._view = None

    def __enter__(self) -> Lent:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.address = self._view = None


char_at_start = c_char.from_buffer
"""The first byte of a writable buffer that is not empty; as long as it lives, the buffer neither moves nor resizes."""


def address_of(buffer: Any) -> int:
    """The address of a writable buffer that is not empty. The caller keeps it alive and unresized."""
    return addressof(char_at_start(buffer))


def writable_view(address: int, size: int) -> memoryview:
    """A view of foreign memory that a callback fills. The caller releases it before the memory goes."""
    view: memoryview = _memory_view(address, size, _PYBUF_WRITE)
    return view


def take_bytes(native: Native, fill: Callable[..., int], *arguments: Any) -> bytes:
    """Call a function whose last argument is a ``dv_bytes``, and return what it holds.

    Raises:
        DvError: The call failed.
    """
    out = _abi.Bytes()
    native.check(fill(*arguments, addressof(out)))
    return drain(native, out)


def drain(native: Native, out: _abi.Bytes) -> bytes:
    """Copy a filled ``dv_bytes`` into a Python object, and free it."""
    try:
        data: bytes = _copy(out.data, out.size)
        return data
    finally:
        native.dv_bytes_free(addressof(out))
