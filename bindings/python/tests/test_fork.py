"""Forked children: new objects work, old ones say what is wrong, the parent is unharmed. Always with a time limit."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import pytest

from tests.processes import python, python_file

if TYPE_CHECKING:
    from pathlib import Path

PRELUDE = """
    import gc, os, pickle, signal, sys, threading, time
    import libdv
    from libdv import DeletionVector, DVWriter, MumblingBitmap, PuffinFile, Sink, Source, DeltaDVWriter

    def exercise():
        dv = DeletionVector(range(0, 100_000, 3))
        assert len(dv.positions()) == 33_334
        assert DeletionVector.deserialize(dv.serialize()) == dv
        with DVWriter() as writer:
            writer.add("a", [1, 2])
            data, entries = writer.flush_to_bytes("x")
        assert list(PuffinFile(data).read(0)) == [1, 2]

    def wait(pid):
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0

    def in_child(work):
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                signal.alarm(30)
                work()
                code = 0
            except BaseException:
                import traceback
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        wait(pid)
"""


def run(code: str) -> str:
    return python(PRELUDE + code)


def test_new_objects_work_in_the_child() -> None:
    run(
        """
    exercise()
    in_child(exercise)
    exercise()
    for _ in range(20):
        in_child(exercise)
    exercise()
    """
    )


def test_a_child_of_a_parent_that_loaded_nothing() -> None:
    run(
        """
    in_child(exercise)
    exercise()
    in_child(exercise)
    """
    )


def test_nested_forks() -> None:
    run(
        """
    def nest(depth):
        exercise()
        if depth:
            in_child(lambda: nest(depth - 1))
            exercise()
    nest(12)
    """
    )


def test_old_objects_raise_a_clear_error_in_the_child() -> None:
    run(
        """
    import io, copy
    dv = DeletionVector([1])
    writer = DVWriter()
    writer.add("a", [1])
    writer.add("b", [1])
    data = writer.flush_to_bytes("x").data
    puffin, source, sink = PuffinFile(data), Source(io.BytesIO(data)), Sink.memory()
    bitmap, delta = MumblingBitmap.from_vector(dv), DeltaDVWriter(io.BytesIO())
    begun = puffin.keep_masks([9, 9])
    next(begun)
    puffin[0]
    uses = [
        lambda: len(dv), lambda: list(dv), lambda: dv.add(1), lambda: dv.serialize(), lambda: dv | DeletionVector(),
        lambda: DeletionVector() | dv, lambda: dv == DeletionVector(), lambda: copy.copy(dv), lambda: pickle.dumps(dv),
        lambda: DeletionVector(dv), lambda: writer.add("a", [1]), lambda: writer.flush_to_bytes("x"),
        lambda: puffin.read(0), lambda: puffin.footer, lambda: list(puffin.keep_masks(9)), lambda: puffin[1],
        lambda: PuffinFile(source), lambda: sink.take(),
        lambda: len(bitmap), lambda: bitmap.to_vector(),
        lambda: delta.write(DeletionVector()), lambda: delta.finalize(),
    ]
    def child():
        for turn in range(2):  # before and after the child loads a library of its own
            for use in uses if turn else [*uses, lambda: next(begun)]:  # an iteration ends with its first error
                try:
                    use()
                except libdv.DvForked as error:
                    assert "before fork()" in str(error), error
                    assert error.status == libdv.Status.DV_FORKED
                else:
                    raise AssertionError(use)
        assert repr(dv).startswith("<DeletionVector: this DeletionVector was made before fork()")
        assert len(puffin) == 2 and puffin[0].referenced_data_file == "a"  # plain Python data
        assert dv not in [5]
    in_child(child)
    in_child(lambda: (exercise(), child()))
    assert list(dv) == [1] and list(puffin.read(0)) == [1]
    """
    )


def test_finalizers_stay_out_of_the_dead_library() -> None:
    run(
        """
    import io
    finished = []
    made = [DeletionVector([1]), DVWriter(), Sink.memory(), DeletionVector.view(DeletionVector([2]).serialize()),
            DeltaDVWriter(Sink.from_functions(lambda data: None, finished.append))]
    data = bytearray(DeletionVector([1]).serialize())
    made.append(DeletionVector.view(data))
    handles = libdv.live_handles()
    def child():
        made[0].close()
        made[0].close()
        with made[1]:
            pass
        made.clear()
        gc.collect()
        data.clear()  # the borrowed bytes are free again
        assert finished == []  # the file is the parent's to finish
        assert libdv.live_handles() == 0
        exercise()
    in_child(child)
    in_child(lambda: (exercise(), child()))
    assert libdv.live_handles() == handles and finished == []
    assert list(made[0]) == [1]
    made.clear()
    assert libdv.live_handles() == 0 and finished == [False]
    """
    )


def test_a_child_that_ends_like_a_program() -> None:
    """Exit handlers and module teardown run there too."""
    run(
        """
    finished = []
    old = DeltaDVWriter(Sink.from_functions(lambda data: None, finished.append))
    dv = DeletionVector([1])
    pid = os.fork()
    if pid == 0:
        signal.alarm(30)
        exercise()
        mine = DeltaDVWriter(Sink.from_functions(lambda data: None, lambda success: print("dropped", success)))
        sys.exit(0)
    wait(pid)
    assert list(dv) == [1]
    """
    )


def test_fork_while_other_threads_are_in_calls() -> None:
    run(
        """
    stop = threading.Event()
    shared = DeletionVector(range(0, 1_000_000, 3))
    def busy():
        while not stop.is_set():
            shared.positions()
            DeletionVector([1]).close()
    threads = [threading.Thread(target=busy) for _ in range(3)]
    for t in threads: t.start()
    try:
        for _ in range(25):
            in_child(exercise)
    finally:
        stop.set()
        for t in threads: t.join()
    exercise()
    """
    )


def test_fork_waits_for_a_thread_that_loads() -> None:
    """A half-loaded library, or the import lock of a half-imported NumPy, would stay so for ever in the child."""
    run(
        """
    from libdv import _arrays, _loader
    importing = _arrays.importlib
    for module, name, action in (
        (_loader, "find_library", DeletionVector), (importing, "import_module", _arrays.numpy)):
        real, loading = getattr(module, name), threading.Event()
        def slow(*arguments, real=real, loading=loading):
            loading.set()
            time.sleep(0.3)
            return real(*arguments)
        setattr(module, name, slow)
        thread = threading.Thread(target=action)
        _arrays.numpy.cache_clear()
        thread.start()
        assert loading.wait(20)
        in_child(exercise)
        thread.join()
        setattr(module, name, real)
        exercise()
    """
    )


def test_fork_in_the_middle_of_the_first_calls_of_other_threads() -> None:
    run(
        """
    threads = [threading.Thread(target=exercise) for _ in range(4)]
    for t in threads: t.start()
    for _ in range(5):
        in_child(exercise)
    for t in threads: t.join()
    """
    )


def test_a_fork_does_not_wait_for_ever() -> None:
    run(
        """
    from libdv import _fork
    _fork._PATIENCE = 0.2
    holding, release = threading.Event(), threading.Event()
    def hold():
        with _fork.steady():
            holding.set()
            release.wait(30)
    thread = threading.Thread(target=hold)
    thread.start()
    holding.wait(20)
    in_child(exercise)
    release.set()
    thread.join()
    in_child(exercise)
    """
    )


def test_a_vector_goes_to_the_child_by_pickle() -> None:
    run(
        """
    dv = DeletionVector([1, 2, 3])
    data = pickle.dumps(dv)
    in_child(lambda: exercise() or list(pickle.loads(data)) == [1, 2, 3] or 1 / 0)
    """
    )


WITNESSES = {
    "page": "",
    "emulated kernel": "_witness._WIPE_ON_FORK = 0  # it takes the advice and does nothing",
    "old kernel": "_witness._WIPE_ON_FORK = 12345",
    "another system": "sys.platform = 'darwin'",
}


@pytest.mark.parametrize("witness", WITNESSES)
def test_a_child_is_told_apart_on_every_system(witness: str) -> None:
    run(
        f"""
    from libdv import _witness
    {WITNESSES[witness]}
    dv = DeletionVector([1])
    def child():
        for turn in range(2):
            try:
                len(dv)
            except libdv.DvForked:
                pass
            else:
                raise AssertionError
            exercise()
    in_child(lambda: (child(), in_child(child)))
    assert list(dv) == [1]
    """
    )


@pytest.mark.parametrize("witness", ["page", "old kernel"])
def test_a_fork_that_python_does_not_see(witness: str) -> None:
    """A C extension forks: no hook of Python's runs."""
    run(
        f"""
    import ctypes
    from libdv import _witness
    {WITNESSES[witness]}
    dv = DeletionVector([1])
    with DVWriter() as writer:
        writer.add("a", [1])
        writer.add("b", [1])
        puffin = PuffinFile(writer.flush_to_bytes("x").data)
        puffin[0]
    fork = ctypes.PyDLL(None).fork
    def in_hidden_child(work):
        pid = fork()
        if pid == 0:
            code = 1
            try:
                signal.alarm(30)
                work()
                code = 0
            finally:
                os._exit(code)
        wait(pid)
    def child():
        try:
            len(dv)
        except libdv.DvForked:
            pass
        else:
            raise AssertionError
        assert puffin[0].referenced_data_file == "a"  # plain Python data
        exercise()
        for use in (lambda: len(dv), lambda: puffin[1], lambda: next(puffin.keep_masks(9))):
            try:
                use()
            except libdv.DvForked:
                pass
            else:
                raise AssertionError(use)
    in_hidden_child(child)
    in_hidden_child(exercise)
    assert list(dv) == [1]
    """
    )


def test_a_library_that_the_host_used_before_the_fork() -> None:
    """The parent used the library without this package: the child's first load meets the dead instance."""
    run(
        """
    import ctypes
    from libdv import _locate
    native = ctypes.CDLL(str(_locate.find_library()))
    out = ctypes.c_void_p()
    assert native.dv_new(ctypes.byref(out)) == 0
    in_child(exercise)
    """
    )


def test_without_memory_files_a_copied_file_serves() -> None:
    run(
        """
    from libdv import _private_copy
    exercise()
    del os.memfd_create
    before = set(os.listdir("/tmp"))
    in_child(lambda: (exercise(), in_child(exercise)))
    assert set(os.listdir("/tmp")) <= before | set(os.listdir("/tmp")) and not [
        name for name in set(os.listdir("/tmp")) - before if name.startswith("libdv-")]
    """
    )


MULTIPROCESSING = """
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    def work(dv):
        return dv | DeletionVector([100])

    if __name__ == "__main__":
        dv = DeletionVector([1, 2])
        context = multiprocessing.get_context("{method}")
        for _ in range(2):
            with context.Pool(2) as pool:
                assert [list(r) for r in pool.map(work, [dv] * 6)] == [[1, 2, 100]] * 6
        with ProcessPoolExecutor(2, mp_context=context) as pool:
            assert [list(r) for r in pool.map(work, [dv] * 6)] == [[1, 2, 100]] * 6
        process = context.Process(target=exercise)
        process.start()
        process.join(30)
        assert process.exitcode == 0
        exercise()
        print("done")
"""


@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_multiprocessing(method: str, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(PRELUDE + MULTIPROCESSING.replace("{method}", method)))
    assert python_file(script, timeout=90) == "done"
