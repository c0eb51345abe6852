"""The native library of this process: loaded on first use, checked, and loaded anew after ``fork()``.

Go's runtime does not survive ``fork()``: only the forking thread exists in the child. The C library notices and
answers ``DV_FORKED``. A child that loads a copy of its own gets a runtime of its own, so that is what happens here,
on the child's first use. Objects made before stay bound to the :class:`Native` they came from and are refused.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import byref, c_int64, c_void_p, sizeof
from typing import TYPE_CHECKING, Any

from libdv import _abi
from libdv._fork import on_fork_in_child, steady
from libdv._locate import find_library
from libdv._private_copy import load_private_copy
from libdv._witness import witness
from libdv.errors import DvLoadError, Status, error_for

if TYPE_CHECKING:
    from pathlib import Path

NativeFunction = Callable[..., Any]


class LazyFunction:
    """One function as an attribute of :class:`Native`: set up when it is first asked for, plain from then on."""

    def __init__(self, signature: _abi.Function) -> None:
        self._signature = signature

    def __get__(self, native: Native, owner: type[Native] | None = None) -> NativeFunction:
        name = self._signature.name
        try:
            function = native.cdll[name]
        except AttributeError as error:
            raise DvLoadError(f"{native.path} has no function {name}: it is older than this package") from error
        function.restype = self._signature.result
        function.argtypes = tuple(map(_passed_as, self._signature.arguments))
        native.__dict__[name] = function
        return function


def _passed_as(kind: Any) -> Any:
    """What ctypes is told about an argument.

    Pointers, and integers of their size, go to C alike, and ctypes converts an address twice as fast: ints, ``None``,
    bytes and ``byref()`` are taken for one.
    """
    return c_void_p if kind in _abi.WIDE and sizeof(c_void_p) == sizeof(c_int64) else kind


class Native:
    """The functions of one loaded instance of the library, as attributes.

    Attributes:
        cdll: The instance.
        path: The file that it was loaded from.
        witness: Says whether this process is the one that loaded it: in any other one it is dead.
    """

    def __init__(self, cdll: ctypes.CDLL, path: Path) -> None:
        self.cdll = cdll
        self.path = path
        self.witness = witness()

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> NativeFunction: ...

    def is_alive(self) -> bool:
        """Whether this process is the one that loaded it."""
        return bool(self.witness[0])

    def error(self, status: int) -> Exception:
        """The exception for the call that has just failed on this thread."""
        if status == Status.DV_FORKED:  # of a fork that neither Python nor the witness saw
            self.witness[0] = 0
        text = self.dv_last_error()
        return error_for(status, text.decode("utf-8", "replace") if text else f"status {status}")

    def check(self, status: int) -> None:
        """Raise what a call's status stands for.

        Raises:
            DvError: The subclass of the status; nothing for ``DV_OK``.
        """
        if status:
            raise self.error(status)


for _function in _abi.FUNCTIONS:
    setattr(Native, _function.name, LazyFunction(_function))

_current: Native | None = None


def native() -> Native:
    """The library of this process.

    Raises:
        DvLoadError: It cannot be found or loaded, or has another ABI version.
    """
    loaded = _current
    if loaded is not None and loaded.witness[0]:
        return loaded
    return _load()


def current() -> Native | None:
    """What :func:`native` gave last in this process, without loading anything."""
    return _current


def _load() -> Native:
    global _current
    with steady():
        if _current is None or not _current.is_alive():
            _current = _open(find_library())
        return _current


def _open(path: Path) -> Native:
    try:
        loaded = Native(ctypes.CDLL(str(path)), path)
    except OSError as error:
        raise DvLoadError(f"cannot load {path}: {error}") from error
    found = loaded.dv_abi_version()
    if found != _abi.ABI_VERSION:
        raise DvLoadError(f"{path} has ABI version {found}, this package needs {_abi.ABI_VERSION}")
    # The loader answers with the parent's instance, which is dead here.
    if _is_forked(loaded):
        loaded = Native(load_private_copy(path), path)
    return loaded


def _is_forked(loaded: Native) -> bool:
    """Whether an instance belongs to a parent process: asked of the instance, which may be older than this module."""
    probe = c_void_p()
    status = loaded.dv_new(byref(probe))
    if status == Status.DV_OK:
        loaded.dv_free(probe)
    elif status != Status.DV_FORKED:
        raise loaded.error(status)
    return bool(status == Status.DV_FORKED)


def _forget() -> None:
    """Let go of the parent's library."""
    global _current
    if _current is not None:
        _current.witness[0] = 0  # the kernel has done so, unless it is an emulation of one
    _current = None


on_fork_in_child(_forget)
