"""Which of a file object's methods is called: the more derived one of read and readinto."""

from __future__ import annotations

import io
from typing import Any

import pytest

from libdv import DVWriter, PuffinFile

VALUES = list(range(0, 100_000, 7))


@pytest.fixture(scope="module")
def data() -> bytes:
    writer = DVWriter()
    writer.add("a.parquet", VALUES)
    return writer.flush_to_bytes("deletes.puffin").data


class OnlyReadinto:
    """A file object without ``read``."""

    def __init__(self, data: bytes) -> None:
        self._file = io.BytesIO(data)

    def readinto(self, buffer: Any) -> int:
        return self._file.readinto(buffer)

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()


def flipped(data: bytes) -> bytes:
    return bytes(byte ^ 0xFF for byte in data)


class DecryptsInRead(io.BytesIO):
    def read(self, size: int | None = -1, /) -> bytes:
        return flipped(super().read(size))


class DecryptsInReadinto(io.BytesIO):
    def readinto(self, buffer: Any, /) -> int:
        view = memoryview(buffer)
        count = super().readinto(view)
        view[:count] = flipped(bytes(view[:count]))
        return count


class Proxy:
    """A file object whose methods are another's."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def test_a_file_that_has_readinto_alone(data: bytes) -> None:
    with PuffinFile(OnlyReadinto(data)) as puffin:
        assert list(puffin.read(0)) == VALUES


@pytest.mark.parametrize("kind", [DecryptsInRead, DecryptsInReadinto, Proxy])
def test_what_a_subclass_overrides_is_called(data: bytes, kind: Any) -> None:
    """The most derived of read and readinto, whichever it is."""
    file = Proxy(io.BytesIO(data)) if kind is Proxy else kind(flipped(data))
    with PuffinFile(file) as puffin:
        assert list(puffin.read(0)) == VALUES


def test_a_method_of_the_object_itself_is_called(data: bytes) -> None:
    class Open(io.BytesIO):
        pass

    file = Open(flipped(data))
    file.read = lambda size=-1: flipped(io.BytesIO.read(file, size))  # type: ignore[method-assign]
    with PuffinFile(file) as puffin:
        assert list(puffin.read(0)) == VALUES


def test_no_copy_where_one_class_has_both(data: bytes) -> None:
    class Both(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            raise AssertionError(size)

        def readinto(self, buffer: Any, /) -> int:
            return super().readinto(buffer)

    with PuffinFile(Both(data)) as puffin:
        assert list(puffin.read(0)) == VALUES
