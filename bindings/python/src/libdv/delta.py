"""Deletion vector descriptors of Delta logs, and reading what they point at."""

from __future__ import annotations

import json
from collections.abc import Mapping
from ctypes import byref
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, SupportsIndex

from libdv import _arguments
from libdv._abi import DeltaResultStruct
from libdv._buffers import take_bytes
from libdv._filesystems import open_delta_file
from libdv._loader import native
from libdv.delta_writer import DeltaResult
from libdv.errors import DvInvalidArgument
from libdv.source import opened
from libdv.vector import DeletionVector

if TYPE_CHECKING:
    import os

    from libdv.source import SourceLike

INLINE: Final = "i"
"""The storage type of a vector that is in the log itself."""


@dataclass(frozen=True)
class DeltaDescriptor:
    """The ``deletionVector`` object of an ``add`` or ``remove`` action.

    Attributes:
        storage_type: ``u``: a file of the table, named by a UUID; ``r``: a relative path; ``p``: an absolute URL;
            ``i``: inline.
        path_or_inline_dv: What the storage type says: an encoded UUID, a path, or the vector's text.
        size_in_bytes: The length of magic and bitmap.
        cardinality: The number of positions.
        offset: Of the size field in the file; ``None``: absent.

    Example:
        >>> from libdv import DeletionVector, DeltaDescriptor
        >>> descriptor = DeltaDescriptor.inline(DeletionVector([3, 4, 7, 11, 18, 29]))
        >>> descriptor.storage_type, descriptor.size_in_bytes, descriptor.cardinality
        ('i', 44, 6)
        >>> DeltaDescriptor.from_dict(descriptor.to_dict()) == descriptor
        True
        >>> descriptor.read()
        DeletionVector([3, 4, 7, 11, 18, 29])
    """

    storage_type: str
    path_or_inline_dv: str
    size_in_bytes: int
    cardinality: int
    offset: int | None = None

    @classmethod
    def for_file(cls, relative_path: str, result: DeltaResult) -> DeltaDescriptor:
        """The descriptor (``u``) of a vector in a file that a :class:`DeltaDVWriter` wrote.

        Args:
            relative_path: ``[prefix/]deletion_vector_<uuid>.bin``, relative to the table: see :func:`delta_dv_path`.
            result: What ``write`` returned.

        Raises:
            TypeError: The result is no :class:`DeltaResult`.
            DvInvalidArgument: The path has another form.
        """
        _arguments.instance(result, DeltaResult, "result")
        where = DeltaResultStruct(
            _arguments.integer(result.cardinality, "cardinality", 0, 2**63 - 1),
            _arguments.integer(result.offset, "offset", 0, _arguments.INT32_MAX),
            _arguments.integer(result.size_in_bytes, "size_in_bytes", 0, _arguments.INT32_MAX),
        )
        path, library = _arguments.text(relative_path, "relative_path"), native()
        return cls._parse(take_bytes(library, library.dv_delta_descriptor_new, path, byref(where)))

    @classmethod
    def inline(cls, vector: DeletionVector) -> DeltaDescriptor:
        """The descriptor (``i``) that holds a vector itself.

        Raises:
            TypeError: It is no vector.
            DvLimit: The vector is too large.
        """
        _arguments.instance(vector, DeletionVector, "vector")
        return cls._parse(vector._take("dv_delta_descriptor_inline"))

    @classmethod
    def from_json(cls, text: str | bytes) -> DeltaDescriptor:
        """Read the JSON of a descriptor; unknown members are ignored.

        Raises:
            DvInvalidArgument: It is no JSON object, a member is missing, has a wrong type or a negative number, or the
                encoded UUID is malformed. Inline text is checked when it is read.
            DvUnsupported: The storage type is unknown.
        """
        data = _arguments.json_text(text, "descriptor")
        _unique_id(data)  # checks it all
        return cls._parse(data)

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> DeltaDescriptor:
        """Read a descriptor as a parsed log entry holds it. Errors as in :meth:`from_json`."""
        if not isinstance(value, Mapping):
            raise TypeError(f"a descriptor is a mapping, not {type(value).__name__}")
        known = {key: value[key] for key in _MEMBERS if key in value}
        return cls.from_json(_arguments.json_text(known, "descriptor"))

    @classmethod
    def _parse(cls, data: bytes) -> DeltaDescriptor:
        value = json.loads(data)
        return cls(
            storage_type=value["storageType"],
            path_or_inline_dv=value["pathOrInlineDv"],
            size_in_bytes=value["sizeInBytes"],
            cardinality=value["cardinality"],
            offset=value.get("offset"),
        )

    def to_dict(self) -> dict[str, Any]:
        """The object as an action in the log holds it; without ``offset`` where there is none."""
        values = (
            self.storage_type,
            self.path_or_inline_dv,
            self.offset,
            self.size_in_bytes,
            self.cardinality,
        )
        return {name: value for name, value in zip(_MEMBERS, values, strict=True) if value is not None}

    def to_json(self) -> str:
        """The JSON of :meth:`to_dict`."""
        return json.dumps(self.to_dict())

    @property
    def path(self) -> str:
        """Where its file is: relative to the table (``u`` and ``r``), as given (``p``), empty if inline.

        Raises:
            DvError: The descriptor is malformed: see :meth:`from_json`.
        """
        library = native()
        return take_bytes(library, library.dv_delta_descriptor_path, self._json()).decode("utf-8")

    @property
    def unique_id(self) -> str:
        """What tells vectors apart in a log: storage type, path or inline text, and ``@offset`` where there is one.

        Raises:
            DvError: The descriptor is malformed: see :meth:`from_json`.
        """
        return _unique_id(self._json())

    def read(self, source: SourceLike | None = None) -> DeletionVector:
        """Read the vector; its size and cardinality are checked.

        Args:
            source: Its file: a path, bytes, a binary file object with ``read`` and ``seek``, or a :class:`Source`;
                ``None`` if it is inline. To have the file found and opened, use :func:`read_delta_dv`.

        Raises:
            DvInvalidArgument: It is not inline and there is no source, or the descriptor is malformed.
            DvCorrupt: The bytes break their format.
            DvMismatch: They have another size, or hold another number of positions.
            DvUnsupported: The storage type or the encoding is unknown.
            DvIOError: Reading failed. What a file object raises comes through as it is.
        """
        if source is None:
            return DeletionVector._make("dv_delta_descriptor_read", None, self._json())
        with opened(source) as handle, handle as pointer:
            return DeletionVector._read(handle, "dv_delta_descriptor_read", pointer, self._json())

    def _json(self) -> bytes:
        return _arguments.json_text(self.to_dict(), "descriptor")


_MEMBERS: Final = ("storageType", "pathOrInlineDv", "offset", "sizeInBytes", "cardinality")


def _unique_id(data: bytes) -> str:
    library = native()
    return take_bytes(library, library.dv_delta_descriptor_unique_id, data).decode("utf-8")


def read_delta_record(
    source: SourceLike,
    offset: SupportsIndex | None = None,
    size_in_bytes: SupportsIndex | None = None,
    cardinality: SupportsIndex | None = None,
) -> DeletionVector:
    """Read one vector of a Delta deletion vector file.

    Args:
        source: The file: a path, bytes, a binary file object with ``read`` and ``seek``, or a :class:`Source`.
        offset: The descriptor's, of the size field; ``None``: absent.
        size_in_bytes: The descriptor's, to be checked; ``None``: unknown.
        cardinality: The descriptor's, to be checked; ``None``: unknown.

    Raises:
        DvCorrupt: There is no vector at that offset, or its bytes break their format.
        DvMismatch: It has another size, or holds another number of positions.
        DvUnsupported: The file's version or the vector's form is not one that libdv reads.
        DvIOError: Reading failed. What a file object raises comes through as it is.
    """
    arguments = (
        _arguments.expected32(offset, "offset"),
        _arguments.expected32(size_in_bytes, "size_in_bytes"),
        _arguments.expected(cardinality, "cardinality"),
    )
    with opened(source) as handle, handle as pointer:
        return DeletionVector._read(handle, "dv_delta_read", pointer, *arguments)


def read_delta_dv(
    descriptor: DeltaDescriptor | Mapping[str, Any] | str,
    table_root: str | os.PathLike[str] = "",
    filesystem: Any = None,
) -> DeletionVector:
    """Read the vector that a descriptor in a Delta log points at.

    Args:
        descriptor: A :class:`DeltaDescriptor`, the ``deletionVector`` object of an action, or its JSON.
        table_root: The table's root: a local path, a URL, or a path of ``filesystem``. Not needed if the vector is
            inline.
        filesystem: An fsspec or PyArrow filesystem that holds the table. ``None``: the local one; for the URL of
            another scheme, the one that fsspec has for it.

    Raises:
        DvInvalidArgument: The descriptor is malformed, or there is no table root.
        DvLoadError: fsspec is needed and not installed.
        OSError: The file cannot be opened; the filesystem's own exception.
        DvError: As in :meth:`DeltaDescriptor.read`.

    Example:
        >>> from libdv import DeletionVector, DeltaDescriptor, read_delta_dv
        >>> action = {"deletionVector": DeltaDescriptor.inline(DeletionVector([1, 2])).to_dict()}
        >>> read_delta_dv(action["deletionVector"])
        DeletionVector([1, 2])
    """
    if isinstance(descriptor, str):
        descriptor = DeltaDescriptor.from_json(descriptor)
    elif not isinstance(descriptor, DeltaDescriptor):
        descriptor = DeltaDescriptor.from_dict(descriptor)
    if descriptor.storage_type == INLINE:
        return descriptor.read()
    if not table_root and descriptor.storage_type != "p":
        raise DvInvalidArgument("table_root is needed: the vector is in a file of the table")
    with open_delta_file(descriptor.path, descriptor.storage_type == "p", table_root, filesystem) as file:
        return descriptor.read(file)
