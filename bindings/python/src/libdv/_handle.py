"""One object of the C library, owned by one Python object.

A handle's address may be given to a new object as soon as it is freed. So nothing here passes an address to C that
another thread could free meanwhile: a call counts itself in, and a close that meets a running call leaves the freeing
to the last one that ends.

There is no lock in this. Appending to a list and taking from it are atomic, and the order of the steps does the rest: a
call counts itself in before it looks whether the handle is closed, and a close marks it before it looks for calls. So
one of the two sees the other, and where both do, the one that takes the debt frees.
"""

from __future__ import annotations

import sys
import weakref
from ctypes import addressof, c_void_p
from typing import TYPE_CHECKING, Any, Protocol

from libdv import _callbacks
from libdv._abi import Bytes
from libdv._buffers import drain
from libdv.errors import DvForked, DvState

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from typing_extensions import Self

    from libdv._loader import Native


class Kept(Protocol):
    """What must outlive a handle: lent buffers, callbacks, other handles."""

    def release(self) -> None:
        """The handle is gone."""


def _free(debt: list[c_void_p], native: Native, free: str, kept: tuple[Kept, ...], calls_back: bool) -> None:
    """Free what is owed, unless that was done, or this process is a child that must not touch the library."""
    try:
        slot = debt.pop()
    except IndexError:
        return
    address, slot.value = slot.value, None
    try:
        if address and native.witness[0]:
            function = getattr(native, free)
            if calls_back:
                _callbacks.run(function, address)
            else:
                function(address)
    finally:
        for item in kept:
            item.release()


class Handle:
    """A handle, free or filled, with the calls that are using it.

    The place for the address exists, and is watched, before the C function that fills it is called: nothing is lost
    when an exception (Ctrl-C) arrives in between.

    Use it as a context manager around each call; it gives what ctypes passes on. ``close`` is safe at any time, also
    during a call on another thread and in the object's own callback.

    Attributes:
        native: The library that the object belongs to.
        what: The object's name in messages: "this DeletionVector".
        asks_python: Whether reading from it runs Python code of the caller: a source over a file object.
    """

    __slots__ = ("__weakref__", "_closed", "_owed", "_slot", "_users", "_witness", "asks_python", "native", "what")

    def __init__(self, native: Native, free: str, what: str, *kept: Kept, calls_back: bool = False) -> None:
        """Prepare a place for a handle.

        Args:
            native: The library that the object will belong to.
            free: The name of the function that frees it.
            what: The object's name in messages: "this DeletionVector".
            *kept: Released after the object is freed.
            calls_back: Freeing it can run Python callbacks (it drops an unfinished file), and is due at exit too.
        """
        self.native = native
        self.what = what
        self._witness = native.witness
        self._users: list[None] = []
        self._closed = False
        self.asks_python = False
        self._slot = slot = c_void_p()
        self._owed = ([slot], native, free, kept, calls_back)
        if calls_back:
            weakref.finalize(self, _free, *self._owed)

    def __del__(self, is_exiting: Callable[[], bool] = sys.is_finalizing) -> None:
        # No call is running, since it would hold a reference. At exit memory goes with the process, and the modules
        # that this needs may be gone.
        if not is_exiting() and hasattr(self, "_owed"):  # else it was interrupted before it owed anything
            self._closed = True  # for whoever brings it back to life
            _free(*self._owed)

    @property
    def out(self) -> int:
        """Where a C function puts the new handle."""
        return addressof(self._slot)

    @property
    def closed(self) -> bool:
        """Whether ``close`` was called."""
        return self._closed

    def __enter__(self) -> int | None:
        if not self._witness[0]:
            self.check_here()
        self._users.append(None)
        if self._closed:
            self.release()
            raise DvState(f"{self.what} is closed")
        return self._slot.value

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.release()

    def check_here(self) -> None:
        """For a use that began before, and perhaps in another process.

        Raises:
            DvForked: The object belongs to a parent process.
        """
        if not self._witness[0]:
            raise DvForked(
                f"{self.what} was made before fork() and belongs to the parent process; make a new one in this "
                f"process, for example from its serialized bytes"
            )

    def check_open(self) -> None:
        """For a use that calls no function of the library, and so is allowed after ``fork()`` too.

        Raises:
            DvState: The object is closed.
        """
        if self._closed:
            raise DvState(f"{self.what} is closed")

    def retain(self) -> Handle:
        """Count a user in that lasts longer than a block, and ends with :meth:`release`."""
        self.__enter__()
        return self

    def release(self) -> None:
        """Count a user out; the last one frees a handle that was closed meanwhile."""
        self._users.pop()
        if self._closed and not self._users:
            _free(*self._owed)

    def close(self) -> None:
        """Free the object now, or when the calls that are using it have ended. A second call does nothing."""
        self._closed = True
        if self._witness[0]:
            self._users.append(None)  # like a call: what it does last is what has to be done
            self.release()
        else:  # the calls of the parent's threads do not end in a child
            _free(*self._owed)


class Owner:
    """The base of the public classes: something that has a handle and can be closed."""

    __slots__ = ("__weakref__", "_handle")

    _handle: Handle

    def _call(self, function: str, *arguments: Any) -> None:
        """Call a C function on this object's handle, which is its first argument.

        Raises:
            DvError: The call failed, or the object is closed.
        """
        handle = self._handle
        native = handle.native
        pointer = handle.__enter__()
        try:  # a with statement would do the same at twice the cost
            if status := getattr(native, function)(pointer, *arguments):
                raise native.error(status)
        finally:
            handle.release()

    def _call_back(self, function: str, *arguments: Any) -> None:
        """The same for a function that may run Python code of the caller; what that raises is raised here."""
        handle = self._handle
        with handle as pointer:
            handle.native.check(_callbacks.run(getattr(handle.native, function), pointer, *arguments))

    def _take(self, function: str, *arguments: Any) -> bytes:
        """The same for a function that fills a ``dv_bytes``."""
        out = Bytes()
        self._call(function, *arguments, addressof(out))
        return drain(self._handle.native, out)

    def __enter__(self) -> Self:
        self._handle.check_open()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError(f"cannot copy or pickle a {type(self).__name__}: it owns a native object")

    @property
    def closed(self) -> bool:
        """Whether the object was closed; every other use of it then raises :class:`libdv.DvState`."""
        return self._handle.closed

    def close(self) -> None:
        """Free the native object, and let go of what it borrowed.

        Safe during a call on another thread: that call ends as if nothing had happened, and the object is freed then.
        A second call does nothing. Without a call, the object is freed when Python collects it.
        """
        self._handle.close()
