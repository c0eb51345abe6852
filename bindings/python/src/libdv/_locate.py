"""Where the native library is: an environment variable, the wheel, or a source checkout, in this order."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from libdv.errors import DvLoadError

ENVIRONMENT_VARIABLE: Final = "LIBDV_LIBRARY"
FILE_NAME: Final = "libdv.so"
_PACKAGE: Final = Path(__file__).resolve().parent
BUNDLED: Final = _PACKAGE / "_native" / FILE_NAME


def checkout_library(package: Path = _PACKAGE) -> Path | None:
    """``build/libdv.so`` of the source checkout that ``package`` lies in, or ``None`` if it lies in none.

    The checkout is recognised by its layout, so that an installed package never picks up a stray file.
    """
    if package.parts[-4:] != ("bindings", "python", "src", "libdv"):
        return None
    root = package.parents[3]
    return root / "build" / FILE_NAME if (root / "include" / "dv.h").is_file() else None


def find_library() -> Path:
    """The path of the native library.

    Raises:
        DvLoadError: It is nowhere; the message lists the places.
    """
    override = os.environ.get(ENVIRONMENT_VARIABLE)
    if override:
        path = Path(override)
        if not path.is_file():
            raise DvLoadError(f"{ENVIRONMENT_VARIABLE} names {override!r}, which is not a file")
        return path.resolve()
    places = [BUNDLED]
    built = checkout_library()
    if built is not None:
        places.append(built)
    for place in places:
        if place.is_file():
            return place
    tried = ", ".join(str(place) for place in places)
    raise DvLoadError(
        f"the native library {FILE_NAME} is missing (looked for {tried}); in a source checkout run 'make lib', "
        f"or set {ENVIRONMENT_VARIABLE} to its path"
    )
