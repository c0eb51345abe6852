"""What a caller's file object or function raises comes back as it was, and nothing is half done."""

from __future__ import annotations

import _thread
import ctypes
import io
import sys
import threading
import traceback
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import libdv
from libdv import DeletionVector, DeltaDVWriter, DVWriter, PuffinFile, Sink, Source, _callbacks

if TYPE_CHECKING:
    from pathlib import Path


class Boom(Exception):
    """The caller's own exception."""


class Stop(BaseException):
    """Not even an Exception."""


ERRORS = [Boom("mine"), Stop("mine"), KeyboardInterrupt(), SystemExit(3), OSError(28, "disk full"), GeneratorExit()]


def fails(error: BaseException) -> Any:
    def user_function(*_arguments: Any) -> Any:
        raise error

    return user_function


def raised_by(call: Any) -> BaseException:
    try:
        call()
    except BaseException as error:
        return error
    raise AssertionError("nothing was raised")


@pytest.mark.parametrize("error", ERRORS, ids=repr)
def test_a_failing_read(error: BaseException) -> None:
    with Source.from_function(1000, fails(error)) as source:
        for call in (
            lambda: PuffinFile(source),
            lambda: libdv.read_dv(source, 4, 50, 1, "x"),
            lambda: libdv.read_range(source, 4, 50),
            lambda: libdv.read_delta_record(source, 1),
        ):
            error.__traceback__ = None
            caught = raised_by(call)
            assert caught is error
            assert caught.__context__ is None
            assert "user_function" in [frame.name for frame in traceback.extract_tb(caught.__traceback__)]
    error.__traceback__ = None


@pytest.mark.parametrize("error", ERRORS, ids=repr)
@pytest.mark.parametrize("when", ["write", "finish"])
def test_a_failing_write(error: BaseException, when: str) -> None:
    finished: list[bool] = []

    def finish(success: bool) -> None:
        finished.append(success)
        if when == "finish":
            raise error

    write = fails(error) if when == "write" else lambda data: None
    with DVWriter() as writer:
        writer.add("a.parquet", [1, 2])
        with Sink.from_functions(write, finish) as sink:
            error.__traceback__ = None
            assert raised_by(lambda: writer.flush(sink, "x")) is error
            assert finished == [when == "finish"]
            with pytest.raises(libdv.DvState):
                writer.flush(sink, "x")
        assert finished == [when == "finish"]
        data, entries = writer.flush_to_bytes("x")  # it still holds everything
        assert entries[0]["record-count"] == 2
        assert list(PuffinFile(data).read(0)) == [1, 2]
    error.__traceback__ = None


@pytest.mark.parametrize("when", ["write", "finish"])
def test_a_failing_delta_file(when: str) -> None:
    error, finished = Boom(), []

    def finish(success: bool) -> None:
        finished.append(success)
        if when == "finish" and success:
            raise error

    write = fails(error) if when == "write" else lambda data: None
    writer = DeltaDVWriter(Sink.from_functions(write, finish))

    def write_all() -> None:
        writer.write(DeletionVector([1]))
        writer.finalize()

    assert raised_by(write_all) is error
    error.__traceback__ = None
    for call in (lambda: writer.write(DeletionVector([1])), writer.finalize):
        with pytest.raises(libdv.DvState):
            call()
    writer.close()
    assert finished == [when == "finish"]


def test_the_block_of_a_delta_writer_that_raises_drops_the_file(tmp_path: Path) -> None:
    finished: list[bool] = []
    with pytest.raises(Boom), DeltaDVWriter(Sink.from_functions(lambda data: None, finished.append)) as writer:
        writer.write(DeletionVector([1]))
        raise Boom
    assert finished == [False]
    path = tmp_path / "deletion_vector.bin"
    with pytest.raises(Boom), DeltaDVWriter(path) as writer:
        writer.write(DeletionVector([1]))
        raise Boom
    assert list(tmp_path.iterdir()) == []


def test_dropping_a_file_that_fails_is_told_by_close() -> None:
    error = Boom()
    writer = DeltaDVWriter(Sink.from_functions(lambda data: None, fails(error)))
    writer.write(DeletionVector([1]))
    assert raised_by(writer.close) is error
    writer.close()
    error.__traceback__ = None


def test_an_error_that_is_seen_by_no_one_does_not_reach_the_next_call(capsys: pytest.CaptureFixture[str]) -> None:
    hook, sys.unraisablehook = sys.unraisablehook, lambda args: print(repr(args.exc_value))  # noqa: T201
    try:
        writer = DeltaDVWriter(Sink.from_functions(lambda data: None, fails(Boom("late"))))
        writer.write(DeletionVector([1]))
        del writer
    finally:
        sys.unraisablehook = hook
    assert "late" in capsys.readouterr().out
    assert list(libdv.read_range(DeletionVector([1]).serialize(), 0, 42)) == [1]


def test_calls_inside_callbacks() -> None:
    blob = DeletionVector([1, 2]).serialize()

    def read(offset: int, size: int) -> bytes:
        inner = libdv.read_range(io.BytesIO(blob), 0, len(blob))
        with pytest.raises(Boom), Source.from_function(50, fails(Boom())) as broken:
            libdv.read_range(broken, 0, 42)
        return inner.serialize()[offset : offset + size]

    with Source.from_function(len(blob), read) as source:
        assert list(libdv.read_range(source, 0, len(blob))) == [1, 2]


def test_a_source_used_by_its_own_callback_is_busy() -> None:
    blob = DeletionVector([1, 2]).serialize()
    seen = []

    def read(offset: int, size: int) -> bytes:
        seen.append(raised_by(lambda: libdv.read_range(source, 0, len(blob))))
        return blob[offset : offset + size]

    with Source.from_function(len(blob), read) as source:
        assert list(libdv.read_range(source, 0, len(blob))) == [1, 2]
    assert isinstance(seen[0], libdv.DvState)
    seen.clear()


def test_a_source_closed_by_its_own_callback_ends_with_the_call() -> None:
    blob = DeletionVector(range(0, 100_000, 3)).serialize()
    before = libdv.live_handles()

    def read(offset: int, size: int) -> bytes:
        source.close()
        return blob[offset : offset + min(size, 1000)]

    source = Source.from_function(len(blob), read)
    assert len(libdv.read_range(source, 0, len(blob))) == 33_334
    assert source.closed
    assert libdv.live_handles() == before
    with pytest.raises(libdv.DvState):
        libdv.read_range(source, 0, len(blob))


def test_a_writer_closed_by_its_own_callback_ends_with_the_call() -> None:
    taken: list[bytes] = []

    def write(data: bytes) -> None:
        writer.close()
        sink.close()
        taken.append(data)

    finished: list[bool] = []
    writer, sink = DVWriter(), Sink.from_functions(write, finished.append)
    writer.add("a.parquet", [1])
    entries = writer.flush(sink, "x")
    assert finished == [True]
    assert list(PuffinFile(b"".join(taken)).read(0)) == [1]
    assert len(entries) == 1


def test_callbacks_fail_on_the_thread_that_called() -> None:
    blob = DeletionVector([1]).serialize()
    wrong: list[object] = []

    def work(number: int) -> None:
        mine = Boom(number)
        for turn in range(200):
            fail = (number + turn) % 2

            def read(offset: int, size: int, fail: int = fail) -> bytes:
                if fail:
                    raise mine
                return blob[offset : offset + size]

            with Source.from_function(len(blob), read) as source:
                try:
                    libdv.read_range(source, 0, len(blob)).close()
                    wrong.extend([(number, turn)] if fail else [])
                except Boom as error:
                    wrong.extend([] if fail and error is mine else [error])
        mine.__traceback__ = None

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert wrong == []


def interrupt_in_c(after: int) -> tuple[BaseException | None, list[str]]:
    """Ctrl-C comes when the write of that number has just returned to C; what is raised, and what the sink saw."""
    seen: list[str] = []
    returning = threading.Event()

    def press() -> None:
        returning.wait(20)  # this thread gets the interpreter when the main thread is back in C
        _thread.interrupt_main()

    def write(_data: bytes) -> None:
        seen.append("write")
        if len(seen) == after:
            returning.set()

    thread = threading.Thread(target=press)
    thread.start()
    with DVWriter() as writer, Sink.from_functions(write, lambda success: seen.append(str(success))) as sink:
        for number in range(20):
            writer.add(f"{number}.parquet", np.arange(number, 3_000_000, 7))
        caught: BaseException | None = None
        try:
            writer.flush(sink, "x")
            thread.join()  # it came too late
        except KeyboardInterrupt as error:
            caught = error
        thread.join()
        return caught, seen


def test_ctrl_c_between_callbacks_is_not_lost() -> None:
    """It arrives in C, and is raised where ctypes would print it and return garbage to C: a hole in a good file."""
    complete = interrupt_free_writes()
    for after in range(1, complete):
        caught, seen = interrupt_in_c(after)
        assert isinstance(caught, KeyboardInterrupt)
        writes = seen.count("write")
        assert seen[writes:] in ([["True"], ["False"]] if writes == complete else [["False"]])


def interrupt_free_writes() -> int:
    """How many writes the same file takes."""
    writes: list[bytes] = []
    with DVWriter() as writer, Sink.from_functions(writes.append, lambda success: None) as sink:
        for number in range(20):
            writer.add(f"{number}.parquet", np.arange(number, 3_000_000, 7))
        writer.flush(sink, "x")
    return len(writes)


def test_an_exception_at_the_very_entry_of_a_callback() -> None:
    """The same, made certain: whatever is raised in the entry's own frame, outside of its try."""
    prototype = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int32)
    function = prototype(_callbacks.callback(lambda value: value, -1))
    error = KeyboardInterrupt()

    def raise_at_entry(frame: Any, event: str, _argument: Any) -> None:
        if event == "call" and frame.f_code is _callbacks._ENTRY_CODE:
            raise error

    def call() -> int:
        sys.setprofile(raise_at_entry)
        try:
            return int(function(7))
        finally:
            sys.setprofile(None)

    hook = sys.unraisablehook
    assert _callbacks.run(function, 7) == 7
    assert raised_by(lambda: _callbacks.run(call)) is error
    assert sys.unraisablehook is hook

    cleaned: list[int] = []

    def clean(value: int) -> int:
        cleaned.append(value)
        return 0

    function = prototype(_callbacks.callback(clean, -1, always=True))
    assert raised_by(lambda: _callbacks.run(call)) is error
    assert cleaned == [7]  # what must run in any case did, once
    error.__traceback__ = None


def test_unraisable_errors_of_others_still_reach_their_hook() -> None:
    seen: list[Any] = []

    class Noisy:
        def __del__(self) -> None:
            raise Boom("in a finalizer")

    hook, sys.unraisablehook = sys.unraisablehook, lambda args: seen.append(str(args.exc_value))
    try:
        _callbacks.run(lambda: str(Noisy()))
    finally:
        sys.unraisablehook = hook
    assert seen == ["in a finalizer"]
