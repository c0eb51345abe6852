"""Arrays that results are written into: NumPy's where it is installed, the standard library's elsewhere."""

from __future__ import annotations

import array
import functools
import importlib
from typing import TYPE_CHECKING, Any, Final

from libdv._buffers import address_of
from libdv._fork import steady
from libdv.errors import DvLoadError

if TYPE_CHECKING:
    from types import ModuleType

    import numpy as np
    import numpy.typing as npt

    Int64Array = npt.NDArray[np.int64]
    """Positions; an ``array.array('q')`` where NumPy is not installed."""
    Int32Array = npt.NDArray[np.int32]
    """Positions of a Mumbling bitmap; an ``array.array('i')`` where NumPy is not installed."""
    UInt32Array = npt.NDArray[np.uint32]
    """Indices into a window of rows; an ``array.array('I')`` where NumPy is not installed."""
    BoolArray = npt.NDArray[np.bool_]
    """One byte per row, 0 or 1; a ``memoryview`` of format ``?`` where NumPy is not installed."""

_DTYPES: Final = {"q": "int64", "i": "int32", "I": "uint32", "?": "bool", "B": "uint8"}


@functools.cache
def numpy() -> ModuleType | None:
    """NumPy, imported now if it was not before, or ``None`` if it is not installed."""
    try:
        with steady():
            return importlib.import_module("numpy")
    except ImportError:
        return None


def require(name: str, why: str) -> Any:
    """An optional package.

    Raises:
        DvLoadError: It is not installed; the message says what needs it.
    """
    try:
        with steady():
            return importlib.import_module(name)
    except ImportError as error:
        raise DvLoadError(f"{why} needs the package {name.partition('.')[0]}, which is not installed") from error


class Output:
    """Room for ``count`` numbers that C writes, and the array that they become.

    Attributes:
        address: Where C writes; ``None`` if there is no room at all.
    """

    __slots__ = ("_array", "_bytes", "_code", "address")

    def __init__(self, code: str, count: int) -> None:
        """Allocate, without clearing where NumPy is at hand.

        Args:
            code: The element type as a format of :mod:`array`: ``q``, ``i``, ``I``, ``?`` or ``B``.
            count: How many.

        Raises:
            MemoryError: There is not that much memory.
        """
        self._code = code
        self._array: Any = None
        self._bytes: bytearray | None = None
        module = numpy()
        if module is not None:
            self._array = module.empty(count, dtype=_DTYPES[code])
            self.address: int | None = address_of(self._array) if count else None
        else:
            size = 1 if code in "?B" else array.array(code).itemsize
            self._bytes = bytearray(count * size)
            self.address = address_of(self._bytes) if self._bytes else None

    def result(self, count: int | None = None) -> Any:
        """The array; only its first ``count`` elements if that is given."""
        if self._bytes is None:
            return self._array if count is None or count == len(self._array) else self._array[:count]
        if self._code in "?B":
            view: memoryview[Any] = memoryview(self._bytes).cast("?" if self._code == "?" else "B")
            return view if count is None else view[:count]
        numbers = array.array(self._code)
        numbers.frombytes(self._bytes)
        return numbers if count is None else numbers[:count]
