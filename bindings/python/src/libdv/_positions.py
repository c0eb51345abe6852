"""Positions from the caller: whatever holds integers, as an array of int64 that C reads in place."""

from __future__ import annotations

import array
import operator
import sys
from ctypes import addressof
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, SupportsIndex, TypeAlias

from libdv._abi import MAX_POSITION
from libdv._arguments import INT32_MAX
from libdv._arrays import is_plain, numpy, require
from libdv._buffers import Lent, char_at_start
from libdv.errors import DvInvalidArgument
from libdv.mask import Mask

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
_INTEGER_FORMATS = frozenset("hilqnHILQN")  # a byte is one of a file, or a bit
_CHUNK: Final = 8192  # objects that are looked at before they are converted
_OF_A_MASK: Final = "; of a mask take numpy.flatnonzero"


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
        self.address: int | bytes | None
        self._lent: Any
        if hasattr(positions, "__array__") and is_plain(positions, "q"):
            array: Any = positions
            self._lent = char_at_start(array)  # which holds the array where it is
            self.address = addressof(self._lent)
            self.count = len(array)
        else:
            self._lent = lent = Lent(_as_int64_buffer(positions))
            self.address = lent.address
            self.count = lent.size // 8

    def __enter__(self) -> LentPositions:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.release()

    def release(self) -> None:
        """Give them back."""
        self._lent = self.address = None


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
    _refuse(positions)
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
        raise _too_large(wide, most=INT32_MAX) from error


def _as_int64_buffer(positions: Any) -> Any:
    _refuse(positions)
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


def _refuse(positions: Any) -> None:
    """What looks like integers, as a sequence or a buffer, and means something else."""
    if isinstance(positions, str | bytes | bytearray):
        raise TypeError(f"positions must be integers, not {type(positions).__name__}")
    if isinstance(positions, Mask):
        raise TypeError(f"positions must be integers, not a Mask{_OF_A_MASK} of its to_numpy()")
    module = numpy() if hasattr(positions, "__array__") else None
    if module is not None and module.ma.isMaskedArray(positions):
        masked = int(module.ma.getmaskarray(positions).sum())
        if masked:  # their data is a buffer of integers, masked ones and all
            raise _null(masked)


def _from_arrow(positions: Any) -> Any:
    """An Arrow array without nulls, of integers; ``None`` where PyArrow is not installed but ``__array__`` helps."""
    if hasattr(positions, "__array__") and not _is_pyarrow(positions):
        return None
    arrow = require("pyarrow", "reading an Arrow array")
    if not isinstance(positions, arrow.Array | arrow.ChunkedArray):
        streams = hasattr(positions, "__arrow_c_stream__")
        positions = arrow.chunked_array(positions) if streams else arrow.array(positions)
    if not arrow.types.is_integer(positions.type):
        hint = _OF_A_MASK if arrow.types.is_boolean(positions.type) else ""
        raise TypeError(f"positions must be integers, not Arrow {positions.type}{hint}")
    if positions.null_count:
        raise _null(positions.null_count)
    if isinstance(positions, arrow.ChunkedArray):
        positions = positions.chunk(0) if positions.num_chunks == 1 else positions.combine_chunks()
        if isinstance(positions, arrow.ChunkedArray):  # combine_chunks() of no chunks
            return b""
    try:
        positions = positions.cast(arrow.int64())
    except arrow.ArrowInvalid as error:
        raise _too_large(positions.to_pylist()) from error
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
        nulls = _nulls_of(positions)
        if nulls:  # they made floats or objects of integers
            raise _null(nulls)
        hint = _OF_A_MASK if numbers.dtype.kind == "b" else ""
        raise TypeError(f"positions must be integers, not {numbers.dtype}{hint}")
    if numbers.dtype.kind == "u" and numbers.dtype.itemsize == 8 and numbers.size and int(numbers.max()) > MAX_POSITION:
        index = int((numbers > MAX_POSITION).argmax())
        raise _too_large([int(numbers[index])], index)
    return module.ascontiguousarray(numbers, dtype=module.int64)


def is_int64(view: memoryview) -> bool:
    """Whether it is one contiguous dimension of int64."""
    return view.ndim == 1 and view.format in _INT64_FORMATS and view.itemsize == 8 and view.c_contiguous


def _from_view(view: memoryview) -> Any:
    code = view.format
    if is_int64(view):
        return view
    if view.ndim != 1 or code.lstrip("@=<>!") not in _INTEGER_FORMATS:
        hint = _OF_A_MASK if code == "?" else ""
        raise TypeError(f"positions must be one dimension of integers, not a buffer of format {code!r}{hint}")
    try:
        return _from_iterable(view.tolist())
    except NotImplementedError as error:  # memoryviews read nothing but the machine's own byte order and sizes
        raise TypeError(f"positions must be integers of the machine's own format, not {code!r}") from error


def _from_iterable(positions: Iterable[SupportsIndex]) -> array.array[int]:
    numbers, remaining = array.array("q"), iter(positions)
    try:
        while chunk := list(islice(remaining, _CHUNK)):
            if any(kind.__name__ in {"bool", "bool_"} for kind in set(map(type, chunk))):
                raise TypeError(f"positions must be integers, not bool{_OF_A_MASK}")
            numbers.fromlist(chunk)  # type: ignore[arg-type]  # it calls __index__
    except OverflowError as error:  # which leaves the numbers as they were before this chunk
        raise _too_large(chunk, len(numbers)) from error
    return numbers


def _nulls_of(series: Any) -> int:
    """How many values a Polars or pandas series lacks."""
    if callable(getattr(series, "null_count", None)):
        return int(series.null_count())
    return int(series.isna().sum()) if callable(getattr(series, "isna", None)) else 0


def _null(count: int) -> DvInvalidArgument:
    return DvInvalidArgument(f"positions hold {count} {'null' if count == 1 else 'nulls'}")


def _too_large(numbers: Iterable[SupportsIndex], first: int = 0, most: int = MAX_POSITION) -> DvInvalidArgument:
    """For numbers, of which the first has a given index, that are not all of them positions."""
    for index, number in enumerate(map(operator.index, numbers), first):
        if not 0 <= number <= most:
            return DvInvalidArgument(f"position {number} at index {index} is out of range: expected 0 to {most}")
    return DvInvalidArgument(f"a position is out of range: expected 0 to {most}")  # not when asked again
