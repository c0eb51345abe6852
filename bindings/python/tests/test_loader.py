"""Finding, loading and checking the native library; NumPy and PyArrow are optional."""

from __future__ import annotations

import _ctypes
import ctypes
import shutil
from pathlib import Path

import pytest

import libdv
from libdv import _abi, _loader, _locate, _private_copy
from tests.processes import SOURCE, python

NO_PACKAGES = """
    import sys
    for name in ("numpy", "pyarrow", "fsspec"):
        sys.modules[name] = None
"""


def test_importing_loads_nothing() -> None:
    out = python(
        """
        import libdv, pathlib, sys
        maps = lambda: pathlib.Path("/proc/self/maps").read_text()
        from libdv import _loader
        assert _loader.current() is None
        assert "libdv.so" not in maps()
        loaded = {"numpy", "pyarrow", "fsspec", "pandas"} & set(sys.modules)
        assert not loaded, loaded
        libdv.DeletionVector([1]).keep_mask(0, 1)
        assert _loader.current() is not None
        assert "libdv.so" in maps()
        print(libdv.library_path())
        """
    )
    assert out == str(SOURCE.parents[2] / "build" / "libdv.so")


def test_importing_works_without_a_library() -> None:
    python(
        """
        import libdv
        try:
            libdv.DeletionVector()
        except libdv.DvLoadError as error:
            assert "/no/such/file" in str(error) and error.status is None
            assert isinstance(error, ImportError)
        else:
            raise SystemExit(1)
        """,
        LIBDV_LIBRARY="/no/such/file",
    )


def test_the_environment_variable_wins(tmp_path: Path) -> None:
    copy = tmp_path / "another name.so"
    shutil.copy(libdv.library_path(), copy)
    out = python("import libdv; libdv.DeletionVector(); print(libdv.library_path())", LIBDV_LIBRARY=str(copy))
    assert out == str(copy)


def test_the_bundled_library_comes_before_the_checkouts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(_locate.ENVIRONMENT_VARIABLE, raising=False)
    bundled = tmp_path / "libdv.so"
    monkeypatch.setattr(_locate, "BUNDLED", bundled)
    assert _locate.find_library() == SOURCE.parents[2] / "build" / "libdv.so"
    bundled.touch()
    assert _locate.find_library() == bundled


def test_a_checkout_is_recognised_by_its_layout(tmp_path: Path) -> None:
    package = tmp_path / "bindings" / "python" / "src" / "libdv"
    package.mkdir(parents=True)
    assert _locate.checkout_library(package) is None
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "dv.h").touch()
    assert _locate.checkout_library(package) == tmp_path / "build" / "libdv.so"
    assert _locate.checkout_library(tmp_path / "lib" / "python3" / "site-packages" / "libdv") is None


def test_no_library_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(_locate.ENVIRONMENT_VARIABLE, raising=False)
    monkeypatch.setattr(_locate, "BUNDLED", tmp_path / "bundled.so")
    monkeypatch.setattr(_locate, "checkout_library", lambda: tmp_path / "built.so")
    with pytest.raises(libdv.DvLoadError, match=r"bundled\.so.*built\.so.*make lib"):
        _locate.find_library()


def test_what_is_no_library(tmp_path: Path) -> None:
    for content in (b"", b"no library", b"\x7fELF" + bytes(60)):
        path = tmp_path / "x.so"
        path.write_bytes(content)
        with pytest.raises(libdv.DvLoadError, match=r"cannot load .*x\.so"):
            _loader._open(path)
    other = _ctypes.__file__  # a shared library, and not ours
    with pytest.raises(libdv.DvLoadError, match="no function dv_abi_version"):
        _loader._open(Path(other))


def test_another_abi_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_abi, "ABI_VERSION", 7)
    with pytest.raises(libdv.DvLoadError, match="ABI version 1, this package needs 7"):
        _loader._open(libdv.library_path())


def test_a_function_that_an_older_library_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    newer = _loader.LazyFunction(_abi.Function("dv_new_thing", None, ()))
    monkeypatch.setattr(_loader.Native, "dv_new_thing", newer, raising=False)
    library = _loader.Native(ctypes.CDLL(str(libdv.library_path())), libdv.library_path())
    with pytest.raises(libdv.DvLoadError, match="older"):
        library.dv_new_thing()
    with pytest.raises(AttributeError):
        library.no_such_function  # noqa: B018


def test_threads_load_it_once() -> None:
    python(
        """
        import threading, libdv
        from libdv import _loader
        start, found = threading.Barrier(8), []
        def load():
            start.wait()
            found.append(_loader.native())
        threads = [threading.Thread(target=load) for _ in range(8)]
        for t in threads: t.start()
        for t in threads: t.join()
        assert len(found) == 8 and len(set(map(id, found))) == 1
        """
    )


def test_a_private_copy_is_another_library() -> None:
    python(
        """
        import libdv
        from libdv import _loader, _private_copy
        dv = libdv.DeletionVector([1])
        path = libdv.library_path()
        copies = [_loader.Native(load(path), path) for load in (
            _private_copy.load_private_copy, _private_copy._from_memory,
            lambda p: _private_copy._from_file(p, p.parent))]
        for native in copies:
            assert native.dv_live_handles() == 0
        assert libdv.live_handles() == 1
        """
    )


def test_no_two_copies_are_loaded_under_one_name(tmp_path: Path) -> None:
    names = {_private_copy._in_slashes(count) for count in range(1024)}
    assert len(names) == 1024
    assert all(Path(f"{tmp_path}{name}/x").parent == tmp_path for name in names)


def test_a_private_copy_that_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(libdv.DvLoadError, match=r"from memory.*No such file.*in .*No such file"):
        _private_copy.load_private_copy(tmp_path / "gone.so")


def test_without_numpy_and_pyarrow() -> None:
    python(
        NO_PACKAGES
        + """
    import array, libdv
    from libdv import DeletionVector
    dv = DeletionVector(array.array("q", [5, 1, 70000]))
    dv.add_many(array.array("I", [9]))
    assert dv.positions() == array.array("q", [1, 5, 9, 70000]), dv.positions()
    assert dv.positions(2, 6) == array.array("q", [5])
    assert list(dv) == [1, 5, 9, 70000] and repr(dv) == "DeletionVector([1, 5, 9, 70000])"
    assert dv.keep_indices(0, 7) == array.array("I", [0, 2, 3, 4, 6])
    kept = dv.keep_bytes(0, 7)
    assert isinstance(kept, memoryview) and kept.tolist() == [True, False, True, True, True, False, True]
    assert dv.contains_many([1, 2]).tolist() == [True, False]
    mask = dv.keep_mask(0, 7)
    assert bytes(mask.buffer) == b"\\x5d" and list(mask) == kept.tolist()
    assert libdv.blob_positions(dv.serialize()) == dv.positions()
    assert libdv.blob_keep_mask(dv.serialize(), 0, 7) == mask
    assert DeletionVector().positions() == array.array("q")
    assert libdv.blob_from_positions([70000, 1, 9, 5]) == dv.serialize()
    room = array.array("q", bytes(80))
    assert libdv.blob_positions(dv.serialize(), out=room).tolist() == room[:4].tolist() == list(dv)
    with libdv.DVWriter() as writer:
        writer.load("a", dv)
        writer.load("b", dv)
        with libdv.PuffinFile(writer.flush_to_bytes("x").data) as puffin:
            assert [bytes(mask) for mask in puffin.keep_masks([7, 0])] == [b"\\x5d", b""]
            assert [mask.count() for mask in puffin.keep_masks(20_000_000)] == [20_000_000 - 4] * 2
    bitmap = libdv.MumblingBitmap.from_vector(dv)
    assert bitmap.positions() == array.array("i", [1, 5, 9, 70000])
    assert bitmap.contains_many(array.array("i", [1, 2])).tolist() == [True, False]
    for needs in (mask.to_numpy, mask.to_packed_numpy, mask.to_arrow):
        try:
            needs()
        except libdv.DvLoadError as error:
            assert "not installed" in str(error)
        else:
            raise SystemExit(needs)
    try:
        libdv.read_delta_dv(libdv.DeltaDescriptor("p", "s3://b/x", 1, 1, 1), "s3://b")
    except libdv.DvLoadError as error:
        assert "fsspec" in str(error)
    else:
        raise SystemExit(2)
    """
    )
