"""The native library of this process: loaded on first use, checked, and loaded anew after ``fork()``.

Go's runtime does not survive ``fork()``: only the forking thread exists in the child. The C library notices and
answers ``DV_FORKED``. A child that loads a copy of its own gets a runtime of its own, so that is what happens here,
on the child's first use. Objects made before stay bound to the :class:`Native` they came from and are refused.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from ctypes import byref, c_void_p
from typing import TYPE_CHECKING, Any

from libdv import _abi
from libdv._fork import on_fork_in_child, steady
from libdv._locate import find_library
from libdv._private_copy import load_private_copy
from libdv.errors import DvLoadError, Status, error_for

if TYPE_CHECKING:
    from pathlib import Path

NativeFunction = Callable[..., Any]

_SIGNATURES = {function.name: function for function in _abi.FUNCTIONS}


class Native:
    """The functions of one loaded instance of the library, as attributes; each is set up when it is first asked for.

    Attributes:
        path: The file that it was loaded from.
        pid: The process that loaded it: in any other one it is dead.
    """

    def __init__(self, cdll: ctypes.CDLL, path: Path) -> None:
        self._cdll = cdll
        self.path = path
        self.pid = os.getpid()

    def __getattr__(self, name: str) -> NativeFunction:
        signature = _SIGNATURES.get(name)
        if signature is None:
            raise AttributeError(name)
        try:
            function = self._cdll[name]
        except AttributeError as error:
            raise DvLoadError(f"{self.path} has no function {name}: it is older than this package") from error
        function.restype = signature.result
        function.argtypes = signature.arguments
        self.__dict__[name] = function
        return function

    def is_alive(self) -> bool:
        """Whether this process is the one that loaded it."""
        return self.pid == os.getpid()

    def error(self, status: int) -> Exception:
        """The exception for the call that has just failed on this thread."""
        text = self.dv_last_error()
        return error_for(status, text.decode("utf-8", "replace") if text else f"status {status}")

    def check(self, status: int) -> None:
        """Raise what a call's status stands for.

        Raises:
            DvError: The subclass of the status; nothing for ``DV_OK``.
        """
        if status:
            raise self.error(status)


_current: Native | None = None


def native() -> Native:
    """The library of this process.

    Raises:
        DvLoadError: It cannot be found or loaded, or has another ABI version.
    """
    loaded = _current
    if loaded is not None and loaded.is_alive():
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
    _current = None


on_fork_in_child(_forget)
