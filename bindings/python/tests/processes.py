"""Running Python in other processes, with a time limit."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "src"


def python(code: str, *, timeout: float = 60, **environment: str) -> str:
    """What a fresh interpreter prints for ``code``; it must end well, and in time."""
    return _run(["-c", textwrap.dedent(code)], timeout, environment)


def python_file(script: Path, *, timeout: float = 60, **environment: str) -> str:
    """The same for a script."""
    return _run([str(script)], timeout, environment)


def _run(arguments: list[str], timeout: float, environment: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-W", "ignore::DeprecationWarning", *arguments],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        env={**os.environ, "PYTHONPATH": str(SOURCE), **environment},
    )
    assert done.returncode == 0, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout.strip()
