"""What libdv raises: one class per status of the C library, under :class:`DvError`.

Each class is also the built-in exception that a Python programmer would expect, so ``except ValueError`` and
``except OSError`` work without knowing this package.
"""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar


class Status(IntEnum):
    """The statuses of the C library; the numbers never change."""

    DV_OK = 0
    DV_INVALID_ARGUMENT = 1
    DV_CORRUPT = 2
    DV_MISMATCH = 3
    DV_UNSUPPORTED = 4
    DV_LIMIT = 5
    DV_IO = 6
    DV_TOO_SMALL = 7
    DV_STATE = 8
    DV_NO_MEMORY = 9
    DV_FORKED = 10
    DV_INTERNAL = 11


class DvError(Exception):
    """Any failure of libdv.

    Attributes:
        status: The library's status, one of :class:`Status`; ``None`` where no call was made (a library that
            cannot be loaded).
        message: One line that says what was read, at which byte offset, what was found and what was expected.
    """

    _class_status: ClassVar[Status | None] = None

    def __init__(self, message: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.status: int | None = self._class_status


class DvInvalidArgument(DvError, ValueError):
    """An argument is out of range or malformed: a negative or too large position, bad JSON given by the caller."""

    _class_status = Status.DV_INVALID_ARGUMENT


class DvCorrupt(DvError, ValueError):
    """The bytes break their format: magic, CRC, length, order, truncated, trailing."""

    _class_status = Status.DV_CORRUPT


class DvMismatch(DvError, ValueError):
    """The bytes are well formed, but not what the caller says: cardinality, size, data file, type."""

    _class_status = Status.DV_MISMATCH


class DvUnsupported(DvError, NotImplementedError):
    """The bytes are well formed, but of a version, codec or encoding that libdv does not read."""

    _class_status = Status.DV_UNSUPPORTED


class DvLimit(DvError, OverflowError):
    """The result would not fit its format: a blob of 2 GiB, a Delta offset beyond int32, 8,192 containers."""

    _class_status = Status.DV_LIMIT


class DvIOError(DvError, OSError):
    """A file failed, or a source or sink of the caller did without raising an exception of its own.

    The message names the cause; ``errno`` and ``filename`` are ``None``, and it is no :class:`FileNotFoundError`.
    """

    _class_status = Status.DV_IO


class DvTooSmall(DvError, BufferError):
    """A buffer of the caller cannot hold the result."""

    _class_status = Status.DV_TOO_SMALL


class DvState(DvError, RuntimeError):
    """The object is closed or finished, or is being used by its own callback."""

    _class_status = Status.DV_STATE


class DvNoMemory(DvError, MemoryError):
    """An allocation was refused."""

    _class_status = Status.DV_NO_MEMORY


class DvForked(DvError, RuntimeError):
    """The object was made before ``fork()`` and is used in the child. New objects work there."""

    _class_status = Status.DV_FORKED


class DvInternal(DvError, RuntimeError):
    """A bug in the library; the process lives on."""

    _class_status = Status.DV_INTERNAL


class DvLoadError(DvError, ImportError):
    """The native library cannot be found or loaded, or has another ABI version. Its status is ``None``."""


class DvWarning(UserWarning):
    """The base of libdv's warnings."""


class MissingCardinalityWarning(DvWarning):
    """A Puffin blob lacks its cardinality property: the manifest entry's record count was checked alone."""


_CLASSES: dict[int, type[DvError]] = {
    int(cls._class_status or 0): cls
    for cls in (
        DvInvalidArgument,
        DvCorrupt,
        DvMismatch,
        DvUnsupported,
        DvLimit,
        DvIOError,
        DvTooSmall,
        DvState,
        DvNoMemory,
        DvForked,
        DvInternal,
    )
}


def error_for(status: int, message: str) -> DvError:
    """The exception for a failed call.

    A status that this version does not know gives a plain :class:`DvError` that carries the number.
    """
    cls = _CLASSES.get(status)
    if cls is not None:
        return cls(message)
    error = DvError(message)
    error.status = status
    return error
