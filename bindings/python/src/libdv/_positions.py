"""Positions from the caller: whatever holds integers, as an array of int64 that C reads in place."""

from __future__ import annotations

import array
import sys
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias

from libdv._abi import MAX_POSITION
from libdv._arrays import numpy, require
from libdv._buffers import Lent
from libdv.errors import DvInvalidArgument

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

    import numpy as np
    import numpy.typing as npt

    Positions: TypeAlias = "Iterable[SupportsIndex] | npt.NDArray[np.integer[Any]] | Any"
    """Integers: any iterable, a NumPy array, a PyArrow Array or ChunkedArray, whatever has a buffer of integers,
    ``__array__`` (pandas, Polars) or ``__arrow_c_array__``."""

_INT64_FORMATS = frozenset({"q", "l", "@q", "@l", "=q", "<q"} if sys.byteorder == "little" else {"q", "l", "@q", "@l"})
_INT32_FORMATS = frozenset({"i", "@i", "=i", "<i"} if sys.byteorder == "little" else {"i", "@i"})
_INTEGER_FORMATS = frozenset("bhilqnBHILQN")


class LentPositions:
    """Positions as C takes them.

    Attributes:
        address: Of the first int64, or ``None`` if there are none.
        count: How many.
    """

    __slots__ = ("_lent", "address", "count")

    def __init__(self, positions: Positions) -> None:
        """Lend int64 arrays as they are; convert everything else.

        Raises:
            TypeError: There is something that is no integer.
            DvInvalidArgument: A number does not fit int64, or there is a null.
        """
        self._lent = Lent(_as_int64_buffer(positions))
        self.address = self._lent.address
        self.count = self._lent.size // 8

    def __enter__(self) -> LentPositions:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._lent.release()


class LentPositions32:
    """The same as int32, for Mumbling bitmaps.

    Attributes:
        address: Of the first int32, or ``None`` if there are none.
        count: How many.
    """

    __slots__ = ("_lent", "address", "count")

    def __init__(self, positions: Positions) -> None:
        """Lend int32 arrays as they are; convert everything else.

        Raises:
            TypeError: There is something that is no integer.
            DvInvalidArgument: A number does not fit int32, or there is a null.
        """
        self._lent = Lent(_as_int32_buffer(positions))
        self.address = self._lent.address
        self.count = self._lent.size // 4

    def __enter__(self) -> LentPositions32:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._lent.release()


def _as_int32_buffer(positions: Any) -> Any:
    try:
        view = memoryview(positions)
    except TypeError:
        pass
    else:
        if view.ndim == 1 and view.format in _INT32_FORMATS and view.c_contiguous:
            return view
    wide = memoryview(_as_int64_buffer(positions)).cast("B").cast("q")
    try:
        return array.array("i", wide)
    except OverflowError as error:
        raise DvInvalidArgument(f"a position is out of range: expected 0 to {2**31 - 1}") from error


def _as_int64_buffer(positions: Any) -> Any:
    if isinstance(positions, str | bytes | bytearray):
        raise TypeError(f"positions must be integers, not {type(positions).__name__}")
    if hasattr(positions, "__arrow_c_array__") or hasattr(positions, "__arrow_c_stream__"):
        converted = _from_arrow(positions)
        if converted is not None:
            return converted
    if hasattr(positions, "__array__"):
        return _from_numpy(positions)
    try:
        view = memoryview(positions)
    except TypeError:
        return _from_iterable(positions)
    return _from_view(view)


def _from_arrow(positions: Any) -> Any:
    """An Arrow array without nulls, of integers; ``None`` where PyArrow is not installed but ``__array__`` helps."""
    if hasattr(positions, "__array__") and not _is_pyarrow(positions):
        return None
    arrow = require("pyarrow", "reading an Arrow array")
    if not isinstance(positions, arrow.Array | arrow.ChunkedArray):
        streams = hasattr(positions, "__arrow_c_stream__")
        positions = arrow.chunked_array(positions) if streams else arrow.array(positions)
    if not arrow.types.is_integer(positions.type):
        raise TypeError(f"positions must be integers, not Arrow {positions.type}")
    if positions.null_count:
        raise DvInvalidArgument(f"positions hold {positions.null_count} nulls")
    if isinstance(positions, arrow.ChunkedArray):
        positions = positions.chunk(0) if positions.num_chunks == 1 else positions.combine_chunks()
        if isinstance(positions, arrow.ChunkedArray):  # combine_chunks() of no chunks
            return b""
    try:
        positions = positions.cast(arrow.int64())
    except arrow.ArrowInvalid as error:
        raise _too_large() from error
    if not len(positions):
        return b""
    data = memoryview(positions.buffers()[1])
    return data[positions.offset * 8 : (positions.offset + len(positions)) * 8]


def _is_pyarrow(value: Any) -> bool:
    return type(value).__module__.partition(".")[0] == "pyarrow"


def _from_numpy(positions: Any) -> Any:
    module = numpy()
    if module is None:
        return _from_iterable(positions)
    numbers = module.asarray(positions)
    if numbers.ndim != 1:
        raise TypeError(f"positions must have one dimension, not {numbers.ndim}")
    if numbers.dtype.kind not in "iu":
        if numbers.size == 0 and numbers.dtype.kind == "f":  # NumPy's type for an empty list
            return b""
        hint = "; of a mask take numpy.flatnonzero" if numbers.dtype.kind == "b" else ""
        raise TypeError(f"positions must be integers, not {numbers.dtype}{hint}")
    if numbers.dtype.kind == "u" and numbers.dtype.itemsize == 8 and numbers.size and int(numbers.max()) > MAX_POSITION:
        raise _too_large()
    return module.ascontiguousarray(numbers, dtype=module.int64)


def _from_view(view: memoryview) -> Any:
    code = view.format
    if view.ndim == 1 and code in _INT64_FORMATS and view.itemsize == 8 and view.c_contiguous:
        return view
    if view.ndim != 1 or code.lstrip("@=<>!") not in _INTEGER_FORMATS or view.itemsize == 1:
        raise TypeError(f"positions must be one dimension of integers, not a buffer of format {code!r}")
    return _from_iterable(view.tolist())


def _from_iterable(positions: Iterable[SupportsIndex]) -> array.array[int]:
    try:
        return array.array("q", positions)  # type: ignore[arg-type]  # it calls __index__
    except OverflowError as error:
        raise _too_large() from error


def _too_large() -> DvInvalidArgument:
    return DvInvalidArgument(f"a position is out of range: expected 0 to {MAX_POSITION}")
