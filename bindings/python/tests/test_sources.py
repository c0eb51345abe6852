"""Where bytes are read from: paths, buffers, file objects, functions."""

from __future__ import annotations

import gzip
import io
import mmap
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fsspec
import pyarrow as pa
import pyarrow.fs
import pytest

import libdv
from libdv import DeletionVector, DVWriter, PuffinFile, Source

if TYPE_CHECKING:
    from collections.abc import Callable

VALUES = list(range(0, 100_000, 7))


@pytest.fixture(scope="module")
def data() -> bytes:
    writer = DVWriter()
    writer.add("a.parquet", VALUES)
    writer.add("b.parquet", [1])
    return writer.flush_to_bytes("deletes.puffin").data


class OnlyReadAndSeek:
    """The least that a file object must have."""

    def __init__(self, data: bytes) -> None:
        self._file = io.BytesIO(data)

    def read(self, size: int) -> bytes:
        return self._file.read(size)

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)


class Short(io.BytesIO):
    """Returns at most 100 bytes at a time, as sockets and object stores do."""

    def readinto(self, buffer: Any, /) -> int:
        view = memoryview(buffer)[:100]
        return super().readinto(view)

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(min(size or 0, 100))


class SeekReturnsNone(io.BytesIO):
    def seek(self, offset: int, whence: int = 0, /) -> int:
        super().seek(offset, whence)
        return None  # type: ignore[return-value]


def from_arrow(data: bytes) -> Any:
    return pa.BufferReader(data)


def from_fsspec(data: bytes) -> Any:
    fs = fsspec.filesystem("memory")
    fs.pipe("/sources/x.puffin", data)
    return fs.open("/sources/x.puffin", "rb", block_size=1000)


FILES: dict[str, Callable[[bytes], Any]] = {
    "BytesIO": io.BytesIO,
    "BufferedReader": lambda data: io.BufferedReader(io.BytesIO(data)),
    "least": OnlyReadAndSeek,
    "short": Short,
    "none": SeekReturnsNone,
    "gzip": lambda data: gzip.GzipFile(fileobj=io.BytesIO(gzip.compress(data))),
    "pyarrow": from_arrow,
    "fsspec": from_fsspec,
}


@pytest.mark.parametrize("kind", FILES)
def test_file_objects(kind: str, data: bytes) -> None:
    file = FILES[kind](data)
    file.seek(3)
    with PuffinFile(file) as puffin:
        assert [blob.referenced_data_file for blob in puffin] == ["a.parquet", "b.parquet"]
        assert list(puffin.read(0)) == VALUES
        blob = puffin[0]
    assert list(libdv.read_dv(file, blob.offset, blob.length, len(VALUES), "a.parquet")) == VALUES
    assert list(libdv.read_range(file, blob.offset, blob.length)) == VALUES
    assert file.read(1) == data[3:4]  # where its owner left it


def test_paths_and_buffers(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "ünïcode name.puffin"
    path.write_bytes(data)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        for source in (path, str(path), data, bytearray(data), memoryview(data), mapped, pa.py_buffer(data), file):
            with PuffinFile(source) as puffin:
                assert list(puffin.read(0)) == VALUES


def test_a_raw_unbuffered_file(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.puffin"
    path.write_bytes(data)
    with path.open("rb", buffering=0) as file, PuffinFile(file) as puffin:
        assert list(puffin.read(1)) == [1]
        assert file.tell() == 0


def test_a_path_of_bytes_that_are_no_text(tmp_path: Path, data: bytes) -> None:
    name = Path(f"{tmp_path}/\udcff.puffin")
    name.write_bytes(data)
    with PuffinFile(name) as puffin:
        assert len(puffin) == 2


def test_a_source_is_reused(data: bytes) -> None:
    with Source(io.BytesIO(data)) as source:
        assert source.size == len(data)
        with PuffinFile(source) as puffin:
            blob = puffin[1]
            assert list(puffin.read(1)) == [1]
        assert list(libdv.read_dv(source, blob.offset, blob.length, 1, "b.parquet")) == [1]
        assert not source.closed
    with pytest.raises(libdv.DvState, match="Source is closed"):
        PuffinFile(source)


def test_a_source_that_went_away(data: bytes) -> None:
    source = Source(data)
    with PuffinFile(source) as puffin:
        source.close()
        with pytest.raises(libdv.DvState):
            puffin.read(0)
        assert len(puffin) == 2


def test_a_source_over_ranged_requests(data: bytes) -> None:
    requests = []

    def read(offset: int, size: int) -> bytes:
        requests.append((offset, size))
        return data[offset : offset + size]

    with Source.from_function(len(data), read) as source:
        blob = PuffinFile(data)[0]
        assert list(libdv.read_dv(source, blob.offset, blob.length, len(VALUES), "a.parquet")) == VALUES
    assert len(requests) == 1  # a small file takes one request


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (5, TypeError),
        (None, TypeError),
        (object(), TypeError),
        (io.StringIO("text"), TypeError),
        (Path("/no/such/file"), OSError),
        ("/no/such/file", libdv.DvIOError),
        ("nul\0here", libdv.DvInvalidArgument),
        (io.BytesIO, TypeError),
    ],
)
def test_what_is_no_source(wrong: Any, error: type[Exception]) -> None:
    for read in (Source, PuffinFile, lambda s: libdv.read_range(s, 0, 20)):
        with pytest.raises(error):
            read(wrong)


def test_a_text_file(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("text")
    with path.open() as file, pytest.raises(TypeError, match="binary"):
        Source(file)


def test_a_stream_that_cannot_seek(data: bytes) -> None:
    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    with pytest.raises(io.UnsupportedOperation, match="cannot seek"):
        PuffinFile(Pipe(data))


def test_a_closed_file(data: bytes) -> None:
    file = io.BytesIO(data)
    with PuffinFile(file) as puffin:
        file.close()
        with pytest.raises(ValueError, match="closed file"):
            puffin.read(0)


@pytest.mark.parametrize("answer", [None, 10**9, -1, 2**70])
def test_a_file_that_lies_about_what_it_read(answer: Any, data: bytes) -> None:
    class Liar(io.BytesIO):
        def readinto(self, buffer: Any, /) -> int:
            super().readinto(buffer)
            return answer  # type: ignore[no-any-return]

    with pytest.raises(BlockingIOError if answer is None else ValueError):
        PuffinFile(Liar(data))


@pytest.mark.parametrize("answer", [None, "text", b"x" * 10**6, 5])
def test_a_function_that_returns_nonsense(answer: Any) -> None:
    with (
        Source.from_function(100, lambda _offset, _size: answer) as source,
        pytest.raises((TypeError, ValueError, BlockingIOError)) as info,
    ):
        libdv.read_range(source, 0, 50)
    assert not isinstance(info.value, libdv.DvError)


def test_an_early_end() -> None:
    with Source.from_function(100, lambda _offset, _size: b"") as source, pytest.raises(libdv.DvIOError, match="end"):
        libdv.read_range(source, 0, 50)


def test_a_view_of_the_librarys_memory_cannot_be_kept(data: bytes) -> None:
    kept = []

    class Keeper(io.BytesIO):
        def readinto(self, buffer: Any, /) -> int:
            kept.append(buffer)
            return super().readinto(buffer)

    with PuffinFile(Keeper(data)):
        pass
    with pytest.raises(ValueError, match="released"):
        kept[0][0] = 1


def test_threads_take_turns_at_a_file_object(data: bytes) -> None:
    inside = threading.Semaphore(1)

    class Alone(io.BytesIO):
        def readinto(self, buffer: Any, /) -> int:
            assert inside.acquire(blocking=False), "two threads at once"
            try:
                return super().readinto(buffer)
            finally:
                inside.release()

    with PuffinFile(Alone(data)) as puffin, ThreadPoolExecutor(8) as pool:
        assert all(list(dv) == VALUES for dv in pool.map(puffin.read, [0] * 60))


def test_threads_read_a_function_at_once(data: bytes) -> None:
    barrier = threading.Barrier(4)

    def read(offset: int, size: int) -> bytes:
        barrier.wait(20)  # passes when four are here
        return data[offset : offset + size]

    blob = PuffinFile(data)[1]
    with Source.from_function(len(data), read) as source, ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(libdv.read_range, source, blob.offset, blob.length) for _ in range(4)]
        assert all(list(future.result()) == [1] for future in futures)


def test_requests_are_few(data: bytes) -> None:
    """One for a small file; footer, the rest of a long footer, and the vector for a large one."""
    padding = DVWriter()
    for number in range(2000):
        padding.add(f"s3://bucket/some/long/path/to/a/data/file-{number:05}.parquet", range(0, 5000, 3))
    large = padding.flush_to_bytes("x").data
    for content, most in ((data, 1), (large, 3)):
        requests: list[int] = []

        def read(offset: int, size: int, content: bytes = content, requests: list[int] = requests) -> bytes:
            requests.append(size)
            return content[offset : offset + size]

        blob = PuffinFile(content)[0]
        name = blob.referenced_data_file or ""
        with Source.from_function(len(content), read) as source:
            libdv.read_dv(source, blob.offset, blob.length, blob.cardinality or 0, name)
        assert 1 <= len(requests) <= most


def test_one_vector_borrowed_twice() -> None:
    blob = bytearray(DeletionVector([1]).serialize())
    first, second = DeletionVector.view(blob), DeletionVector.view(blob)
    first.close()
    with pytest.raises(BufferError):
        blob.clear()
    second.close()
    blob.clear()


class Told(io.BytesIO):
    """A file that tells a place of its own."""

    place: Any = 0

    def tell(self) -> Any:
        return self.place


@pytest.mark.parametrize("place", [-1, 2**63, 2**70, -(2**70)])
def test_a_file_that_is_nowhere(place: int) -> None:
    file = Told(b"bytes")
    file.place = place
    with pytest.raises(OSError, match=f"says that it is at {place}: expected 0 to ") as info:
        Source(file)
    assert not isinstance(info.value, libdv.DvError)


@pytest.mark.parametrize("place", [None, "5", 1.5])
def test_a_file_that_tells_no_number(place: Any) -> None:
    file = Told(b"bytes")
    file.place = place
    with pytest.raises(TypeError, match=r"says that it is at .*, which is no integer"):
        Source(file)
