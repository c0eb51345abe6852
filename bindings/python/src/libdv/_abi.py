"""The C interface of libdv as one table: what ``include/dv.h`` declares, in the words of ctypes.

Nothing is loaded here. A test parses the header and compares it with this table, so the two cannot drift apart.

Data pointers are plain addresses (``c_void_p``): buffers are lent by address without a copy, and a wrong element
type cannot be told from a right one by ctypes anyway. Handles are ``c_void_p`` too.
"""

from __future__ import annotations

import ctypes
from ctypes import (
    CFUNCTYPE,
    POINTER,
    c_bool,
    c_char_p,
    c_int32,
    c_int64,
    c_size_t,
    c_uint32,
    c_void_p,
)
from typing import Any, Final, NamedTuple

ABI_VERSION: Final = 1
"""``DV_ABI_VERSION``, compared with ``dv_abi_version()`` on loading."""
UNKNOWN: Final = -1
"""``DV_UNKNOWN``: no expectation for a cardinality, a size or an offset."""
MAX_POSITION: Final = 0x7FFFFFFE80000000
"""``DV_MAX_POSITION``: the largest position that a deletion vector can hold."""
MAGIC: Final = 0x6439D3D1
"""``DV_MAGIC`` of Iceberg and Delta vectors."""
WARN_NO_CARDINALITY: Final = 1
"""``DV_WARN_NO_CARDINALITY``: the blob lacks its cardinality property."""
MUMBLING_MAX_CARDINALITY: Final = 2097152
"""``MUMBLING_MAX_CARDINALITY``: positions in a Mumbling bitmap are below it."""
MUMBLING_MAX_CONTAINERS: Final = 8192
"""``MUMBLING_MAX_CONTAINERS``: of 256 positions each."""
INT64_MAX: Final = 2**63 - 1
"""The end of a range that takes everything."""


class Bytes(ctypes.Structure):
    """``dv_bytes``: memory of the library that its receiver frees."""

    _fields_ = (("data", c_void_p), ("size", c_size_t))


class PuffinBlobStruct(ctypes.Structure):
    """``dv_puffin_blob``: lives as long as its Puffin file."""

    _fields_ = (
        ("type", c_char_p),
        ("compression_codec", c_char_p),
        ("referenced_data_file", c_char_p),
        ("cardinality", c_int64),
        ("offset", c_int64),
        ("length", c_int64),
        ("snapshot_id", c_int64),
        ("sequence_number", c_int64),
    )


class DeltaResultStruct(ctypes.Structure):
    """``dv_delta_result``: where one vector lies in a Delta file."""

    _fields_ = (("cardinality", c_int64), ("offset", c_int32), ("size_in_bytes", c_int32))


ReadAtFn = CFUNCTYPE(c_int64, c_void_p, c_int64, c_void_p, c_size_t)
WriteFn = CFUNCTYPE(c_int32, c_void_p, c_void_p, c_size_t)
FinishFn = CFUNCTYPE(c_int32, c_void_p, c_bool)


class Function(NamedTuple):
    """One function of the library."""

    name: str
    result: Any
    arguments: tuple[Any, ...]


_STATUS = c_int32
_HANDLE = c_void_p
_DATA = c_void_p
_OUT_HANDLE = POINTER(c_void_p)
_OUT_DATA = POINTER(c_void_p)
_OUT_BOOL = POINTER(c_bool)
_OUT_INT32 = POINTER(c_int32)
_OUT_INT64 = POINTER(c_int64)
_OUT_UINT32 = POINTER(c_uint32)
_OUT_SIZE = POINTER(c_size_t)
_OUT_BYTES = POINTER(Bytes)
_OUT_BLOB = POINTER(POINTER(PuffinBlobStruct))
_DELTA_RESULT = POINTER(DeltaResultStruct)

WIDE: Final = frozenset(
    {
        *(c_int64, c_size_t, _OUT_HANDLE, _OUT_DATA, _OUT_BOOL, _OUT_INT32, _OUT_INT64, _OUT_UINT32, _OUT_SIZE),
        *(_OUT_BYTES, _OUT_BLOB, _DELTA_RESULT),
    }
)
"""What has 64 bits where a pointer has, and so may be passed to C as an address."""


def _call(name: str, *arguments: Any) -> Function:
    """A function that answers with a status."""
    return Function(name, _STATUS, arguments)


def _free(name: str, argument: Any = _HANDLE) -> Function:
    return Function(name, None, (argument,))


LIBRARY: Final = (
    Function("dv_abi_version", c_int32, ()),
    Function("dv_version", c_char_p, ()),
    Function("dv_status_name", c_char_p, (_STATUS,)),
    Function("dv_last_error", c_char_p, ()),
    Function("dv_live_handles", c_int64, ()),
    _free("dv_bytes_free", _OUT_BYTES),
)

VECTOR: Final = (
    _call("dv_new", _OUT_HANDLE),
    _call("dv_copy", _HANDLE, _OUT_HANDLE),
    _free("dv_free"),
    _call("dv_set", _HANDLE, c_int64),
    _call("dv_set_many", _HANDLE, _DATA, c_size_t),
    _call("dv_set_range", _HANDLE, c_int64, c_int64),
    _call("dv_or", _HANDLE, _HANDLE),
    _call("dv_andnot", _HANDLE, _HANDLE),
    _call("dv_run_length_encode", _HANDLE),
    _call("dv_contains", _HANDLE, c_int64, _OUT_BOOL),
    _call("dv_contains_many", _HANDLE, _DATA, c_size_t, _DATA),
    _call("dv_cardinality", _HANDLE, _OUT_INT64),
    _call("dv_count", _HANDLE, c_int64, c_int64, _OUT_INT64),
    _call("dv_is_empty", _HANDLE, _OUT_BOOL),
    _call("dv_equals", _HANDLE, _HANDLE, _OUT_BOOL),
    _call("dv_positions", _HANDLE, c_int64, c_int64, _DATA, c_size_t, _OUT_SIZE),
    _call("dv_keep_mask", _HANDLE, c_int64, c_int64, _DATA, c_size_t),
    _call("dv_delete_mask", _HANDLE, c_int64, c_int64, _DATA, c_size_t),
    _call("dv_keep_bytes", _HANDLE, c_int64, c_int64, _DATA, c_size_t),
    _call("dv_keep_indices", _HANDLE, c_int64, c_int64, _DATA, c_size_t, _OUT_SIZE),
)

STORAGE: Final = (
    _call("dv_source_memory", _DATA, c_size_t, _OUT_HANDLE),
    _call("dv_source_path", c_char_p, _OUT_HANDLE),
    _call("dv_source_callbacks", c_void_p, c_int64, ReadAtFn, _OUT_HANDLE),
    _free("dv_source_free"),
    _call("dv_sink_memory", _OUT_HANDLE),
    _call("dv_sink_take", _HANDLE, _OUT_BYTES),
    _call("dv_sink_path", c_char_p, _OUT_HANDLE),
    _call("dv_sink_callbacks", c_void_p, WriteFn, FinishFn, _OUT_HANDLE),
    _free("dv_sink_free"),
)

CODECS: Final = (
    _call("dv_serialize", _HANDLE, _OUT_BYTES),
    _call("dv_deserialize", _DATA, c_size_t, c_int64, _OUT_HANDLE),
    _call("dv_view", _DATA, c_size_t, c_int64, _OUT_HANDLE),
    _call("dv_blob_keep_mask", _DATA, c_size_t, c_int64, c_int64, c_int64, _DATA, c_size_t),
    _call("dv_blob_positions", _DATA, c_size_t, c_int64, _DATA, c_size_t, _OUT_SIZE),
    _call("dv_blob_from_positions", _DATA, c_size_t, _OUT_BYTES),
    _call("dv_read_range", _HANDLE, c_int64, c_int64, c_int64, _OUT_HANDLE),
    _call("dv_serialize_bitmap", _HANDLE, _OUT_BYTES),
    _call("dv_deserialize_bitmap", _DATA, c_size_t, _OUT_HANDLE),
)

PUFFIN: Final = (
    _call("dv_puffin_open", _HANDLE, _OUT_HANDLE),
    _call("dv_puffin_count", _HANDLE, _OUT_SIZE),
    _call("dv_puffin_blob_at", _HANDLE, c_size_t, _OUT_BLOB),
    _call("dv_puffin_footer_json", _HANDLE, _OUT_BYTES),
    _call("dv_puffin_read", _HANDLE, c_size_t, _OUT_HANDLE),
    _call("dv_puffin_keep_masks", _HANDLE, _DATA, _DATA, c_size_t, _DATA, c_size_t),
    _free("dv_puffin_free"),
    _call("dv_puffin_read_entry", _HANDLE, c_int64, c_int64, c_int64, c_char_p, _OUT_HANDLE, _OUT_UINT32),
    _call("dv_read", _HANDLE, c_int64, c_int64, c_int64, c_char_p, _OUT_HANDLE, _OUT_UINT32),
    _call("dv_writer_new", c_char_p, _OUT_HANDLE),
    _call("dv_writer_add", _HANDLE, c_char_p, _DATA, c_size_t, c_int32, c_char_p),
    _call("dv_writer_load", _HANDLE, c_char_p, _HANDLE, c_int32, c_char_p),
    _call("dv_writer_flush", _HANDLE, _HANDLE, c_char_p, _OUT_BYTES),
    _free("dv_writer_free"),
)

DELTA: Final = (
    _call("dv_delta_writer_new", _HANDLE, _OUT_HANDLE),
    _call("dv_delta_writer_write", _HANDLE, _HANDLE, _DELTA_RESULT),
    _call("dv_delta_writer_finalize", _HANDLE),
    _free("dv_delta_writer_free"),
    _call("dv_delta_read", _HANDLE, c_int32, c_int32, c_int64, _OUT_HANDLE),
    _call("dv_delta_inline_encode", _HANDLE, _OUT_BYTES, _OUT_INT32),
    _call("dv_delta_inline_decode", c_char_p, c_size_t, c_int32, c_int64, _OUT_HANDLE),
    _call("dv_delta_descriptor_new", c_char_p, _DELTA_RESULT, _OUT_BYTES),
    _call("dv_delta_descriptor_inline", _HANDLE, _OUT_BYTES),
    _call("dv_delta_descriptor_path", c_char_p, _OUT_BYTES),
    _call("dv_delta_descriptor_unique_id", c_char_p, _OUT_BYTES),
    _call("dv_delta_descriptor_read", _HANDLE, c_char_p, _OUT_HANDLE),
)

MUMBLING: Final = (
    _call("mumbling_read", _DATA, c_size_t, _OUT_HANDLE),
    _free("mumbling_free"),
    _call("mumbling_validate", _HANDLE),
    _call("mumbling_cardinality", _HANDLE, _OUT_INT32),
    _call("mumbling_is_set", _HANDLE, c_int32, _OUT_BOOL),
    _call("mumbling_is_set_many", _HANDLE, _DATA, c_size_t, _DATA),
    _call("mumbling_positions", _HANDLE, _DATA, c_size_t, _OUT_SIZE),
    _call("mumbling_keep_mask", _HANDLE, c_int32, c_int32, _DATA, c_size_t),
    _call("mumbling_buffer", _HANDLE, _OUT_DATA, _OUT_SIZE),
    _call("mumbling_to_dv", _HANDLE, _OUT_HANDLE),
    _call("mumbling_from_dv", _HANDLE, _OUT_BYTES),
    _call("mumbling_pfor_encode", _DATA, c_size_t, _OUT_BYTES),
    _call("mumbling_pfor_decode", _DATA, c_size_t, _DATA, c_size_t, _OUT_SIZE),
    _call("mumbling_pfor_estimate", c_size_t, _OUT_SIZE),
)

INSPECTION: Final = (_call("dv_inspect", _HANDLE, c_char_p, _OUT_BYTES),)

FUNCTIONS: Final = (*LIBRARY, *VECTOR, *STORAGE, *CODECS, *PUFFIN, *DELTA, *MUMBLING, *INSPECTION)
"""Every function of the contract, in the header's order."""
