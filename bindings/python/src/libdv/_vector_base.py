"""What every part of :class:`libdv.DeletionVector` stands on: its handle, and how a new one is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from libdv import _callbacks
from libdv._handle import Handle, Owner
from libdv._loader import Native, native

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Self

    from libdv._handle import Kept

WHAT = "this DeletionVector"


def vector_handle(library: Native, *kept: Kept) -> Handle:
    """A place for a vector's handle."""
    return Handle(library, "dv_free", WHAT, *kept)


class VectorBase(Owner):
    """The handle of a vector."""

    __slots__ = ()

    @classmethod
    def _adopt(cls, handle: Handle) -> Self:
        """The vector that owns a filled handle."""
        vector = cls.__new__(cls)
        vector._handle = handle
        return vector

    @classmethod
    def _make(cls, function: str, *arguments: Any, library: Native | None = None) -> Self:
        """A vector from a C function whose last argument receives it."""
        library = library or native()
        handle = vector_handle(library)
        if status := getattr(library, function)(*arguments, handle.out):
            raise library.error(status)
        return cls._adopt(handle)

    @classmethod
    def _read(cls, source: Handle, function: str, *arguments: Any, after: tuple[Any, ...] = ()) -> Self:
        """Like ``_make``, for functions that read from a source and so may run Python code of the caller."""
        native = source.native
        handle = vector_handle(native)
        call: Callable[..., int] = getattr(native, function)
        if source.asks_python:
            status = _callbacks.run(call, *arguments, handle.out, *after)
        else:
            status = call(*arguments, handle.out, *after)
        if status:
            raise native.error(status)
        return cls._adopt(handle)
