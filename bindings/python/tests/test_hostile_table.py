"""The table of hostile inputs that every language runs: each ends with the status that the formats' rules give it."""

from __future__ import annotations

import collections
import functools
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

import libdv
from libdv import DeletionVector, DeltaDescriptor, DVWriter, MumblingBitmap, PuffinFile, Source, Status
from tests import golden

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.filterwarnings("ignore::libdv.MissingCardinalityWarning")


class Case(NamedTuple):
    """One line of the table; the columns are explained beside it."""

    name: str
    how: str
    status: Status
    offset: int
    size: int
    cardinality: int
    text: bytes
    data: bytes

    def known(self, name: str) -> int | None:
        """A number, ``None`` where it is unknown."""
        value: int = getattr(self, name)
        return None if value == -1 else value


def parse(line: str) -> Case:
    name, how, status, offset, size, cardinality, text, data = line.split(" ")
    content = (golden.GOLDEN / data[1:]).read_bytes() if data.startswith("@") else bytes.fromhex(data.strip("-"))
    numbers = int(offset), int(size), int(cardinality)
    return Case(name, how, Status[status], *numbers, bytes.fromhex(text.strip("-")), content)


@functools.cache
def cases() -> dict[str, list[Case]]:
    found: dict[str, list[Case]] = collections.defaultdict(list)
    for line in (golden.ROOT / "testdata" / "hostile" / "table.txt").read_text().splitlines():
        if not line.startswith("#"):
            case = parse(line)
            found[case.how].append(case)
    return found


def same_outcome(*calls: Callable[[], Any]) -> Any:
    """Run the calls, which must end alike: with equal results, or the same kind of error, which is raised."""
    errors, results = [], []
    for call in calls:
        try:
            results.append(call())
        except libdv.DvError as error:
            errors.append(error)
    assert len({type(error) for error in errors}) <= 1, errors
    assert not (errors and results), (errors, results)
    if errors:
        raise errors[0]
    assert all(result == results[0] for result in results)
    return results[0]


def loose(data: bytes) -> str:
    """A string of any bytes; those that are no UTF-8 become what UTF-8 cannot express."""
    return data.decode("utf-8", "surrogateescape")


def blob(case: Case) -> None:
    expected = case.known("cardinality")
    rows = 4096
    same_outcome(
        lambda: DeletionVector.deserialize(case.data, expected).positions().tolist(),
        lambda: DeletionVector.view(case.data, expected).positions().tolist(),
        lambda: libdv.blob_positions(case.data, expected).tolist(),
    )
    same_outcome(
        lambda: DeletionVector.deserialize(case.data, expected).keep_mask(0, rows),
        lambda: libdv.blob_keep_mask(case.data, 0, rows, expected),
    )


def puffin(case: Case) -> None:
    with PuffinFile(case.data) as file:
        for index, found in enumerate(file):
            if found.type == "deletion-vector-v1":
                file.read(index)


def entry(case: Case) -> None:
    where = case.offset, case.size, case.cardinality, loose(case.text)

    def opened() -> DeletionVector:
        with PuffinFile(case.data) as file:
            return file.read_entry(*where)

    same_outcome(lambda: libdv.read_dv(case.data, *where), opened)


def descriptor_read(case: Case) -> None:
    value = DeltaDescriptor.from_json(case.text)
    with Source(case.data) as source:
        value.read(source)


def mumbling(case: Case) -> None:
    with MumblingBitmap(case.data) as bitmap:
        bitmap.validate()


def partition(case: Case) -> None:
    with DVWriter(case.text.decode()) as writer:
        writer.add("a.parquet", [1], case.offset, loose(case.data))


READERS: dict[str, Callable[[Case], Any]] = {
    "blob": blob,
    "bitmap": lambda c: DeletionVector.from_bitmap(c.data),
    "range": lambda c: libdv.read_range(c.data, c.offset, c.size, c.known("cardinality")),
    "puffin": puffin,
    "entry": entry,
    "delta": lambda c: libdv.read_delta_record(c.data, c.known("offset"), c.known("size"), c.known("cardinality")),
    "inline": lambda c: DeletionVector.from_delta_inline(loose(c.data), c.known("size"), c.known("cardinality")),
    "descriptor": lambda c: DeltaDescriptor.from_json(c.data).path,
    "descriptor-read": descriptor_read,
    "mumbling": mumbling,
    "pfor": lambda c: libdv.pfor_decode(c.data, c.size),
    "specs": lambda c: DVWriter(loose(c.data)),
    "partition": partition,
}


def outcome(case: Case) -> int | None:
    try:
        READERS[case.how](case)
    except libdv.DvError as error:
        return error.status
    return Status.DV_OK


@pytest.mark.parametrize("how", READERS)
def test_every_input_ends_as_the_rules_say(how: str) -> None:
    wrong = {case.name: (outcome(case), case.status) for case in cases()[how] if outcome(case) != case.status}
    assert wrong == {}
    assert len(cases()[how]) >= 10


def test_every_way_of_reading_is_run() -> None:
    assert set(cases()) == set(READERS)
    assert sum(map(len, cases().values())) > 6000
