"""Arrays that results are written into: NumPy's where it is installed, the standard library's elsewhere."""

from __future__ import annotations

import array
import functools
import importlib
from ctypes import addressof
from typing import TYPE_CHECKING, Any, Final

from libdv._buffers import char_at_start
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


@functools.cache
def _numpy_types() -> tuple[ModuleType | None, dict[str, Any]]:
    """NumPy and its types by their codes, made once: to look one up by its name costs more than a small array."""
    module = numpy()
    return module, {} if module is None else {code: module.dtype(name) for code, name in _DTYPES.items()}


def is_plain(array: Any, code: str) -> bool:
    """Whether it is a NumPy array of one dimension and this element type, contiguous, writable and not empty."""
    module, types = _numpy_types()
    return (
        module is not None
        and type(array) is module.ndarray
        and array.dtype is types[code]
        and array.ndim == 1
        and array.flags.carray
        and len(array) > 0
    )


def new_array(code: str, count: int) -> tuple[Any, int | None]:
    """An array for C to fill, not cleared where NumPy is at hand.

    Args:
        code: The element type as a format of :mod:`array`: ``q``, ``i``, ``I``, ``?`` or ``B``.
        count: How many.

    Returns:
        The array, and where it begins, which is ``None`` if it has no elements. Without NumPy it is an ``array.array``,
        and a memoryview for ``?`` and ``B``.

    Raises:
        MemoryError: There is not that much memory.
    """
    module, types = _numpy_types()
    try:
        made = module.empty(count, types[code]) if module is not None else _plain(code, count)
    except (MemoryError, OverflowError, ValueError) as error:  # the last one is NumPy's for more than can be
        raise MemoryError(f"no memory for {count} elements of format {code!r}") from error
    return made, addressof(char_at_start(made)) if count else None


def _plain(code: str, count: int) -> Any:
    if code not in "?B":
        return array.array(code, (0,)) * count
    cleared = memoryview(bytearray(count))
    return cleared.cast("?") if code == "?" else cleared


def first(made: Any, count: int) -> Any:
    """The first ``count`` elements of an array, which is given up."""
    return made if count == len(made) else made[:count]
