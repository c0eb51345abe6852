"""Writing deletion vector files of Delta tables."""

from __future__ import annotations

import uuid
from ctypes import byref
from typing import TYPE_CHECKING, Final, NamedTuple

from libdv import _arguments
from libdv._abi import DeltaResultStruct
from libdv._buffers import take_bytes
from libdv._handle import Handle, Owner
from libdv._loader import native
from libdv.sink import Sink
from libdv.vector import DeletionVector

if TYPE_CHECKING:
    from types import TracebackType

    from libdv.sink import SinkLike

_ANYWHERE: Final = DeltaResultStruct(1, 1, 34)


class DeltaResult(NamedTuple):
    """Where one vector lies in a Delta deletion vector file.

    Attributes:
        cardinality: The number of positions.
        offset: Of the size field, in bytes from the start of the file.
        size_in_bytes: ``sizeInBytes`` of a descriptor: the length of magic and bitmap.
    """

    cardinality: int
    offset: int
    size_in_bytes: int


def delta_dv_path(prefix: str = "") -> str:
    """A new path for a deletion vector file, relative to the table: ``[prefix/]deletion_vector_<uuid>.bin``.

    Args:
        prefix: A directory below the table's root, without ``/`` at its ends; empty: none.

    Raises:
        TypeError: The prefix is no string.
        DvInvalidArgument: No descriptor could point at a file there: the prefix is absolute, or has an empty, ``.`` or
            ``..`` segment.

    Example:
        >>> from libdv import delta_dv_path
        >>> delta_dv_path("ab")
        'ab/deletion_vector_....bin'
    """
    name = f"deletion_vector_{uuid.uuid4()}.bin"
    _arguments.instance(prefix, str, "prefix")
    if not prefix:
        return name
    path, library = f"{prefix}/{name}", native()
    # its descriptor is made and dropped: no file is written that nothing can point at
    take_bytes(library, library.dv_delta_descriptor_new, _arguments.text(path, "path"), byref(_ANYWHERE))
    return path


class DeltaDVWriter(Owner):
    """Streams deletion vectors into one Delta file; memory holds one vector at a time.

    As a context manager it finalizes the file at the end of the block, and drops it if the block raises.

    Example:
        >>> import io
        >>> from libdv import DeletionVector, DeltaDVWriter
        >>> file = io.BytesIO()
        >>> with DeltaDVWriter(file) as writer:
        ...     writer.write(DeletionVector([1, 2]))
        ...     writer.write(DeletionVector([7]))
        DeltaResult(cardinality=2, offset=1, size_in_bytes=36)
        DeltaResult(cardinality=1, offset=45, size_in_bytes=34)
        >>> len(file.getvalue())
        87
    """

    __slots__ = ("_finalized", "_opened", "_sink")

    def __init__(self, target: SinkLike) -> None:
        """Begin a file.

        Args:
            target: A path, where the file appears whole or not at all, and must not exist; a binary file object with
                ``write``, which is flushed at the end and not closed; or a :class:`Sink`.

        Raises:
            DvIOError: The file cannot be made there.
            DvState: The sink was used before.
        """
        library = native()
        self._finalized = False
        given = target if isinstance(target, Sink) else Sink(target)
        self._opened = None if given is target else given  # closed with this object
        self._sink = given._handle
        self._handle = Handle(library, "dv_delta_writer_free", "this DeltaDVWriter", calls_back=True)
        with self._sink as pointer:
            library.check(library.dv_delta_writer_new(pointer, self._handle.out))

    def write(self, vector: DeletionVector) -> DeltaResult:
        """Append a vector.

        Returns:
            Where it is, for a descriptor.

        Raises:
            TypeError: It is no vector.
            DvLimit: Its offset or size would not fit int32. Nothing of it was written: the file can be finalized.
            DvIOError: Writing failed, and the file is dropped; later calls are :class:`libdv.DvState`. What a file
                object raises comes through as it is.
            DvState: The file is finalized, or an earlier write failed.
        """
        _arguments.instance(vector, DeletionVector, "vector")
        out = DeltaResultStruct()
        with self._sink, vector._handle as pointer:
            self._call_back("dv_delta_writer_write", pointer, byref(out))
        return DeltaResult(out.cardinality, out.offset, out.size_in_bytes)

    def finalize(self) -> None:
        """Flush and commit the file.

        Raises:
            DvIOError: That failed, or the path exists; the file is dropped. What a file object raises comes through.
            DvState: The file is finalized already, or an earlier write failed.
        """
        with self._sink:
            self._call_back("dv_delta_writer_finalize")
        self._finalized = True

    def close(self) -> None:
        """Free the writer. A file that is not finalized is dropped. A second call does nothing."""
        super().close()
        if self._opened is not None:
            self._opened.close()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        try:
            if kind is None and not self._finalized and not self.closed:
                self.finalize()
        finally:
            self.close()
