"""Where bytes are read from."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias

from libdv import _arguments
from libdv._abi import INT64_MAX
from libdv._buffers import Lent
from libdv._file_object import Callbacks, FileReader, copy_into, describe, is_readable_file, read_at_callback
from libdv._handle import Handle, Owner
from libdv._loader import native

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from typing_extensions import Self

    from libdv._buffers import BytesLike

    SourceLike: TypeAlias = "Source | BytesLike | str | os.PathLike[str] | Any"
    """A :class:`Source`, a path, anything with a contiguous buffer, or a file object with ``read`` and ``seek``."""


class Source(Owner):
    """Random-access bytes, opened once and read as often as needed.

    Every function that reads takes a path, bytes or a file object as well, and opens a source around the call. Keep a
    source where many vectors are read from one place. Any number of threads may read from it at a time; those of one
    file object take turns.

    Example:
        >>> import io
        >>> from libdv import DeletionVector, Source, read_range
        >>> file = io.BytesIO(b"head" + DeletionVector([4, 2]).serialize())
        >>> with Source(file) as source:
        ...     read_range(source, offset=4, size=source.size - 4)
        DeletionVector([2, 4])
    """

    __slots__ = ("size",)

    size: int | None
    """In bytes; ``None`` for a path, whose size the library asks for itself."""

    def __init__(self, data: SourceLike) -> None:
        """Open a source.

        Args:
            data: A path (``str`` or :class:`os.PathLike`); anything with a contiguous buffer, which is lent without a
                copy and must not change; or a binary file object with ``read`` (or ``readinto``), ``seek`` and
                ``tell``, as ``open``, fsspec and PyArrow give. Of ``read`` and ``readinto`` the one is called that the
                most derived class defines (``readinto`` where that defines both), so overriding either is enough. Its
                position is restored after each read, and it is not closed.

        Raises:
            TypeError: It is something else, or a text file.
            io.UnsupportedOperation: The file object cannot seek.
            DvIOError: The path cannot be opened.
        """
        if isinstance(data, str | os.PathLike):
            self._open("dv_source_path", _arguments.path(data))
            self.size = None
            return
        buffer: Any = data
        try:
            lent = Lent(buffer)
        except TypeError:
            self._open_file(buffer)
        else:
            self._open("dv_source_memory", lent.address, lent.size, kept=(lent,))
            self.size = lent.size

    @classmethod
    def from_function(cls, size: SupportsIndex, read: Callable[[int, int], BytesLike]) -> Self:
        """A source over ranged requests, such as an object store's.

        Args:
            size: Of the whole, in bytes.
            read: ``read(offset, size)`` returns bytes, at most ``size`` of them; fewer are asked for again, none means
                the end. Threads that read from the source at once call it at once. What it raises, the caller of libdv
                gets.

        Example:
            >>> from libdv import DeletionVector, Source, read_range
            >>> blob = DeletionVector([1]).serialize()
            >>> source = Source.from_function(len(blob), lambda offset, size: blob[offset : offset + size])
            >>> read_range(source, 0, len(blob))
            DeletionVector([1])
        """
        source = cls.__new__(cls)
        total = _arguments.integer(size, "size", 0, INT64_MAX)
        source._open_callbacks(total, lambda offset, view: copy_into(view, read(offset, len(view)), read))
        return source

    def _open(self, function: str, *arguments: Any, kept: tuple[Any, ...] = ()) -> None:
        library = native()
        self._handle = Handle(library, "dv_source_free", "this Source", *kept)
        library.check(getattr(library, function)(*arguments, self._handle.out))

    def _open_file(self, file: Any) -> None:
        if not is_readable_file(file):
            raise TypeError(
                f"cannot read from {describe(file)}: expected a path, bytes, or a binary file with read() and seek()"
            )
        reader = FileReader(file)
        self._open_callbacks(reader.size, reader.read_at)

    def _open_callbacks(self, size: int, read_at: Callable[[int, memoryview], int]) -> None:
        function = read_at_callback(read_at)
        self._open("dv_source_callbacks", None, size, function, kept=(Callbacks(function),))
        self._handle.asks_python = True
        self.size = size


@contextmanager
def opened(source: SourceLike) -> Iterator[Handle]:
    """The handle of a source: of the caller's own, or of one for the length of a block."""
    if isinstance(source, Source):
        yield source._handle
        return
    with Source(source) as temporary:
        yield temporary._handle
