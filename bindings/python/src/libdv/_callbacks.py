"""Python code that the C library calls: what it raises comes out of the call it was raised under.

No exception may cross C. So each callback runs under :func:`callback`, which keeps the exception for this thread and
answers with the failure value, and each call that can reach a callback goes through :func:`run`, which raises the very
same object again when the C function has returned.

A signal handler (Ctrl-C) may raise even before the first statement of a callback. ctypes then prints the exception and
returns garbage to C: an interrupted write would pass for a good one. While a call runs on the main thread, the only one
that handles signals, such an exception is caught through ``sys.unraisablehook`` and treated like any other.
"""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

T = TypeVar("T")


class _Pending(threading.local):
    """What a callback of the C call now running on this thread raised first."""

    error: BaseException | None = None


_pending = _Pending()


def failed() -> bool:
    """Whether a callback has raised under the C call that is running on this thread."""
    return _pending.error is not None


def _keep(error: BaseException) -> None:
    if _pending.error is None:
        _pending.error = error


def callback(body: Callable[..., int], failure: int, *, always: bool = False) -> Callable[..., int]:
    """A function for ctypes that runs ``body`` and answers ``failure`` where it raises.

    Once one callback has failed under a call, later ones are not run, since they would work on what is already broken;
    those that clean up are, with ``always``.
    """

    def entry(*arguments: Any) -> int:
        try:
            if _pending.error is not None and not always:
                return failure
            return body(*arguments)
        except BaseException as error:  # noqa: BLE001  # raised again by run()
            _keep(error)
            return failure

    return entry


_ENTRY_CODE = callback(int, 0).__code__


class _EntryTrap:
    """Catches, on the main thread, what is raised in ``entry`` outside of its ``try``."""

    def __enter__(self) -> None:
        self._before = sys.unraisablehook
        sys.unraisablehook = self._hook

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        if sys.unraisablehook == self._hook:
            sys.unraisablehook = self._before

    def _hook(self, unraisable: sys.UnraisableHookArgs, /) -> None:
        tb = unraisable.exc_traceback
        if tb is None or tb.tb_frame.f_code is not _ENTRY_CODE or unraisable.exc_value is None:
            self._before(unraisable)
            return
        _keep(unraisable.exc_value)
        entry = tb.tb_frame.f_locals
        if entry["always"]:
            entry["body"](*entry["arguments"])


def _call(function: Callable[..., T], arguments: tuple[Any, ...]) -> T:
    if threading.current_thread() is not threading.main_thread():
        return function(*arguments)
    with _EntryTrap():
        return function(*arguments)


def run(function: Callable[..., T], *arguments: Any) -> T:
    """Call a C function that may call back.

    Returns:
        What the C function returned.

    Raises:
        BaseException: Whatever a callback raised, the same object, also where the C function went on and succeeded.
    """
    outer, _pending.error = _pending.error, None
    try:
        result = _call(function, arguments)
        error = _pending.error
    finally:
        _pending.error = outer
    if error is not None:
        try:
            raise error
        finally:
            del error  # the traceback would hold this frame, and the frame the exception
    return result
