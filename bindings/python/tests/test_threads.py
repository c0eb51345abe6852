"""Many threads on the same objects: results are right, and no race harms the process."""

from __future__ import annotations

import gc
import io
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import libdv
from libdv import DeletionVector, DVWriter, MumblingBitmap, PuffinFile, Source

POSITIONS = np.arange(0, 300_000, 3)


def run_all(*targets: Any) -> list[BaseException]:
    """Run the functions in threads of their own; what they raised."""
    errors: list[BaseException] = []

    def guarded(target: Any) -> None:
        try:
            target()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(target,)) for target in targets]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    return errors


def test_threads_read_one_vector() -> None:
    dv = DeletionVector(POSITIONS)
    expected = dv.keep_mask(100, 5000)

    def work() -> None:
        for _ in range(50):
            np.testing.assert_array_equal(dv.positions(), POSITIONS)
            assert dv.keep_mask(100, 5000) == expected
            assert dv.count(0, 3000) == 1000
            assert 3 in dv
            assert dv == dv.copy()

    assert run_all(*[work] * 6) == []


def test_threads_share_a_lazy_bitmap() -> None:
    data = bytes(MumblingBitmap.from_vector(DeletionVector(POSITIONS)).buffer())
    for _ in range(20):
        bitmap = MumblingBitmap(data)
        start = threading.Barrier(4)

        def first(bitmap: MumblingBitmap = bitmap, start: threading.Barrier = start) -> None:
            start.wait(20)
            assert 299_997 in bitmap
            assert len(bitmap.positions()) == len(POSITIONS)

        assert run_all(*[first] * 4) == []


def test_writers_and_readers_of_one_vector() -> None:
    dv = DeletionVector()

    def add(offset: int) -> None:
        for position in range(offset, 20_000, 4):
            dv.add(position)

    def read() -> None:
        for _ in range(100):
            positions = dv.positions()
            assert (np.diff(positions) > 0).all()
            len(dv), dv.serialize(), dv.keep_indices(0, 20_000)

    assert run_all(*[lambda offset=offset: add(offset) for offset in range(4)], read, read) == []
    assert list(dv) == list(range(20_000))


def test_threads_fill_one_writer() -> None:
    with DVWriter() as writer:

        def add(number: int) -> None:
            for turn in range(100):
                writer.add(f"{(number + turn) % 10}", [number * 100 + turn])

        assert run_all(*[lambda number=number: add(number) for number in range(5)]) == []
        data, entries = writer.flush_to_bytes("x")
    assert len(entries) == 10
    with PuffinFile(data) as puffin:
        assert sorted(p for index in range(10) for p in puffin.read(index)) == list(range(500))


def test_vectors_combined_both_ways() -> None:
    a, b = DeletionVector(POSITIONS[:1000]), DeletionVector(POSITIONS[500:1500])

    def merge(left: DeletionVector, right: DeletionVector) -> None:
        for _ in range(200):
            left |= right
            assert left == left
            right == left  # noqa: B015

    assert run_all(lambda: merge(a, b), lambda: merge(b, a), lambda: merge(a, a)) == []
    assert a == b == DeletionVector(POSITIONS[:1500])


def test_close_during_calls() -> None:
    """A call that has begun ends well; later ones say that the object is closed."""
    blob = DeletionVector(POSITIONS).serialize()
    stop = time.monotonic() + 3
    shared: list[DeletionVector] = [DeletionVector.view(blob)]
    counts = {"read": 0, "closed": 0}

    def read() -> None:
        while time.monotonic() < stop:
            try:
                assert len(shared[0].positions()) == len(POSITIONS)
                counts["read"] += 1
            except libdv.DvState:
                counts["closed"] += 1

    def close() -> None:
        chance = random.Random(1)
        while time.monotonic() < stop:
            time.sleep(chance.random() / 1000)
            shared[0].close()
            shared[0] = DeletionVector.view(bytearray(blob))

    assert run_all(read, read, read, close, close) == []
    assert counts["read"] > 0
    shared.clear()


def test_close_waits_for_no_one_and_frees_when_the_call_ends() -> None:
    """Close during a call that hangs in a callback: it returns at once, the object goes when the call does."""
    blob = DeletionVector([1]).serialize()
    inside, go_on = threading.Event(), threading.Event()
    before = libdv.live_handles()

    def read(offset: int, size: int) -> bytes:
        inside.set()
        assert go_on.wait(20)
        return blob[offset : offset + size]

    source = Source.from_function(len(blob), read)
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(libdv.read_range, source, 0, len(blob))
        assert inside.wait(20)
        source.close()
        with pytest.raises(libdv.DvState):
            libdv.read_range(source, 0, len(blob))
        assert libdv.live_handles() == before + 1
        go_on.set()
        assert list(future.result(20)) == [1]
        del future
    assert libdv.live_handles() == before


def test_a_puffin_file_closed_while_it_reads() -> None:
    with DVWriter() as writer:
        writer.add("a", POSITIONS)
        data = writer.flush_to_bytes("x").data
    inside, go_on = threading.Event(), threading.Event()

    class Slow(io.BytesIO):
        slow = False

        def readinto(self, buffer: Any, /) -> int:
            if self.slow:
                inside.set()
                assert go_on.wait(20)
            return super().readinto(memoryview(buffer)[:5000])

    file = Slow(data)
    puffin = PuffinFile(file)
    file.slow = True
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(puffin.read, 0)
        assert inside.wait(20)
        puffin.close()
        gc.collect()
        go_on.set()
        assert len(future.result(20)) == len(POSITIONS)
        del future


def test_threads_take_masks_from_a_file_that_is_closed_meanwhile() -> None:
    rows = list(range(100, 200))
    with DVWriter() as writer:
        for number in range(len(rows)):
            writer.add(str(number), range(number, number + 50))
        data = writer.flush_to_bytes("x").data
    expected = [mask.count() for mask in PuffinFile(data).keep_masks(rows)]
    for source in (data, io.BytesIO(data)):
        for _ in range(20):
            puffin = PuffinFile(source)
            started = threading.Barrier(5)

            def take(puffin: PuffinFile = puffin, started: threading.Barrier = started) -> None:
                masks = puffin.keep_masks(rows)
                counts = [next(masks).count()]
                started.wait(20)
                counts += [mask.count() for mask in masks]
                assert counts == expected

            def close(puffin: PuffinFile = puffin, started: threading.Barrier = started) -> None:
                started.wait(20)
                puffin.close()

            assert run_all(*[take] * 4, close) == []


def test_errors_belong_to_their_thread() -> None:
    def fail(number: int) -> None:
        dv = DeletionVector()
        for turn in range(500):
            with pytest.raises(libdv.DvInvalidArgument) as info:
                dv.add_many([-(number * 1000 + turn) - 1])
            assert f"position {-(number * 1000 + turn) - 1} " in str(info.value)

    assert run_all(*[lambda number=number: fail(number) for number in range(4)]) == []


def test_the_interpreter_runs_on_during_a_long_call() -> None:
    large = DeletionVector(np.arange(0, 60_000_000, 3))
    ticks = [0]
    done = threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks[0] += 1

    def call() -> None:
        large.positions()
        before = ticks[0]
        large.serialize()
        large.positions()
        done.set()
        assert ticks[0] > before + 10

    assert run_all(tick, call) == []
