"""The command line: ``libdv inspect`` and ``libdv read``. It needs the extra ``cli`` (click and rich)."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line, or say which packages it needs."""
    try:
        from libdv.cli.commands import libdv
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in {"click", "rich"}:
            raise
        sys.exit(f"libdv: the command line needs the package {error.name}: pip install 'libdv[cli]'")
    libdv(prog_name="libdv")
