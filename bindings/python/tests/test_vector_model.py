"""Vectors against Python sets, under random changes and reads."""

from __future__ import annotations

import contextlib
import pickle

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

import libdv
from libdv import MAX_POSITION, DeletionVector, MumblingBitmap

POSITION = st.one_of(
    st.integers(0, 300),
    st.integers(65_000, 66_000),
    st.integers(2**32 - 50, 2**32 + 50),
    st.integers(MAX_POSITION - 40, MAX_POSITION),
)
POSITIONS = st.lists(POSITION, max_size=60)
RANGE = st.tuples(POSITION, st.integers(-5, 5000)).map(lambda r: (r[0], max(0, min(r[0] + r[1], MAX_POSITION + 1))))


class VectorMachine(RuleBasedStateMachine):
    """One vector and one set, changed alike."""

    def __init__(self) -> None:
        super().__init__()
        self.vector = DeletionVector()
        self.model: set[int] = set()

    @rule(position=POSITION)
    def add(self, position: int) -> None:
        self.vector.add(position)
        self.model.add(position)

    @rule(positions=POSITIONS)
    def add_many(self, positions: list[int]) -> None:
        self.vector.add_many(positions)
        self.model.update(positions)

    @rule(bounds=RANGE)
    def add_range(self, bounds: tuple[int, int]) -> None:
        self.vector.add_range(*bounds)
        self.model.update(range(*bounds))

    @rule(positions=POSITIONS)
    def union(self, positions: list[int]) -> None:
        self.vector |= DeletionVector(positions)
        self.model.update(positions)

    @rule(positions=POSITIONS, bounds=RANGE)
    def difference(self, positions: list[int], bounds: tuple[int, int]) -> None:
        other = DeletionVector(positions)
        other.add_range(*bounds)
        self.vector -= other
        self.model.difference_update(positions, range(*bounds))

    @rule()
    def freeze(self) -> None:
        self.vector = DeletionVector.deserialize(self.vector.serialize(), len(self.model))

    @rule()
    def view(self) -> None:
        self.vector = DeletionVector.view(self.vector.serialize(), len(self.model))

    @rule()
    def run_length_encode(self) -> None:
        self.vector.run_length_encode()

    @rule()
    def copy(self) -> None:
        self.vector = self.vector.copy()

    @rule(start=POSITION, length=st.integers(0, 3000))
    def window(self, start: int, length: int) -> None:
        inside = sorted(p for p in self.model if start <= p < start + length)
        assert self.vector.positions(start, start + length).tolist() == inside
        assert self.vector.count(start, start + length) == len(inside)
        assert self.vector.keep_mask(start, length).count() == length - len(inside)
        kept = set(range(length)) - {p - start for p in inside}
        assert self.vector.keep_indices(start, length).tolist() == sorted(kept)

    @rule(positions=POSITIONS)
    def contains(self, positions: list[int]) -> None:
        assert self.vector.contains_many(positions).tolist() == [p in self.model for p in positions]

    @invariant()
    def the_same(self) -> None:
        assert len(self.vector) == len(self.model)
        assert bool(self.vector) == bool(self.model)

    def teardown(self) -> None:
        assert list(self.vector) == sorted(self.model)
        assert self.vector == DeletionVector(self.model)
        assert self.vector.serialize() == DeletionVector(sorted(self.model)).serialize()
        self.vector.close()


TestVectorMachine = VectorMachine.TestCase
TestVectorMachine.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)


@given(POSITIONS)
@settings(max_examples=100, deadline=None)
def test_every_stored_form_gives_the_set_back(positions: list[int]) -> None:
    dv, expected = DeletionVector(positions), sorted(set(positions))
    inline = dv.to_delta_inline()
    for again in (
        DeletionVector.deserialize(dv.serialize()),
        DeletionVector.from_bitmap(dv.to_bitmap()),
        DeletionVector.from_delta_inline(inline.text, inline.size_in_bytes, len(expected)),
        libdv.DeltaDescriptor.inline(dv).read(),
        pickle.loads(pickle.dumps(dv)),
    ):
        assert list(again) == expected


@given(st.lists(st.integers(0, libdv.MUMBLING_MAX_CARDINALITY - 1), max_size=200), st.binary(max_size=50))
@settings(max_examples=100, deadline=None)
def test_mumbling_there_and_back(positions: list[int], probes: bytes) -> None:
    dv = DeletionVector(positions)
    bitmap = MumblingBitmap.from_vector(dv)
    bitmap.validate()
    assert list(bitmap) == sorted(set(positions))
    assert bitmap.to_vector() == dv
    assert [p in bitmap for p in probes] == [p in set(positions) for p in probes]


@given(st.binary(max_size=700))
@settings(max_examples=150, deadline=None)
def test_pfor_there_and_back(values: bytes) -> None:
    encoded = libdv.pfor_encode(values)
    assert libdv.pfor_decode(encoded, len(values)) == (values, len(encoded))
    assert len(encoded) <= libdv.pfor_estimate(len(values))


@given(st.binary(max_size=200))
@settings(max_examples=150, deadline=None)
def test_random_bytes_are_refused_or_read(data: bytes) -> None:
    for read in (
        DeletionVector.deserialize,
        DeletionVector.from_bitmap,
        libdv.PuffinFile,
        lambda b: MumblingBitmap(b).positions(),
        lambda b: libdv.read_delta_record(b, 1),
        lambda b: libdv.pfor_decode(b, 300),
    ):
        with contextlib.suppress(libdv.DvCorrupt, libdv.DvUnsupported, libdv.DvMismatch):
            read(data)
