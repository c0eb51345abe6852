"""Where files are written to."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING, Any

import fsspec
import pyarrow as pa
import pytest

import libdv
from libdv import DeletionVector, DeltaDVWriter, DVWriter, PuffinFile, Sink

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def writer() -> Any:
    with DVWriter() as made:
        made.add("a.parquet", [1, 2])
        yield made


def check(data: bytes) -> None:
    with PuffinFile(data) as puffin:
        assert list(puffin.read(0)) == [1, 2]


def test_a_path(writer: DVWriter, tmp_path: Path) -> None:
    path = tmp_path / "sub dir" / "ü.puffin"
    path.parent.mkdir()
    [entry] = writer.flush(path)
    check(path.read_bytes())
    assert entry["file-path"] == str(path)
    assert entry["file-size-in-bytes"] == path.stat().st_size
    assert [p.name for p in path.parent.iterdir()] == ["ü.puffin"]


def test_an_existing_path_is_not_touched(writer: DVWriter, tmp_path: Path) -> None:
    path = tmp_path / "x.puffin"
    path.write_bytes(b"mine")
    with pytest.raises(OSError, match="exist"):
        writer.flush(str(path))
    assert path.read_bytes() == b"mine"
    assert list(tmp_path.iterdir()) == [path]
    writer.flush(str(tmp_path / "y.puffin"))


def test_a_missing_folder(writer: DVWriter, tmp_path: Path) -> None:
    with pytest.raises(libdv.DvIOError):
        writer.flush(tmp_path / "no" / "x.puffin")
    assert list(tmp_path.iterdir()) == []


def test_file_objects(writer: DVWriter, tmp_path: Path) -> None:
    file = io.BytesIO()
    writer.flush(file, "s3://x")
    check(file.getvalue())
    writer.add("a.parquet", [1, 2])
    with (tmp_path / "raw").open("wb", buffering=0) as raw:
        writer.flush(raw, "s3://x")
        check((tmp_path / "raw").read_bytes())
    writer.add("a.parquet", [1, 2])
    with (tmp_path / "buffered").open("wb") as buffered:
        writer.flush(buffered, "s3://x")
        check((tmp_path / "buffered").read_bytes())  # it is flushed
    memory = fsspec.filesystem("memory")
    writer.add("a.parquet", [1, 2])
    with memory.open("/sinks/x.puffin", "wb") as remote:
        writer.flush(remote, "memory://sinks/x.puffin")
    check(memory.cat("/sinks/x.puffin"))
    writer.add("a.parquet", [1, 2])
    stream = pa.BufferOutputStream()
    writer.flush(stream, "s3://x")
    check(stream.getvalue().to_pybytes())


class Partial(io.BytesIO):
    """Takes at most 7 bytes at a time."""

    def write(self, data: Any, /) -> int:
        return super().write(bytes(data)[:7])


class Silent:
    """Says nothing about what it took, and insists on bytes."""

    def __init__(self) -> None:
        self.data = b""

    def write(self, data: bytes) -> None:
        self.data += data


def test_short_and_silent_writes(writer: DVWriter) -> None:
    partial = Partial()
    writer.flush(partial, "x")
    check(partial.getvalue())
    writer.add("a.parquet", [1, 2])
    silent = Silent()
    writer.flush(silent, "x")
    check(silent.data)


@pytest.mark.parametrize("answer", [0, -1, 10**9])
def test_a_file_that_lies_about_what_it_wrote(writer: DVWriter, answer: int) -> None:
    class Liar(io.BytesIO):
        def write(self, data: Any, /) -> int:
            return answer

    with pytest.raises(OSError, match="says that it wrote") as info:
        writer.flush(Liar(), "x")
    assert not isinstance(info.value, libdv.DvError)


def test_a_file_that_blocks(writer: DVWriter) -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    writer.add("a.parquet", range(0, 2_000_000, 3))
    with os.fdopen(reading, "rb"), os.fdopen(writing, "wb", buffering=0) as pipe, pytest.raises(BlockingIOError):
        writer.flush(pipe, "x")


@pytest.mark.parametrize("wrong", [None, 5, b"bytes", object(), io.StringIO()])
def test_what_is_no_sink(writer: DVWriter, wrong: Any) -> None:
    with pytest.raises(TypeError):
        writer.flush(wrong, "x")
    with pytest.raises(TypeError):
        DeltaDVWriter(wrong)


def test_a_location_is_needed(writer: DVWriter) -> None:
    for target in (io.BytesIO(), Sink.memory()):
        with pytest.raises(libdv.DvInvalidArgument, match="location"):
            writer.flush(target)
        if isinstance(target, Sink):
            target.close()


def test_a_memory_sink_is_taken_once(writer: DVWriter) -> None:
    with Sink.memory() as sink:
        with pytest.raises(libdv.DvState):
            sink.take()
        writer.flush(sink, "x")
        check(sink.take())
        with pytest.raises(libdv.DvState):
            sink.take()
    with Sink(io.BytesIO()) as other, pytest.raises(libdv.DvState):
        other.take()


def test_a_sink_serves_one_file(writer: DVWriter) -> None:
    with Sink.memory() as sink:
        writer.flush(sink, "x")
        writer.add("a.parquet", [1])
        with pytest.raises(libdv.DvState):
            writer.flush(sink, "x")
        with pytest.raises(libdv.DvState):
            DeltaDVWriter(sink)


def test_nothing_to_write_writes_nothing(tmp_path: Path) -> None:
    finished: list[bool] = []
    with DVWriter() as writer:
        assert writer.flush(tmp_path / "x") == []
        assert writer.flush_to_bytes("x") == (b"", [])
        with Sink.from_functions(lambda data: None, finished.append) as sink:
            assert writer.flush(sink, "x") == []
    assert list(tmp_path.iterdir()) == []
    assert finished == [False]


def test_an_unused_sink_leaves_no_trace(tmp_path: Path) -> None:
    finished: list[bool] = []
    Sink(tmp_path / "x").close()
    Sink.from_functions(lambda data: None, finished.append).close()
    assert list(tmp_path.iterdir()) == []
    assert finished in ([], [False])


def test_what_was_written_may_be_kept() -> None:
    parts: list[bytes] = []
    with DeltaDVWriter(Sink.from_functions(parts.append, lambda _success: None)) as writer:
        writer.write(DeletionVector(range(0, 10_000, 7)))
    dv = libdv.read_delta_record(b"".join(parts), 1)
    assert list(dv) == list(range(0, 10_000, 7))
    assert all(type(part) is bytes for part in parts)
