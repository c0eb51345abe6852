"""Writing deletes into Iceberg tables: one Puffin file, one vector per data file, and the entries for the manifests."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from ctypes import byref
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex, TypeAlias

from libdv import _arguments
from libdv._abi import Bytes
from libdv._buffers import drain
from libdv._handle import Handle, Owner
from libdv._loader import native
from libdv._positions import LentPositions
from libdv.errors import DvInvalidArgument
from libdv.sink import Sink
from libdv.vector import DeletionVector

if TYPE_CHECKING:
    from typing_extensions import Self

    from libdv._positions import Positions
    from libdv.sink import SinkLike

    Partition: TypeAlias = Mapping[Any, Any] | Sequence[Any] | str | None
    """Partition values: a mapping from partition field id to value, a sequence in the spec's order, or the JSON text of
    either, which is copied verbatim. Values are Iceberg's single-value JSON: a date is ``"2022-01-08"``, a decimal a
    string."""


class ContentFiles(list[dict[str, Any]]):
    """The content files of one flush, as dicts in the form of the Iceberg REST catalog's ``ContentFile``.

    Attributes:
        json: The same as the JSON text that the library wrote, with the partition values token by token as they were
            given.
    """

    json: str

    def __init__(self, text: str) -> None:
        """Parse a JSON array of content files."""
        super().__init__(json.loads(text))
        self.json = text


class Flushed(NamedTuple):
    """A Puffin file in memory.

    Attributes:
        data: The file; empty if nothing was added.
        entries: One content file per vector.
    """

    data: bytes
    entries: ContentFiles


class DVWriter(Owner):
    """Collects deletes per data file; a flush writes one Puffin file with one deletion vector per data file.

    The first ``add`` or ``load`` of a data file fixes its partition spec and partition; later ones only add positions.
    After a flush the writer is empty and can be used again; after a failed one it still holds everything.

    Example:
        >>> from libdv import DVWriter
        >>> writer = DVWriter([{"spec-id": 1, "fields": [
        ...     {"name": "day", "transform": "day", "source-id": 3, "field-id": 1000}]}])
        >>> writer.add("s3://b/a.parquet", [4, 2], spec_id=1, partition={1000: "2022-01-08"})
        >>> data, [entry] = writer.flush_to_bytes("s3://b/d.puffin")
        >>> entry["referenced-data-file"], entry["record-count"], entry["partition"]
        ('s3://b/a.parquet', 2, ['2022-01-08'])
    """

    __slots__ = ()

    def __init__(self, partition_specs: Sequence[Mapping[str, Any]] | str | None = None) -> None:
        """Make an empty writer.

        Args:
            partition_specs: The ``partition-specs`` array of the table's metadata, parsed or as JSON text; ``None``:
                the table is unpartitioned, with spec 0 alone.

        Raises:
            DvInvalidArgument: The specs are malformed.
        """
        specs = None if partition_specs is None else _arguments.json_text(partition_specs, "partition_specs")
        library = native()
        self._handle = Handle(library, "dv_writer_free", "this DVWriter")
        library.check(library.dv_writer_new(specs, self._handle.out))

    @classmethod
    def from_table_metadata(cls, metadata: Mapping[str, Any] | str | bytes) -> Self:
        """A writer for a table, from its whole metadata: a parsed ``metadata.json``, or its text.

        Raises:
            DvInvalidArgument: The metadata is no JSON object with an array ``partition-specs``.
        """
        parsed: Any = metadata
        if isinstance(metadata, str | bytes):
            try:
                parsed = json.loads(metadata)
            except ValueError as error:
                raise DvInvalidArgument(f"table metadata is no JSON: {error}") from error
        specs = parsed.get("partition-specs") if isinstance(parsed, Mapping) else None
        if not isinstance(specs, Sequence) or isinstance(specs, str | bytes | bytearray):
            raise DvInvalidArgument("table metadata is no JSON object with an array partition-specs")
        return cls(specs)

    def add(
        self, data_file: str, positions: Positions, spec_id: SupportsIndex = 0, partition: Partition = None
    ) -> None:
        """Delete rows of a data file, all or none of them. No positions: nothing happens.

        Args:
            data_file: The data file's path, as the table knows it, byte for byte.
            positions: Row numbers: see :meth:`DeletionVector.add_many`.
            spec_id: Of the data file's partition spec.
            partition: The data file's partition values, with every field of the spec; ``None`` if it is unpartitioned.

        Raises:
            TypeError: The positions are no integers.
            DvInvalidArgument: A position is out of range, the spec is unknown, or the partition does not fit it.
        """
        target = _target(data_file, spec_id, partition)
        with LentPositions(positions) as lent:
            self._call("dv_writer_add", target[0], lent.address, lent.count, *target[1:])

    def load(
        self,
        data_file: str,
        existing: DeletionVector,
        spec_id: SupportsIndex = 0,
        partition: Partition = None,
    ) -> None:
        """Merge the vector that the data file has already, which the new one replaces. It is copied.

        Args:
            data_file: The data file's path, as the table knows it, byte for byte.
            existing: The data file's present vector.
            spec_id: Of the data file's partition spec.
            partition: The data file's partition values; ``None`` if it is unpartitioned.

        Raises:
            TypeError: ``existing`` is no vector.
            DvInvalidArgument: The spec is unknown, or the partition does not fit it.
        """
        _arguments.instance(existing, DeletionVector, "existing")
        target = _target(data_file, spec_id, partition)
        with existing._handle as pointer:
            self._call("dv_writer_load", target[0], pointer, *target[1:])

    def flush(self, target: SinkLike, location: str | None = None) -> ContentFiles:
        """Write the Puffin file.

        Args:
            target: A path, where the file appears whole or not at all, and must not exist; a binary file object with
                ``write``, which is flushed and not closed; or a :class:`Sink`.
            location: The file's path as the table will know it; needed unless ``target`` is a ``str`` or
                ``os.PathLike``, which then stands for it.

        Returns:
            One content file per data file, in the order in which they were first added. With nothing added it is empty,
            and no file is written.

        Raises:
            DvInvalidArgument: There is no location.
            DvLimit: A vector would be 2 GiB or more; nothing is written.
            DvIOError: Writing failed, or the path exists. What a file object raises comes through as it is.
            DvState: The sink was used before.
        """
        if isinstance(target, Sink):
            return self._flush(target, location)
        if location is None and isinstance(target, str | os.PathLike):
            location = os.fspath(target)
        with Sink(target) as sink:
            return self._flush(sink, location)

    def flush_to_bytes(self, location: str) -> Flushed:
        """Write the Puffin file into memory.

        Args:
            location: The file's path as the table will know it.

        Returns:
            The file and its content files; empty bytes and no content files with nothing added.

        Raises:
            DvLimit: A vector would be 2 GiB or more.
        """
        with Sink.memory() as sink:
            entries = self._flush(sink, location)
            return Flushed(sink.take() if entries else b"", entries)

    def _flush(self, sink: Sink, location: str | None) -> ContentFiles:
        if location is None:
            raise DvInvalidArgument("location is needed: the file's path as the table will know it")
        out = Bytes()
        with sink._handle as pointer:
            self._call_back("dv_writer_flush", pointer, _arguments.text(location, "location"), byref(out))
        return ContentFiles(drain(self._handle.native, out).decode("utf-8"))


def _target(data_file: str, spec_id: SupportsIndex, partition: Partition) -> tuple[Any, ...]:
    """The data file, spec id and partition of a call, for C."""
    return (
        _arguments.text(data_file, "data_file"),
        _arguments.integer(spec_id, "spec_id", -_arguments.INT32_MAX - 1, _arguments.INT32_MAX),
        None if partition is None else _arguments.json_text(partition, "partition"),
    )
