"""Deletion vectors: sets of row numbers."""

from __future__ import annotations

from ctypes import byref, c_bool
from typing import TYPE_CHECKING, Any, Final, SupportsIndex

from libdv import _arguments
from libdv._loader import native
from libdv._positions import LentPositions
from libdv._vector_base import vector_handle
from libdv._vector_codecs import VectorCodecs
from libdv._vector_reads import VectorReads
from libdv.errors import DvError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from typing_extensions import Self

    from libdv._positions import Positions

_SHOWN: Final = 8


class DeletionVector(VectorReads, VectorCodecs):
    """A set of deleted rows of one data file: 0-based positions up to ``MAX_POSITION``.

    It reads like a frozen set (``in``, ``len``, iteration in ascending order, ``==``, truth) and changes like a mutable
    one (``add``, ``|=``, ``-=``), so it is unhashable. It can be copied and pickled. Any number of threads may read one
    vector at a time; changes exclude each other and readers. Objects are freed when they are closed, at the end of a
    ``with`` block, or by the garbage collector. After ``fork()`` they belong to the parent: the child makes new ones.

    Example:
        >>> from libdv import DeletionVector
        >>> dv = DeletionVector([7, 3, 3])
        >>> dv.add_range(10, 13)
        >>> dv
        DeletionVector([3, 7, 10, 11, 12])
        >>> 7 in dv, len(dv), list(dv - DeletionVector([10]))
        (True, 5, [3, 7, 11, 12])
        >>> DeletionVector.deserialize(dv.serialize()) == dv
        True
    """

    __slots__ = ()

    def __init__(self, positions: Positions | None = None) -> None:
        """Make a vector.

        Args:
            positions: What it holds: see :meth:`add_many`; another vector is copied. ``None``: nothing.

        Raises:
            TypeError: The positions are no integers.
            DvInvalidArgument: A position is negative or too large.
        """
        library = native()
        self._handle = vector_handle(library)
        if isinstance(positions, DeletionVector):
            with positions._handle as other:
                library.check(library.dv_copy(other, self._handle.out))
            return
        if status := library.dv_new(self._handle.out):
            raise library.error(status)
        if positions is not None:
            self.add_many(positions)

    @classmethod
    def from_ranges(cls, ranges: Iterable[tuple[SupportsIndex, SupportsIndex]]) -> Self:
        """A vector of the rows in half-open ranges ``(start, end)``, in any order.

        Raises:
            DvInvalidArgument: A range is out of bounds.

        Example:
            >>> from libdv import DeletionVector
            >>> DeletionVector.from_ranges([(0, 2), (5, 7)])
            DeletionVector([0, 1, 5, 6])
        """
        vector = cls()
        for start, end in ranges:
            vector.add_range(start, end)
        return vector

    def add(self, position: SupportsIndex) -> None:
        """Delete one row.

        Raises:
            DvInvalidArgument: The position is negative or too large.
        """
        self._call("dv_set", _arguments.position(position))

    def add_many(self, positions: Positions) -> None:
        """Delete many rows, all or none of them.

        Args:
            positions: Integers, in any order, duplicates allowed: an iterable, a ``range``, a NumPy array, a PyArrow
                Array or ChunkedArray, a pandas or Polars series, an ``array.array``. Contiguous int64 data is read in
                place, everything else is converted first.

        Raises:
            TypeError: The positions are no integers.
            DvInvalidArgument: A position is negative or too large, or null.
        """
        if isinstance(positions, range) and positions.step == 1 and positions:
            self.add_range(positions.start, positions.stop)
            return
        lent = LentPositions(positions)
        try:
            self._call("dv_set_many", lent.address, lent.count)
        finally:
            lent.release()

    def add_range(self, start: SupportsIndex, end: SupportsIndex) -> None:
        """Delete the rows in ``[start, end)``. An empty or inverted range does nothing.

        Raises:
            DvInvalidArgument: ``start`` is negative, or ``end`` is above ``MAX_POSITION + 1``.
            DvLimit: The range is too large to be held.
        """
        self._call("dv_set_range", _arguments.start_of(start), _arguments.end_of(end))

    def run_length_encode(self) -> None:
        """Bring every container into its smallest form, which changes :meth:`to_bitmap` and memory, not the set."""
        self._call("dv_run_length_encode")

    def copy(self) -> Self:
        """A vector of its own with the same positions."""
        with self._handle as dv:
            return self._make("dv_copy", dv, library=self._handle.native)

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).deserialize, (self.serialize(),)

    def __ior__(self, other: object) -> Self:
        return self._combine("dv_or", other) if isinstance(other, DeletionVector) else NotImplemented

    def __isub__(self, other: object) -> Self:
        return self._combine("dv_andnot", other) if isinstance(other, DeletionVector) else NotImplemented

    def __or__(self, other: object) -> Self:
        return self.copy()._combine("dv_or", other) if isinstance(other, DeletionVector) else NotImplemented

    def __sub__(self, other: object) -> Self:
        return self.copy()._combine("dv_andnot", other) if isinstance(other, DeletionVector) else NotImplemented

    def _combine(self, function: str, other: DeletionVector) -> Self:
        with other._handle as pointer:
            self._call(function, pointer)
        return self

    def __eq__(self, other: object) -> bool:
        """Whether the other vector holds the same positions, however each is encoded."""
        if not isinstance(other, DeletionVector):
            return NotImplemented
        out = c_bool()
        with other._handle as pointer:
            self._call("dv_equals", pointer, byref(out))
        return out.value

    __hash__ = None  # type: ignore[assignment]  # a vector can change

    def __repr__(self) -> str:
        name = type(self).__name__
        try:
            count = len(self)
            first = self.head(0, None, _SHOWN)
        except DvError as error:
            return f"<{name}: {error.message}>"
        if count <= len(first):
            return f"{name}({first})"
        return f"<{name} of {count} positions: {', '.join(map(str, first))}, ...>"
