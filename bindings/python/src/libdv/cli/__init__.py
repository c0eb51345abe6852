"""The command line: ``libdv inspect`` and ``libdv read``. It needs the extra ``cli`` (click and rich)."""

from __future__ import annotations

import os
import sys

_CANNOT = 2  # the exit code where a file cannot be read, or the output not be written


def main() -> None:
    """Run the command line, or say which packages it needs."""
    try:
        from libdv.cli.commands import libdv
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in {"click", "rich"}:
            raise
        sys.exit(f"libdv: the command line needs the package {error.name}: pip install 'libdv[cli]'")
    try:
        libdv(prog_name="libdv")
    except OSError as error:
        sys.stderr.write(f"Error: {error}\n")
        _drop_output()
        sys.exit(_CANNOT)


def _drop_output() -> None:
    """Let what is still buffered go nowhere: Python would fail on it once more when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
