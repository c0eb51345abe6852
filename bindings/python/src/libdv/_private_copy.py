"""A second, private instance of a shared library that this process has already loaded.

The dynamic loader gives back the instance it has whenever the same file, or the same path text, is asked for again.
So the bytes go into a new file, under a path that no ancestor of this process can have used.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

from libdv.errors import DvLoadError

_copies = itertools.count(1)  # a child goes on from where its parent was
_BITS: Final = 10
_MFD_CLOEXEC: Final = 0x0001
_MFD_EXEC: Final = 0x0010  # Linux 6.3: without it, vm.memfd_noexec can forbid to map the file executable
_SHARED_MEMORY: Final = Path("/dev/shm")  # noqa: S108  # the files get a private folder of their own there


def load_private_copy(path: Path) -> ctypes.CDLL:
    """Load a copy of the library at ``path``: from memory where that works, else from a file that is gone at once.

    Raises:
        DvLoadError: Neither way worked; the message holds the reason of each.
    """
    reasons = []
    try:
        return _from_memory(path)
    except (OSError, AttributeError) as error:
        reasons.append(f"from memory: {error}")
    for folder in (Path(tempfile.gettempdir()), path.parent, _SHARED_MEMORY):
        try:
            return _from_file(path, folder)
        except OSError as error:
            reasons.append(f"in {folder}: {error}")
    raise DvLoadError(f"cannot load a private copy of {path} after fork(): {'; '.join(reasons)}")


def _from_memory(path: Path) -> ctypes.CDLL:
    """Load through an anonymous memory file.

    Its name under ``/proc`` could come back with the same number in a child of this child, and the loader would then
    answer with this copy, which is dead there. The process id and the count of copies keep the text unique: the count
    is written in slashes and dots, which mean nothing in a path.
    """
    target = _memory_file()
    try:
        with path.open("rb") as source, os.fdopen(target, "wb", closefd=False) as memory:
            shutil.copyfileobj(source, memory, 1 << 20)
        return ctypes.CDLL(f"/proc/{os.getpid()}{_in_slashes(next(_copies))}/fd/{target}")
    finally:
        os.close(target)


def _in_slashes(number: int) -> str:
    """The lowest bits of a number as a piece of a path that leads nowhere else."""
    return "".join("/." if number >> bit & 1 else "/" for bit in range(_BITS))


def _memory_file() -> int:
    """Make an empty memory file.

    Raises:
        AttributeError: This system has none.
    """
    try:
        return os.memfd_create("libdv", _MFD_CLOEXEC | _MFD_EXEC)
    except OSError:  # an older kernel, which does not know the second flag
        return os.memfd_create("libdv", _MFD_CLOEXEC)


def _from_file(path: Path, folder: Path) -> ctypes.CDLL:
    """Load from a copied file; the file is removed at once, the mapping stays."""
    with tempfile.TemporaryDirectory(prefix=f"libdv-{os.getpid()}-", dir=folder) as private:
        copy = Path(private) / path.name
        shutil.copyfile(path, copy)
        return ctypes.CDLL(str(copy))
