"""The native library itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from libdv._loader import native

if TYPE_CHECKING:
    from pathlib import Path


def library_version() -> str:
    """The version of the native library, ``MAJOR.MINOR.PATCH``. Loads it.

    Raises:
        DvLoadError: It cannot be found or loaded, or has another ABI version.
    """
    version: bytes = native().dv_version()
    return version.decode("ascii")


def library_path() -> Path:
    """The file that the native library was loaded from (in a ``fork()`` child: whose copy was loaded). Loads it.

    Raises:
        DvLoadError: It cannot be found or loaded, or has another ABI version.
    """
    return native().path


def live_handles() -> int:
    """The number of native objects that this process has made and not yet freed, of every kind: for leak tests.

    Raises:
        DvLoadError: The library cannot be found or loaded, or has another ABI version.
    """
    count: int = native().dv_live_handles()
    return count
