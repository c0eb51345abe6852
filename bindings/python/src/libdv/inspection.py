"""What some bytes are and how they are built."""

from __future__ import annotations

import json
from ctypes import byref
from typing import TYPE_CHECKING, Any, Literal

from libdv import _arguments, _callbacks
from libdv._abi import Bytes
from libdv._buffers import drain
from libdv.source import opened

if TYPE_CHECKING:
    from libdv.source import SourceLike

    Format = Literal["puffin", "dv-blob", "delta-dv", "roaring-64", "mumbling"]


def inspect(source: SourceLike, format: Format | None = None) -> dict[str, Any]:  # noqa: A002  # the contract's word
    """Describe bytes: their format and sizes, each vector with its cardinality, bounds and containers, and faults.

    It also succeeds on damaged input: that is what it is for.

    Args:
        source: A path, bytes, a binary file object with ``read`` and ``seek``, or a :class:`Source`.
        format: What the bytes are; ``None``: guess.

    Returns:
        The object of ``dv_inspect``, whose members ``docs/inspect.md`` lists; later versions may add some. Its
        ``format`` is ``"unknown"`` where no format fits, its ``fault`` is ``None`` where libdv's readers accept it all.

    Raises:
        DvInvalidArgument: The format has no such name.
        DvIOError: Reading failed. What a file object raises comes through as it is.

    Example:
        >>> import libdv
        >>> blob = bytearray(libdv.DeletionVector([1]).serialize())
        >>> blob[-2] ^= 0x71  # damaged
        >>> found = libdv.inspect(blob)
        >>> found["format"], found["fault"]["status"], found["vectors"][0]["cardinality"]
        ('dv-blob', 'DV_CORRUPT', 1)
    """
    name = None if format is None else _arguments.text(format, "format")
    out = Bytes()
    with opened(source) as handle, handle as pointer:
        library = handle.native
        library.check(_callbacks.run(library.dv_inspect, pointer, name, byref(out)))
        found: dict[str, Any] = json.loads(drain(library, out))
        return found
