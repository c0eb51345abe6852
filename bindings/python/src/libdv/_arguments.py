"""Checks of arguments that ctypes would silently bend: integers it cuts to size, strings it cuts at a NUL."""

from __future__ import annotations

import json
import operator
import os
from collections.abc import Iterable
from typing import Any, Final, SupportsIndex

from libdv import _abi
from libdv._abi import INT64_MAX
from libdv._buffers import check_plain
from libdv.errors import DvInvalidArgument

INT32_MAX: Final = 2**31 - 1
_SHOWN: Final = 60  # characters of a foreign string in a message


def integer(value: SupportsIndex, name: str, low: int, high: int) -> int:
    """``value`` as an int between ``low`` and ``high``, both included.

    Raises:
        TypeError: It is no integer.
        DvInvalidArgument: It is out of range.
    """
    number = operator.index(value)
    if low <= number <= high:
        return number
    raise DvInvalidArgument(f"{name} {number} is out of range: expected {low} to {high}")


def position(value: SupportsIndex) -> int:
    """A row number in a data file.

    Raises:
        TypeError: It is no integer, or a bool, which is a row's mark and not its number.
        DvInvalidArgument: It is out of range.
    """
    return integer(_no_bool(value), "position", 0, _abi.MAX_POSITION)


def start_of(value: SupportsIndex) -> int:
    """The start of a range."""
    return integer(value, "start", 0, INT64_MAX)


def end_of(value: SupportsIndex | None) -> int:
    """The end of a range that is read; ``None``: no end."""
    return INT64_MAX if value is None else integer(value, "end", -INT64_MAX, INT64_MAX)


def length_of(value: SupportsIndex, start: int) -> int:
    """The number of rows of a window that begins at ``start``."""
    return integer(value, "length", 0, INT64_MAX - start)


def window(start: SupportsIndex, length: SupportsIndex) -> tuple[int, int]:
    """The start and the number of rows of a window."""
    if type(start) is type(length) is int and start >= 0 <= length <= INT64_MAX - start:  # what nearly every call has
        return start, length
    first = start_of(start)
    return first, length_of(length, first)


def expected(value: SupportsIndex | None, name: str = "expected cardinality") -> int:
    """A number to check against; ``None``: unknown."""
    if type(value) is int and 0 <= value <= INT64_MAX:
        return value
    return _abi.UNKNOWN if value is None else integer(value, name, 0, INT64_MAX)


def expected32(value: SupportsIndex | None, name: str) -> int:
    """An int32 to check against; ``None``: unknown."""
    return _abi.UNKNOWN if value is None else integer(value, name, 0, INT32_MAX)


def text(value: str, name: str) -> bytes:
    """A string for C.

    Raises:
        TypeError: It is no string.
        DvInvalidArgument: It holds a NUL character, or a surrogate that UTF-8 cannot express.
    """
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a str, not {type(value).__name__}")
    try:
        data = value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise DvInvalidArgument(f"{name} {_cut(value)} is not valid Unicode: {error.reason}") from error
    return _without_nul(data, name, value)


def path(value: str | bytes | os.PathLike[str] | os.PathLike[bytes]) -> bytes:
    """A file system path for C, byte for byte.

    Raises:
        DvInvalidArgument: It holds a NUL character.
    """
    return _without_nul(os.fsencode(value), "path", value)


def json_text(value: Any, name: str) -> bytes:
    """JSON for C: a ``str`` or bytes verbatim, anything else through :func:`json.dumps`.

    Raises:
        DvInvalidArgument: The value cannot be written as JSON.
    """
    if isinstance(value, bytes | bytearray | memoryview):
        check_plain(memoryview(value), name)
        return _without_nul(bytes(value), name, value)
    if isinstance(value, str):
        return text(value, name)
    try:
        return text(json.dumps(value, allow_nan=False), name)
    except (TypeError, ValueError) as error:
        raise DvInvalidArgument(f"{name} cannot be written as JSON: {error}") from error


def _without_nul(data: bytes, name: str, value: object) -> bytes:
    if b"\0" in data:
        raise DvInvalidArgument(f"{name} {_cut(value)} holds a NUL character at byte {data.index(0)}")
    return data


def _cut(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}..."


def row_or_none(value: SupportsIndex) -> int | None:
    """An integer that can be a row number, ``None`` for another integer.

    Raises:
        TypeError: It is no integer, or a bool.
    """
    number = operator.index(_no_bool(value))
    return number if 0 <= number <= _abi.MAX_POSITION else None


def _no_bool(value: SupportsIndex) -> SupportsIndex:
    if isinstance(value, bool):
        raise TypeError("a position must be an integer, not bool")
    return value


def index_of(value: SupportsIndex, count: int) -> int:
    """Which of the blobs of a Puffin file is meant, counted from the first; a negative index counts from the end.

    Raises:
        TypeError: It is no integer.
        IndexError: There is no such blob.
    """
    try:
        number = operator.index(value)
    except TypeError as error:
        raise TypeError(f"the index of a blob must be an integer, not {type(value).__name__}") from error
    if -count <= number < count:
        return number % count
    raise IndexError(f"there is no blob {number}: the Puffin file has {count}")


def lengths_of(value: SupportsIndex | Iterable[SupportsIndex], count: int) -> list[int]:
    """The numbers of rows of ``count`` windows from row 0 on, which may be given as one number for all.

    Raises:
        TypeError: There is something that is no integer.
        DvInvalidArgument: One is out of range, or there is another number of them.
    """
    if isinstance(value, str | bytes | bytearray):
        raise TypeError(f"lengths must be integers, not {type(value).__name__}")
    if not isinstance(value, Iterable) or getattr(value, "ndim", None) == 0:  # of NumPy's arrays that is a number
        return [length_of(value, 0)] * count  # type: ignore[arg-type]
    rows = [length_of(length, 0) for length in value]
    if len(rows) != count:
        raise DvInvalidArgument(f"lengths has {len(rows)} numbers: expected one for each of {count} blobs")
    return rows


def instance(value: object, cls: type, name: str) -> None:
    """Check the class of an argument.

    Raises:
        TypeError: It is of another.
    """
    if not isinstance(value, cls):
        raise TypeError(f"{name} must be a {cls.__name__}, not {type(value).__name__}")
