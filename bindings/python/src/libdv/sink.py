"""Where a file is written to."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, TypeAlias

from libdv import _arguments
from libdv._file_object import (
    Callbacks,
    FileWriter,
    describe,
    finish_callback,
    is_writable_file,
    write_callback,
)
from libdv._handle import Handle, Owner
from libdv._loader import native

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Self

    SinkLike: TypeAlias = "Sink | str | os.PathLike[str] | Any"
    """A :class:`Sink`, a path, or a file object with ``write``."""


class Sink(Owner):
    """Where one file goes. The writers take a path or a file object as well, and make a sink of it.

    A sink serves one file: once a writer has committed or dropped it, every further use is :class:`libdv.DvState`.
    Closing an unfinished sink drops the file.

    - A path: the file appears whole when the writer finishes, or not at all. An existing file is an error.
    - A file object: bytes are written as they come, and flushed at the end. The file is not closed. After a failure it
      holds a part that its owner should drop.
    - Memory: :meth:`take` gives the bytes.

    Example:
        >>> from libdv import DeletionVector, DeltaDVWriter, Sink
        >>> sink = Sink.memory()
        >>> with DeltaDVWriter(sink) as writer:
        ...     result = writer.write(DeletionVector([1]))
        >>> len(sink.take()), result
        (43, DeltaResult(cardinality=1, offset=1, size_in_bytes=34))
    """

    __slots__ = ()

    def __init__(self, target: SinkLike) -> None:
        """Open a sink on a path (``str`` or :class:`os.PathLike`) or on a binary file object with ``write``.

        Raises:
            TypeError: It is something else, or a text file.
            DvIOError: The file cannot be made there.
        """
        if isinstance(target, str | os.PathLike):
            self._open("dv_sink_path", _arguments.path(target))
        elif is_writable_file(target):
            writer = FileWriter(target)
            self._open_callbacks(writer.write, writer.finish)
        else:
            raise TypeError(f"cannot write to {describe(target)}: expected a path or a binary file with write()")

    @classmethod
    def memory(cls) -> Self:
        """A sink that keeps the file in memory, for :meth:`take`."""
        sink = cls.__new__(cls)
        sink._open("dv_sink_memory")
        return sink

    @classmethod
    def from_functions(cls, write: Callable[[bytes], Any], finish: Callable[[bool], Any]) -> Self:
        """A sink over functions, for storage that commits or drops a file.

        Args:
            write: Takes the next bytes, all of them, or raises. It may keep them.
            finish: Called exactly once: with ``True`` to commit the file, where raising means that it was not; with
                ``False`` to drop it.

        What they raise, the caller of libdv gets, the same object.
        """
        sink = cls.__new__(cls)
        sink._open_callbacks(write, finish)
        return sink

    def take(self) -> bytes:
        """The bytes of a finished memory sink, once.

        Raises:
            DvState: The file is not finished, was taken before, or is no memory sink's.
        """
        return self._take("dv_sink_take")

    def _open(self, function: str, *arguments: Any, kept: tuple[Any, ...] = ()) -> None:
        library = native()
        self._handle = Handle(library, "dv_sink_free", "this Sink", *kept, calls_back=True)
        library.check(getattr(library, function)(*arguments, self._handle.out))

    def _open_callbacks(self, write: Callable[[bytes], Any], finish: Callable[[bool], Any]) -> None:
        functions = write_callback(write), finish_callback(finish)
        self._open("dv_sink_callbacks", None, *functions, kept=(Callbacks(*functions),))
