"""What must not be half done when the process forks: loading the library, importing an optional package.

A child has the forking thread alone. Whatever another thread was in the middle of stays so for ever there: a module's
import lock is never released, a library never finished. So both happen under one lock, and a fork waits for it.
"""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

_PATIENCE: Final = 20.0  # seconds; a fork goes ahead then, since waiting for ever would be no better


class _Hold(threading.local):
    """Whether this thread's fork has got the lock."""

    held = False


_lock = threading.RLock()
_hold = _Hold()


def steady() -> AbstractContextManager[bool]:
    """The lock: hold it where a fork has to wait. One thread may hold it twice."""
    return _lock


def _before() -> None:
    _hold.held = _lock.acquire(timeout=_PATIENCE)


def _after_in_parent() -> None:
    if _hold.held:
        _hold.held = False
        _lock.release()


def _after_in_child() -> None:
    global _lock
    _hold.held = False
    _lock = threading.RLock()


def on_fork_in_child(action: Callable[[], None]) -> None:
    """Run an action first thing in every child that Python forks."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=action)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_after_in_parent, after_in_child=_after_in_child)
