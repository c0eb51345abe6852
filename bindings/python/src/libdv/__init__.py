"""Deletion vectors for data lakes.

Reads and writes the deletion vectors of Iceberg v3 (``deletion-vector-v1`` blobs in Puffin files), of Delta Lake
(files, inline vectors, descriptors) and Mumbling bitmaps (the manifest deletion vectors of Iceberg v4).

Importing the package loads nothing. The native library is loaded on first use: the file that the environment variable
``LIBDV_LIBRARY`` names, else the one in this package, else ``build/libdv.so`` of a source checkout. NumPy and PyArrow
are optional, and imported where a result needs them.

Every failure is a :class:`DvError` with a subclass per status, except what a caller's file object or callback raises,
which comes through as it is. Wrong types are ``TypeError``.
"""

from libdv._abi import MAGIC, MAX_POSITION, MUMBLING_MAX_CARDINALITY, MUMBLING_MAX_CONTAINERS
from libdv._vector_codecs import DeltaInline
from libdv.blob import blob_from_positions, blob_keep_mask, blob_positions
from libdv.delta import DeltaDescriptor, read_delta_dv, read_delta_record
from libdv.delta_writer import DeltaDVWriter, DeltaResult, delta_dv_path
from libdv.errors import (
    DvCorrupt,
    DvError,
    DvForked,
    DvInternal,
    DvInvalidArgument,
    DvIOError,
    DvLimit,
    DvLoadError,
    DvMismatch,
    DvNoMemory,
    DvState,
    DvTooSmall,
    DvUnsupported,
    DvWarning,
    MissingCardinalityWarning,
    Status,
)
from libdv.inspection import inspect
from libdv.library import library_path, library_version, live_handles
from libdv.mask import Mask
from libdv.mumbling import MumblingBitmap
from libdv.pfor import PforDecoded, pfor_decode, pfor_encode, pfor_estimate
from libdv.puffin import PuffinFile, read_dv, read_range
from libdv.puffin_blob import PuffinBlob
from libdv.sink import Sink
from libdv.source import Source
from libdv.vector import DeletionVector
from libdv.writer import ContentFiles, DVWriter, Flushed

__version__ = "0.1.0"

__all__ = [
    "MAGIC",
    "MAX_POSITION",
    "MUMBLING_MAX_CARDINALITY",
    "MUMBLING_MAX_CONTAINERS",
    "ContentFiles",
    "DVWriter",
    "DeletionVector",
    "DeltaDVWriter",
    "DeltaDescriptor",
    "DeltaInline",
    "DeltaResult",
    "DvCorrupt",
    "DvError",
    "DvForked",
    "DvIOError",
    "DvInternal",
    "DvInvalidArgument",
    "DvLimit",
    "DvLoadError",
    "DvMismatch",
    "DvNoMemory",
    "DvState",
    "DvTooSmall",
    "DvUnsupported",
    "DvWarning",
    "Flushed",
    "Mask",
    "MissingCardinalityWarning",
    "MumblingBitmap",
    "PforDecoded",
    "PuffinBlob",
    "PuffinFile",
    "Sink",
    "Source",
    "Status",
    "__version__",
    "blob_from_positions",
    "blob_keep_mask",
    "blob_positions",
    "delta_dv_path",
    "inspect",
    "library_path",
    "library_version",
    "live_handles",
    "pfor_decode",
    "pfor_encode",
    "pfor_estimate",
    "read_delta_dv",
    "read_delta_record",
    "read_dv",
    "read_range",
]
