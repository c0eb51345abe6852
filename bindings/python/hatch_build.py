"""Puts the native library into the wheel, and names the platform that it is for.

The library is ``build/libdv.so`` of the checkout, or the file that ``LIBDV_LIBRARY`` names. The platform tag says
the oldest glibc that has the symbols which the library asks for; ``LIBDV_WHEEL_PLATFORM`` overrides it.
"""

from __future__ import annotations

import os
import platform
import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_GLIBC = re.compile(rb"\0GLIBC_2\.(\d+)(?=\0)")


def native_library(root: Path) -> Path:
    """The library that the wheel carries.

    Raises:
        FileNotFoundError: It is not built.
    """
    override = os.environ.get("LIBDV_LIBRARY")
    library = Path(override) if override else root.parents[1] / "build" / "libdv.so"
    if not library.is_file():
        raise FileNotFoundError(f"{library} is missing: run 'make lib', or set LIBDV_LIBRARY to the library's path")
    return library.resolve()


def platform_tag(library: Path) -> str:
    """The platform tag of a wheel with this library, such as ``manylinux_2_34_x86_64``."""
    override = os.environ.get("LIBDV_WHEEL_PLATFORM")
    if override:
        return override
    machine = platform.machine()
    if platform.system() != "Linux":
        return f"{platform.system().lower()}_{machine}"
    versions = [int(minor) for minor in _GLIBC.findall(library.read_bytes())]
    return f"manylinux_2_{max(versions)}_{machine}" if versions else f"linux_{machine}"


class NativeLibraryHook(BuildHookInterface[Any]):
    """The build hook of the wheel; an editable install finds the library in the checkout."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the library to what is built."""
        if version == "editable":
            return
        library = native_library(Path(self.root))
        build_data["force_include"][str(library)] = "libdv/_native/libdv.so"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform_tag(library)}"
