"""The binding's table against the header: the same functions, types, constants, structs."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path
from typing import Any

import pytest

import libdv
from libdv import _abi, _loader

HEADER = Path(__file__).resolve().parents[3] / "include" / "dv.h"

SCALARS: dict[str, Any] = {
    "void": None,
    "bool": ctypes.c_bool,
    "int32_t": ctypes.c_int32,
    "int64_t": ctypes.c_int64,
    "uint32_t": ctypes.c_uint32,
    "size_t": ctypes.c_size_t,
    "dv_status": ctypes.c_int32,
    "dv_read_at_fn": _abi.ReadAtFn,
    "dv_write_fn": _abi.WriteFn,
    "dv_finish_fn": _abi.FinishFn,
    "const char *": ctypes.c_char_p,
    "dv_bytes *": ctypes.POINTER(_abi.Bytes),
    "bool *": ctypes.POINTER(ctypes.c_bool),
    "size_t *": ctypes.POINTER(ctypes.c_size_t),
    "const dv_puffin_blob **": ctypes.POINTER(ctypes.POINTER(_abi.PuffinBlobStruct)),
    "dv_delta_result *": ctypes.POINTER(_abi.DeltaResultStruct),
    "const dv_delta_result *": ctypes.POINTER(_abi.DeltaResultStruct),
    "const uint8_t **": ctypes.POINTER(ctypes.c_void_p),
}
HANDLES = ("dv_t", "dv_source_t", "dv_sink_t", "dv_puffin_t", "dv_writer_t", "dv_delta_writer_t", "mumbling_t")
ARRAYS = (
    "uint8_t *",
    "const uint8_t *",
    "const int64_t *",
    "const int32_t *",
    "uint32_t *",
    "void *",
    "const size_t *",
)
# A pointer to one number and a pointer to an array look alike in C: an array is followed by its capacity or size.
NUMBERS = {"int32_t *": ctypes.c_int32, "int64_t *": ctypes.c_int64, "uint32_t *": ctypes.c_uint32}


def header_text() -> str:
    """The header without comments and line breaks."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", HEADER.read_text(), flags=re.DOTALL)
    return re.sub(r"\\\n", " ", text)


def split(parameter: str) -> tuple[str, str]:
    """The type and the name of ``const char *path``."""
    match = re.fullmatch(r"\s*(.*?)(\w+)?\s*", parameter, re.DOTALL)
    assert match is not None
    kind, name = match[1], match[2] or ""
    if not kind.strip():  # a type alone
        kind, name = name, ""
    return re.sub(r"\s+", " ", kind).strip(), name


def ctype(kind: str, next_kind: str, next_name: str) -> Any:
    """The ctypes type of a C parameter, seen with the one behind it."""
    bare = kind.removeprefix("const ")
    for handle in HANDLES:
        if bare == f"{handle} *":
            return ctypes.c_void_p
        if bare == f"{handle} **":
            return ctypes.POINTER(ctypes.c_void_p)
    is_array = next_kind == "size_t" and next_name in {"capacity", "count", "out_size", "size"}
    if kind in NUMBERS and not is_array:
        return ctypes.POINTER(NUMBERS[kind])
    if kind in NUMBERS or kind in ARRAYS:
        return ctypes.c_void_p
    return SCALARS[kind]


def declared_functions() -> list[_abi.Function]:
    found = []
    for result, name, parameters in re.findall(r"DV_API\s+([\w\s]+?[\s*]+)(\w+)\(([^)]*)\)\s*;", header_text()):
        parts = [] if parameters.strip() == "void" else [split(part) for part in parameters.split(",")]
        kinds = tuple(ctype(kind, *after) for (kind, _), after in zip(parts, [*parts[1:], ("", "")], strict=False))
        result_kind = re.sub(r"\s+", " ", result).strip()
        found.append(_abi.Function(name, SCALARS[result_kind], kinds))
    return found


def test_every_declared_function_is_in_the_table_with_its_types() -> None:
    declared = {function.name: function for function in declared_functions()}
    table = {function.name: function for function in _abi.FUNCTIONS}
    assert len(table) == len(_abi.FUNCTIONS)
    assert set(table) == set(declared)
    assert len(declared) > 80
    for name, function in declared.items():
        assert table[name] == function, name


def test_every_function_of_the_table_is_exported() -> None:
    library = _loader.native()
    for function in _abi.FUNCTIONS:
        assert getattr(library, function.name).restype is function.result


def test_constants() -> None:
    defines = dict(re.findall(r"#define\s+(\w+)\s+\(?([^\s()]+(?:\([^)]*\))?)", header_text()))

    def number(name: str) -> int:
        return int(re.sub(r"U?INT\d+_C\((.*)\)|(\d+)u", r"\1\2", defines[name]), 0)

    assert number("DV_ABI_VERSION") == _abi.ABI_VERSION
    assert number("DV_MAGIC") == _abi.MAGIC == libdv.MAGIC
    assert number("DV_MAX_POSITION") == _abi.MAX_POSITION == libdv.MAX_POSITION
    assert number("DV_UNKNOWN") == _abi.UNKNOWN
    assert number("DV_WARN_NO_CARDINALITY") == _abi.WARN_NO_CARDINALITY
    assert number("MUMBLING_MAX_CARDINALITY") == libdv.MUMBLING_MAX_CARDINALITY
    assert number("MUMBLING_MAX_CONTAINERS") == libdv.MUMBLING_MAX_CONTAINERS


def test_statuses() -> None:
    enum = re.search(r"enum\s*\{([^}]*)\}", header_text())
    assert enum is not None
    declared = {name: int(value) for name, value in re.findall(r"(DV_\w+)\s*=\s*(\d+)", enum[1])}
    assert {status.name: status.value for status in libdv.Status} == declared
    library = _loader.native()
    assert {status: library.dv_status_name(status).decode() for status in declared.values()} == {
        value: name for name, value in declared.items()
    }


@pytest.mark.parametrize(
    ("name", "struct"),
    [("dv_bytes", _abi.Bytes), ("dv_puffin_blob", _abi.PuffinBlobStruct), ("dv_delta_result", _abi.DeltaResultStruct)],
)
def test_structs(name: str, struct: type[ctypes.Structure]) -> None:
    body = re.search(rf"typedef struct {name} \{{([^}}]*)\}}", header_text())
    assert body is not None
    members = [split(member) for member in body[1].split(";") if member.strip()]
    declared = [(member, ctypes.c_void_p if kind == "uint8_t *" else SCALARS[kind]) for kind, member in members]
    assert [tuple(field[:2]) for field in struct._fields_] == declared


def test_callback_types() -> None:
    for name, prototype in (
        ("dv_read_at_fn", _abi.ReadAtFn),
        ("dv_write_fn", _abi.WriteFn),
        ("dv_finish_fn", _abi.FinishFn),
    ):
        match = re.search(rf"typedef (\w+) \(\*{name}\)\(([^)]*)\)", header_text())
        assert match is not None
        kinds = [split(part)[0] for part in match[2].split(",")]
        arguments = tuple(ctypes.c_void_p if kind.endswith("*") else SCALARS[kind] for kind in kinds)
        assert prototype._restype_ is SCALARS[match[1]]
        assert tuple(prototype._argtypes_) == arguments


def test_the_package_has_the_version_of_the_header_and_the_library() -> None:
    version = re.search(r'#define\s+DV_VERSION\s+"([^"]+)"', HEADER.read_text())
    assert version is not None
    assert libdv.__version__ == version[1] == libdv.library_version()
