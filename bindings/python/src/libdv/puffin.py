"""Iceberg's Puffin files, and the deletion vectors that manifest entries point at."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Iterator, Sequence
from ctypes import addressof, byref, c_size_t, c_uint32, c_void_p
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

from libdv import _abi, _arguments, _callbacks
from libdv._handle import Handle, Owner
from libdv._loader import native
from libdv._masks import keep_masks
from libdv.errors import MissingCardinalityWarning
from libdv.puffin_blob import PuffinBlob, blob_at
from libdv.source import Source, opened
from libdv.vector import DeletionVector

if TYPE_CHECKING:
    from libdv._buffers import BytesLike
    from libdv.mask import Mask
    from libdv.source import SourceLike


class PuffinFile(Owner, Sequence[PuffinBlob]):
    """An opened Puffin file: a sequence of its blobs. The footer is read and checked once, vectors on request.

    Example:
        >>> from libdv import DVWriter, PuffinFile
        >>> writer = DVWriter()
        >>> writer.add("s3://bucket/a.parquet", [1, 2, 3])
        >>> data, entries = writer.flush_to_bytes("s3://bucket/deletes.puffin")
        >>> with PuffinFile(data) as puffin:
        ...     for index, blob in enumerate(puffin):
        ...         print(blob.referenced_data_file, blob.cardinality, puffin.read(index))
        s3://bucket/a.parquet 3 DeletionVector([1, 2, 3])
    """

    __slots__ = ("_count", "_known", "_opened", "_source")

    def __init__(self, source: SourceLike) -> None:
        """Open a file.

        Args:
            source: A path, bytes, a binary file object with ``read`` (or ``readinto``) and ``seek``, or a
                :class:`Source`, which must stay open as long as vectors are read.

        Raises:
            DvCorrupt: It is no Puffin file, or its footer breaks the format.
            DvUnsupported: A flag or the footer's compression is unknown.
            DvIOError: Reading failed. What a file object raises comes through as it is.
        """
        library = native()
        given = source if isinstance(source, Source) else Source(source)
        self._opened = None if given is source else given  # closed with this object
        self._source = given._handle
        self._handle = Handle(library, "dv_puffin_free", "this PuffinFile")
        with self._source as pointer:
            library.check(_callbacks.run(library.dv_puffin_open, pointer, self._handle.out))
        self._known: dict[int, PuffinBlob] = {}
        count = c_size_t()
        self._call("dv_puffin_count", byref(count))
        self._count = count.value

    def close(self) -> None:
        """Free the footer, and the source if this object opened it. A second call does nothing."""
        super().close()
        if self._opened is not None:
            self._opened.close()

    def _blob(self, index: int) -> PuffinBlob:
        known = self._known.get(index)
        if known is not None:
            return known
        place: Any = c_void_p()
        handle = self._handle
        pointer = handle.__enter__()  # the blob's strings live as long as the handle
        try:
            if status := handle.native.dv_puffin_blob_at(pointer, index, addressof(place)):
                raise handle.native.error(status)
            return self._known.setdefault(index, blob_at(place.value))
        finally:
            handle.release()

    def __len__(self) -> int:
        self._handle.check_open()
        return self._count

    @overload
    def __getitem__(self, index: SupportsIndex) -> PuffinBlob: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[PuffinBlob, ...]: ...
    def __getitem__(self, index: Any) -> PuffinBlob | tuple[PuffinBlob, ...]:
        if isinstance(index, slice):
            return tuple(map(self._blob, range(len(self))[index]))
        return self._blob(self._number(index))

    def _number(self, index: SupportsIndex) -> int:
        """Of a blob, counted from the first."""
        self._handle.check_open()
        if type(index) is int and 0 <= index < self._count:
            return index
        return _arguments.index_of(index, self._count)

    @property
    def footer_json(self) -> bytes:
        """The footer's payload as it stands in the file, decompressed: UTF-8 JSON."""
        return self._take("dv_puffin_footer_json")

    @property
    def footer(self) -> dict[str, Any]:
        """The footer's payload, parsed: ``blobs`` and ``properties``, with all that the file says."""
        footer: dict[str, Any] = json.loads(self.footer_json)
        return footer

    def read(self, index: SupportsIndex) -> DeletionVector:
        """Read the vector of one blob; its cardinality property is checked where there is one.

        Args:
            index: Of the blob; a negative one counts from the end.

        Raises:
            IndexError: There is no such blob.
            TypeError: The index is no integer.
            DvMismatch: The blob is no deletion vector, or holds another number of positions.
            DvUnsupported: The blob is compressed.
            DvCorrupt: Its bytes break their format.
            DvState: The file, or the caller's source, is closed.
        """
        number = self._number(index)
        with self._source, self._handle as pointer:  # the source's callbacks must live until the call ends
            return DeletionVector._read(self._source, "dv_puffin_read", pointer, number)

    def keep_masks(
        self,
        lengths: SupportsIndex | Iterable[SupportsIndex],
        indices: Iterable[SupportsIndex] | None = None,
        out: BytesLike | None = None,
    ) -> Iterator[Mask]:
        """The keep masks of many blobs, from row 0 on, without a vector for each.

        Args:
            lengths: How many rows each blob's data file has, or one number for all.
            indices: Of the blobs, in any order, as in :meth:`read`; ``None``: all, in their order.
            out: Where to put the masks, each from a multiple of 64 bytes on: anything with a writable, contiguous
                buffer of bytes, integers or bools, with ``sum((length + 511) // 512 * 64 for length in lengths)`` bytes
                or more. The masks are views of it and change with what is written there next. Who reads file after file
                into one array saves what fresh memory costs. ``None``: into new memory.

        Yields:
            One mask per blob. They are read when they are asked for: by the piece of up to 4 MiB of masks, whose memory
            they share, one by one from a file object. An iteration that has begun goes on when the file is closed.

        Raises:
            IndexError: There is no such blob.
            TypeError: ``out`` is read-only, not contiguous, or of other elements.
            DvInvalidArgument: A length is out of range, or there is another number of them than of blobs.
            DvTooSmall: ``out`` cannot hold the masks.
            DvError: As in :meth:`read`, in the place of the mask that cannot be had.

        Example:
            >>> from libdv import DVWriter, PuffinFile
            >>> writer = DVWriter()
            >>> writer.add("s3://bucket/a.parquet", [1, 3])
            >>> writer.add("s3://bucket/b.parquet", [0])
            >>> rows = {"s3://bucket/a.parquet": 5, "s3://bucket/b.parquet": 2}
            >>> with PuffinFile(writer.flush_to_bytes("s3://bucket/deletes.puffin").data) as puffin:
            ...     lengths = [rows[blob.referenced_data_file] for blob in puffin]
            ...     for blob, mask in zip(puffin, puffin.keep_masks(lengths)):
            ...         print(blob.referenced_data_file, list(mask))
            s3://bucket/a.parquet [True, False, True, False, True]
            s3://bucket/b.parquet [False, True]
        """
        self._handle.check_open()
        if isinstance(indices, str | bytes | bytearray):
            raise TypeError(f"indices must be integers, not {type(indices).__name__}")
        blobs = range(self._count) if indices is None else [self._number(index) for index in indices]
        rows = _arguments.lengths_of(lengths, len(blobs))
        return keep_masks(self._source, self._handle, blobs, rows, out)

    def read_entry(
        self,
        content_offset: SupportsIndex,
        content_size: SupportsIndex,
        record_count: SupportsIndex,
        referenced_data_file: str,
    ) -> DeletionVector:
        """Read the vector that a manifest entry points at: see :func:`read_dv`."""
        arguments = _entry(content_offset, content_size, record_count, referenced_data_file)
        self._handle.check_open()
        with self._source, self._handle as pointer:
            return _read_entry("dv_puffin_read_entry", self._source, pointer, arguments)

    def __repr__(self) -> str:
        return f"<libdv.PuffinFile: {self._count} blobs{', closed' if self.closed else ''}>"


def _entry(offset: SupportsIndex, size: SupportsIndex, records: SupportsIndex, data_file: str) -> tuple[Any, ...]:
    """The arguments of the C functions that read a manifest entry."""
    return (
        _arguments.integer(offset, "content_offset", 0, _abi.INT64_MAX),
        _arguments.integer(size, "content_size", 0, _abi.INT64_MAX),
        _arguments.integer(records, "record_count", 0, _abi.INT64_MAX),
        _arguments.text(data_file, "referenced_data_file"),
    )


def _read_entry(function: str, source: Handle, pointer: Any, entry: tuple[Any, ...]) -> DeletionVector:
    found = c_uint32()
    vector = DeletionVector._read(source, function, pointer, *entry, after=(byref(found),))
    if found.value & _abi.WARN_NO_CARDINALITY:
        warnings.warn(
            f"the blob at offset {entry[0]} has no cardinality property: only the record count {entry[2]} was checked",
            MissingCardinalityWarning,
            stacklevel=3,
        )
    return vector


def read_dv(
    source: SourceLike,
    content_offset: SupportsIndex,
    content_size: SupportsIndex,
    record_count: SupportsIndex,
    referenced_data_file: str,
) -> DeletionVector:
    """Read the deletion vector that a manifest entry points at, in at most three requests.

    The footer must describe a deletion vector at exactly this range, for this data file, with this many positions, and
    the bytes must hold them.

    Args:
        source: The Puffin file: a path, bytes, a binary file object with ``read`` and ``seek``, or a :class:`Source`.
        content_offset: The entry's ``content_offset``, in bytes.
        content_size: The entry's ``content_size_in_bytes``.
        record_count: The entry's ``record_count``: the number of deleted rows.
        referenced_data_file: The entry's ``referenced_data_file``, byte for byte.

    Raises:
        DvMismatch: The footer has no such vector, or it says something else than the entry.
        DvCorrupt: The file is no Puffin file, or its bytes break their format.
        DvUnsupported: The blob is compressed, or the footer uses what libdv does not read.
        DvIOError: Reading failed. What a file object raises comes through as it is.

    Warns:
        MissingCardinalityWarning: The blob lacks its cardinality property.

    Example:
        >>> from libdv import DVWriter, read_dv
        >>> writer = DVWriter()
        >>> writer.add("a.parquet", [1, 2, 3])
        >>> data, [entry] = writer.flush_to_bytes("deletes.puffin")
        >>> read_dv(data, entry["content-offset"], entry["content-size-in-bytes"], entry["record-count"], "a.parquet")
        DeletionVector([1, 2, 3])
    """
    arguments = _entry(content_offset, content_size, record_count, referenced_data_file)
    with opened(source) as handle, handle as pointer:
        return _read_entry("dv_read", handle, pointer, arguments)


def read_range(
    source: SourceLike,
    offset: SupportsIndex,
    size: SupportsIndex,
    expected_cardinality: SupportsIndex | None = None,
) -> DeletionVector:
    """Read a ``deletion-vector-v1`` blob by its range alone, whatever file is around it, or none.

    Args:
        source: A path, bytes, a binary file object with ``read`` and ``seek``, or a :class:`Source`.
        offset: Of the blob's first byte.
        size: Of the whole blob, in bytes.
        expected_cardinality: The number of positions that it must hold; ``None``: any.

    Raises:
        DvCorrupt: There is no blob of that size at that offset.
        DvMismatch: It holds another number of positions.
        DvIOError: Reading failed. What a file object raises comes through as it is.
    """
    arguments = (
        _arguments.integer(offset, "offset", 0, _abi.INT64_MAX),
        _arguments.integer(size, "size", 0, _abi.INT64_MAX),
        _arguments.expected(expected_cardinality),
    )
    with opened(source) as handle, handle as pointer:
        return DeletionVector._read(handle, "dv_read_range", pointer, *arguments)
