"""Objects are freed once, on time, and never used after."""

from __future__ import annotations

import copy
import gc
import io
import pickle
import weakref
from typing import TYPE_CHECKING, Any

import pytest

import libdv
from libdv import DeletionVector, DeltaDVWriter, DVWriter, MumblingBitmap, PuffinFile, Sink, Source, _callbacks

if TYPE_CHECKING:
    from collections.abc import Callable

BLOB = bytes.fromhex("00000022d1d339640100000000000000000000003a3000000100000000000000100000000100eebd85f4")


def puffin_bytes() -> bytes:
    with DVWriter() as writer:
        writer.add("a", [1])
        return writer.flush_to_bytes("x").data


PUFFIN = puffin_bytes()

KINDS: dict[str, Callable[[], Any]] = {
    "DeletionVector": lambda: DeletionVector([1]),
    "view": lambda: DeletionVector.view(BLOB),
    "PuffinFile": lambda: PuffinFile(PUFFIN),
    "DVWriter": DVWriter,
    "DeltaDVWriter": lambda: DeltaDVWriter(io.BytesIO()),
    "MumblingBitmap": lambda: MumblingBitmap.from_vector(DeletionVector([1])),
    "Source": lambda: Source(io.BytesIO(BLOB)),
    "memory source": lambda: Source(BLOB),
    "Sink": lambda: Sink(io.BytesIO()),
    "memory sink": Sink.memory,
}

USES: dict[str, list[Callable[[Any], Any]]] = {
    "DeletionVector": [
        len, list, bool, copy.copy, pickle.dumps,
        lambda dv: 1 in dv,
        lambda dv: -1 in dv,
        lambda dv: 2**63 in dv,
        lambda dv: dv.add(1),
        lambda dv: dv.add_many([1]),
        lambda dv: dv.add_many(range(0)),
        lambda dv: dv.add_range(1, 2),
        lambda dv: dv.positions(),
        lambda dv: dv.count(),
        lambda dv: dv.keep_mask(0, 1),
        lambda dv: dv.delete_mask(0, 1),
        lambda dv: dv.keep_bytes(0, 1),
        lambda dv: dv.keep_indices(0, 1),
        lambda dv: dv.contains_many([1]),
        lambda dv: dv.serialize(),
        lambda dv: dv.to_bitmap(),
        lambda dv: dv.to_delta_inline(),
        lambda dv: dv.run_length_encode(),
        lambda dv: dv | DeletionVector(),
        lambda dv: DeletionVector() | dv,
        lambda dv: DeletionVector() - dv,
        lambda dv: dv == DeletionVector(),
        lambda dv: DeletionVector() == dv,
        lambda dv: DVWriter().load("a", dv),
        lambda dv: DeltaDVWriter(io.BytesIO()).write(dv),
        lambda dv: libdv.DeltaDescriptor.inline(dv),
        MumblingBitmap.from_vector,
    ],
    "PuffinFile": [
        len, list, bool,
        lambda p: p[0],
        lambda p: p[:1],
        lambda p: p[9],
        lambda p: None in p,
        lambda p: list(reversed(p)),
        lambda p: p.read(0),
        lambda p: p.keep_masks(1),
        lambda p: p.footer,
        lambda p: p.read_entry(4, 42, 1, "a"),
    ],
    "DVWriter": [lambda w: w.add("a", [1]), lambda w: w.flush_to_bytes("x"), lambda w: w.load("a", DeletionVector())],
    "DeltaDVWriter": [lambda w: w.write(DeletionVector()), lambda w: w.finalize()],
    "MumblingBitmap": [
        len, list,
        lambda b: 1 in b,
        lambda b: -1 in b,
        lambda b: 2**21 in b,
        lambda b: b.positions(),
        lambda b: b.buffer(),
        lambda b: b.validate(),
        lambda b: b.to_vector(),
        lambda b: b.keep_mask(0, 1),
        lambda b: b.contains_many([1]),
    ],
    "Source": [PuffinFile, lambda s: libdv.read_range(s, 0, 42), lambda s: libdv.read_delta_record(s, 1)],
    "memory sink": [lambda s: s.take(), DeltaDVWriter, lambda s: DVWriter().flush(s, "x")],
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_an_object_is_freed_once(kind: str) -> None:
    before = libdv.live_handles()
    made = KINDS[kind]()
    assert libdv.live_handles() > before
    assert not made.closed
    made.close()
    assert libdv.live_handles() == before
    assert made.closed
    made.close()
    with KINDS[kind]() as inside:
        assert libdv.live_handles() > before
    assert inside.closed
    assert libdv.live_handles() == before
    del made, inside
    gc.collect()
    assert libdv.live_handles() == before


@pytest.mark.parametrize("kind", KINDS)
def test_an_object_is_freed_by_the_collector(kind: str) -> None:
    before = libdv.live_handles()
    made = KINDS[kind]()
    del made
    assert libdv.live_handles() == before  # at once, without a cycle

    class Cycle:
        def __init__(self) -> None:
            self.me, self.held = self, KINDS[kind]()

    Cycle()
    gc.collect()
    assert libdv.live_handles() == before


@pytest.mark.parametrize("kind", KINDS)
def test_a_closed_object_is_not_entered(kind: str) -> None:
    made = KINDS[kind]()
    made.close()
    with pytest.raises(libdv.DvState, match="closed"), made:
        pass
    if isinstance(made, DeletionVector | PuffinFile | MumblingBitmap):
        assert "closed" in repr(made)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in {"DeletionVector", "view", "MumblingBitmap"}])
@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickle.dumps])
def test_what_owns_a_file_has_no_copies(kind: str, duplicate: Callable[[Any], Any]) -> None:
    with KINDS[kind]() as made, pytest.raises(TypeError, match=f"cannot copy or pickle a {type(made).__name__}: "):
        duplicate(made)


@pytest.mark.parametrize("wrong", [None, 5, "dv", [1], b""])
@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda x: DVWriter().load("a", x), "existing must be a DeletionVector, not "),
        (lambda x: DeltaDVWriter(io.BytesIO()).write(x), "vector must be a DeletionVector, not "),
        (MumblingBitmap.from_vector, "vector must be a DeletionVector, not "),
        (libdv.DeltaDescriptor.inline, "vector must be a DeletionVector, not "),
        (lambda x: libdv.DeltaDescriptor.for_file(libdv.delta_dv_path(), x), "result must be a DeltaResult, not "),
    ],
)
def test_something_else_than_an_object(use: Callable[[Any], Any], message: str, wrong: Any) -> None:
    with pytest.raises(TypeError, match=f"{message}{type(wrong).__name__}$"):
        use(wrong)


def test_lent_memory_that_was_never_there(recwarn: pytest.WarningsRecorder) -> None:
    interrupted = libdv._buffers.Lent.__new__(libdv._buffers.Lent)  # Ctrl-C in its __init__
    del interrupted
    gc.collect()
    assert not recwarn.list


@pytest.mark.parametrize(("kind", "use"), [(kind, use) for kind, uses in USES.items() for use in uses])
def test_a_closed_object_says_so(kind: str, use: Callable[[Any], Any]) -> None:
    made = KINDS[kind]()
    made.close()
    with pytest.raises(libdv.DvState, match="closed"):
        use(made)


@pytest.mark.parametrize("kind", KINDS)
def test_many_objects_leave_nothing(kind: str) -> None:
    before = libdv.live_handles()
    make = KINDS[kind]
    for _ in range(2_000):
        make().close()
        make()
    assert libdv.live_handles() == before


@pytest.mark.parametrize(
    "bad",
    [
        lambda: DeletionVector([-1]),
        lambda: DeletionVector.deserialize(BLOB[:-1]),
        lambda: DeletionVector.view(BLOB[:-1]),
        lambda: DeletionVector.from_bitmap(b"x"),
        lambda: PuffinFile(PUFFIN[:-1]),
        lambda: PuffinFile(PUFFIN).read_entry(4, 42, 9, "a"),
        lambda: libdv.read_dv(io.BytesIO(PUFFIN), 4, 42, 9, "a"),
        lambda: libdv.read_range("/no/such/file", 0, 9),
        lambda: DVWriter("no json"),
        lambda: DVWriter().add("a", [-1]),
        lambda: MumblingBitmap(b"\1"),
        lambda: Sink("/no/such/folder/x"),
        lambda: DeltaDVWriter("/no/such/folder/x"),
    ],
)
def test_a_failed_call_leaves_nothing(bad: Callable[[], Any]) -> None:
    before = libdv.live_handles()
    for _ in range(20):
        with pytest.raises(libdv.DvError):
            bad()
    gc.collect()
    assert libdv.live_handles() == before


def test_close_frees_even_where_a_traceback_holds_the_object() -> None:
    before = libdv.live_handles()
    dv = DeletionVector([1])
    with pytest.raises(libdv.DvInvalidArgument) as info:
        dv.add(-1)
    dv.close()
    assert libdv.live_handles() == before
    assert info.value.status == libdv.Status.DV_INVALID_ARGUMENT


def test_a_view_lets_its_bytes_go() -> None:
    class Owner(bytearray):
        pass

    data = Owner(BLOB)
    alive = weakref.ref(data)
    dv = DeletionVector.view(data)
    del data
    gc.collect()
    assert alive() is not None
    assert list(dv) == [1]
    dv.close()
    gc.collect()
    assert alive() is None


def test_a_bitmaps_buffer_outlives_it() -> None:
    before = libdv.live_handles()
    bitmap = MumblingBitmap.from_vector(DeletionVector([5, 300]))
    view = bitmap.buffer()
    content = bytes(view)
    bitmap.close()
    assert bytes(view) == content
    assert libdv.live_handles() == before + 1
    with pytest.raises(TypeError):
        view[0] = 1
    del view
    gc.collect()
    assert libdv.live_handles() == before


def test_objects_are_closed_in_any_order() -> None:
    before = libdv.live_handles()
    source = Source(io.BytesIO(PUFFIN))
    puffin = PuffinFile(source)
    dv = puffin.read(0)
    source.close()
    puffin.close()
    assert list(dv) == [1]
    dv.close()
    sink = Sink.memory()
    writer = DeltaDVWriter(sink)
    sink.close()
    with pytest.raises(libdv.DvState):
        writer.write(DeletionVector([1]))
    writer.close()
    assert libdv.live_handles() == before


@pytest.mark.parametrize("kind", KINDS)
def test_what_comes_back_to_life_is_closed(kind: str) -> None:
    """A finalizer may bring back a cycle whose native object is gone by then."""
    before = libdv.live_handles()
    saved: list[Any] = []

    class Phoenix:
        def __init__(self) -> None:
            self.me, self.held = self, KINDS[kind]()

        def __del__(self) -> None:
            saved.append(self.held)

    Phoenix()
    gc.collect()
    [held] = saved
    assert held.closed
    held.close()
    for use in USES.get(kind, []):
        with pytest.raises(libdv.DvState, match="closed"):
            use(held)
    assert libdv.live_handles() == before


def test_an_interrupt_right_after_the_call_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C during a long read arrives when C has returned, before the handle has an owner."""
    puffin = PuffinFile(io.BytesIO(PUFFIN))
    before = libdv.live_handles()

    def interrupted(function: Any, *arguments: Any) -> Any:
        function(*arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr(_callbacks, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        libdv.read_range(io.BytesIO(BLOB), 0, len(BLOB))
    with pytest.raises(KeyboardInterrupt):
        puffin.read(0)
    with pytest.raises(KeyboardInterrupt):
        list(puffin.keep_masks(9))
    gc.collect()
    assert libdv.live_handles() == before
