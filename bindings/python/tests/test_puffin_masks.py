"""The keep masks of many blobs of a Puffin file, against what reading each vector gives."""

from __future__ import annotations

import array
import io
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import libdv
from libdv import DVWriter, PuffinFile, Source, _masks
from tests import golden
from tests.processes import python

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def data() -> bytes:
    return file_of(range(number + 1) for number in range(3))


def file_of(vectors: Any) -> bytes:
    with DVWriter() as writer:
        for number, rows in enumerate(vectors):
            writer.add(f"{number}.parquet", rows)
        return writer.flush_to_bytes("x").data


def room_for(lengths: Any) -> int:
    return sum((length + 511) // 512 * 64 for length in lengths)


LENGTHS = [
    [9, 9, 9],
    [0, 0, 0],
    [1, 2, 3],
    [0, 70_000, 1],
    [513, 512, 511],
    (5, 0, 8),
    range(7, 10),
    np.array([1, 600, 9]),
]


@pytest.mark.parametrize("lengths", LENGTHS, ids=str)
def test_all_masks(data: bytes, lengths: Any) -> None:
    """The same as by way of the vectors, whatever the source is."""
    with Source(data) as kept:
        for source in (data, io.BytesIO(data), kept):
            before = libdv.live_handles()
            with PuffinFile(source) as puffin:
                masks = list(puffin.keep_masks(lengths))
                assert [len(mask) for mask in masks] == list(lengths)
                for index, mask in enumerate(masks):
                    assert mask == puffin.read(index).keep_mask(0, len(mask))
                    with pytest.raises(ValueError, match="WRITEABLE"):
                        mask.to_packed_numpy().flags.writeable = True
            assert libdv.live_handles() == before
            assert [list(mask) for mask in masks] == [
                [row > index for row in range(length)] for index, length in enumerate(lengths)
            ]


def test_masks_of_one_length(data: bytes) -> None:
    with PuffinFile(data) as puffin:
        masks = list(puffin.keep_masks(100))
        assert [mask.count() for mask in masks] == [99, 98, 97]
        assert [mask.to_arrow().null_count for mask in masks] == [0, 0, 0]
        arrays = [mask.to_packed_numpy() for mask in puffin.keep_masks(np.int64(100))]
    assert [int(bits[0]) for bits in arrays] == [0b11111110, 0b11111100, 0b11111000]
    assert not any(np.shares_memory(a, b) for a in arrays for b in arrays if a is not b)


@pytest.mark.parametrize("pages", ["huge", "small"])
def test_masks_of_more_than_one_piece_of_memory(pages: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if pages == "small":  # another system
        monkeypatch.setattr(_masks, "huge_memory", lambda _size: None)
    rows = [100, 40_000_000, 9, 0, 20_000_000, 12_000_000, 3]
    with DVWriter() as writer:
        for number in range(len(rows)):
            writer.add(str(number), [number, 1_000_000])
        data = writer.flush_to_bytes("x").data
    with PuffinFile(data) as puffin:
        for index, mask in enumerate(puffin.keep_masks(rows)):
            assert mask.count() == rows[index] - (rows[index] > index) - (rows[index] > 1_000_000)
            assert mask == puffin.read(index).keep_mask(0, rows[index])
            with pytest.raises(ValueError, match="WRITEABLE"):
                mask.to_packed_numpy().flags.writeable = True
            assert mask.buffer.readonly


def test_masks_that_no_memory_can_hold(data: bytes) -> None:
    before = libdv.live_handles()
    with PuffinFile(data) as puffin:
        for rows in (2**50, 2**62, 2**63 - 1):
            with pytest.raises(MemoryError, match=r"bytes|elements"):
                list(puffin.keep_masks([1, rows, 1]))
    assert libdv.live_handles() == before


def test_memory_of_masks_is_given_back() -> None:
    python(
        """
        from pathlib import Path
        from libdv import DVWriter, PuffinFile

        def mapped():
            return int(Path("/proc/self/statm").read_text().split()[0]) * 4096

        with DVWriter() as writer:
            for number in range(20):
                writer.add(str(number), [number])
            data = writer.flush_to_bytes("x").data
        with PuffinFile(data) as puffin:
            kept = list(puffin.keep_masks(8_000_000))[7]
            before = mapped()
            for _ in range(40):
                for mask in puffin.keep_masks(8_000_000):
                    pass
            assert mapped() - before < 100 << 20
            assert kept.count() == 7_999_999 and not kept[7]
        """
    )


def test_masks_of_what_is_no_vector(data: bytes) -> None:
    damaged = bytearray(data)
    damaged[PuffinFile(data)[1].offset + 9] ^= 1
    before = libdv.live_handles()
    for source in (damaged, io.BytesIO(damaged)):
        with PuffinFile(source) as puffin:
            with pytest.raises(libdv.DvCorrupt) as by_vector:
                puffin.read(1)
            masks = puffin.keep_masks(9)
            assert next(masks).count() == 8
            with pytest.raises(libdv.DvCorrupt) as by_mask:
                next(masks)
            assert str(by_mask.value) == str(by_vector.value)
            assert list(masks) == []
    assert libdv.live_handles() == before


@pytest.mark.parametrize("lengths", [[], [1, 2], [1, 2, 3, 4], -1, 2**63, [1, -1, 1], [1, 1, 2**64]], ids=str)
def test_lengths_that_do_not_fit(data: bytes, lengths: Any) -> None:
    with PuffinFile(data) as puffin, pytest.raises(libdv.DvInvalidArgument):
        puffin.keep_masks(lengths)  # at once, not when the first mask is asked for


@pytest.mark.parametrize("lengths", [None, 1.5, "123", [1, 2, "3"], np.array(1.5)], ids=str)
def test_lengths_that_are_no_integers(data: bytes, lengths: Any) -> None:
    with PuffinFile(data) as puffin, pytest.raises(TypeError):
        puffin.keep_masks(lengths)


@pytest.mark.parametrize("wrong", ["123", b"123", bytearray(3)], ids=repr)
def test_bytes_are_no_numbers(data: bytes, wrong: Any) -> None:
    kind = type(wrong).__name__
    with PuffinFile(data) as puffin:
        with pytest.raises(TypeError, match=rf"^lengths must be integers, not {kind}$"):
            puffin.keep_masks(wrong)
        with pytest.raises(TypeError, match=rf"^indices must be integers, not {kind}$"):
            puffin.keep_masks(9, wrong)


def test_an_array_without_dimensions_is_a_number(data: bytes) -> None:
    with PuffinFile(data) as puffin:
        assert [len(mask) for mask in puffin.keep_masks(np.array(9))] == [9, 9, 9]


def test_a_source_that_raises_stop_iteration(data: bytes) -> None:
    """It ends no iteration as if there were no more masks."""

    class Ends(io.BytesIO):
        stop = False

        def read(self, size: int | None = -1, /) -> bytes:
            if self.stop:
                raise StopIteration
            return super().read(size)

    file = Ends(data)
    with PuffinFile(file) as puffin:
        masks = puffin.keep_masks(9)
        file.stop = True
        with pytest.raises(RuntimeError, match=r"^reading from the source raised StopIteration$"):
            next(masks)


def test_an_iteration_that_has_begun_outlives_its_file(data: bytes) -> None:
    before = libdv.live_handles()
    puffin = PuffinFile(data)
    begun, late = puffin.keep_masks(9), puffin.keep_masks(9)
    assert next(begun).count() == 8
    puffin.close()
    with pytest.raises(libdv.DvState):
        next(late)
    assert [mask.count() for mask in begun] == [7, 6]
    assert libdv.live_handles() == before
    puffin = PuffinFile(data)
    given_up = puffin.keep_masks(9)
    next(given_up)
    puffin.close()
    del given_up
    assert libdv.live_handles() == before


@pytest.mark.parametrize(
    "indices", [[2, 0, 1], [1, 1, 1, 1], [-1], [], range(2, -1, -1), np.array([0, -3, 2]), (1,)], ids=str
)
def test_masks_of_chosen_blobs(data: bytes, indices: Any, tmp_path: Path) -> None:
    path = tmp_path / "x.puffin"
    path.write_bytes(data)
    for source in (data, path, io.BytesIO(data)):
        with PuffinFile(source) as puffin:
            lengths = [700 + 400 * number for number in range(len(indices))]
            for given in (lengths, 5):
                masks = list(puffin.keep_masks(given, indices))
                rows = [5] * len(indices) if given == 5 else lengths
                assert masks == [
                    puffin.read(index).keep_mask(0, length) for index, length in zip(indices, rows, strict=True)
                ]
            assert masks == list(puffin.keep_masks(5, iter(indices)))


@pytest.mark.parametrize("outside", [3, -4, 2**63, 2**70])
def test_masks_of_blobs_that_are_not_there(data: bytes, outside: int) -> None:
    with PuffinFile(data) as puffin, pytest.raises(IndexError):
        puffin.keep_masks(9, [0, outside])


def test_chosen_blobs_and_lengths_that_do_not_fit(data: bytes) -> None:
    with PuffinFile(data) as puffin:
        with pytest.raises(libdv.DvInvalidArgument, match="lengths has 3 numbers: expected one for each of 2 blobs"):
            puffin.keep_masks([1, 2, 3], [0, 1])
        for wrong in (1, [1.5], "ab"):
            with pytest.raises(TypeError):
                puffin.keep_masks(9, wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("rows", [0, 1, 600])
def test_masks_of_more_blobs_than_a_call_takes(rows: int) -> None:
    count = 2 * _masks._CALL + 3
    data = file_of([number % 600] for number in range(count))
    with PuffinFile(data) as puffin:
        masks = list(puffin.keep_masks(rows))
        assert [mask.count() for mask in masks] == [rows - (number % 600 < rows) for number in range(count)]
        assert all(not mask[number % 600] for number, mask in enumerate(masks) if number % 600 < rows)


def test_masks_of_golden_files() -> None:
    """Of each blob what reading it says."""
    found = [0, 0]
    for path in sorted(golden.GOLDEN.rglob("*.puffin")):
        try:
            puffin = PuffinFile(path)
        except libdv.DvError:
            continue
        for index in range(len(puffin)):
            try:
                expected = puffin.read(index).keep_mask(0, 70_003)
            except libdv.DvError as error:
                with pytest.raises(type(error)) as info:
                    next(puffin.keep_masks(70_003, [index]))
                assert str(info.value) == str(error)
                found[1] += 1
            else:
                assert list(puffin.keep_masks(70_003, [index, index])) == [expected, expected]
                found[0] += 1
    assert all(found)


@pytest.mark.parametrize(
    "make", [bytearray, lambda size: np.full(size, 0xEE, np.uint8), lambda size: memoryview(bytearray(size))]
)
@pytest.mark.parametrize("lengths", [*LENGTHS, [0, 9_000_000, 40_000_000]], ids=str)
def test_masks_in_memory_of_the_caller(data: bytes, lengths: Any, make: Any) -> None:
    need = room_for(lengths)
    out = make(need + 5)
    before, numbers = bytes(out[need:]), np.frombuffer(out, np.uint8)
    for source in (data, io.BytesIO(data)):
        with PuffinFile(source) as puffin:
            at = 0
            for index, mask in enumerate(puffin.keep_masks(lengths, out=out)):
                assert mask == puffin.read(index).keep_mask(0, len(mask))
                assert mask.buffer.readonly
                packed = mask.to_packed_numpy()
                if len(mask):
                    assert packed.ctypes.data == numbers.ctypes.data + at
                with pytest.raises(ValueError, match="WRITEABLE"):
                    packed.flags.writeable = True
                at += room_for([len(mask)])
            assert at == need
    assert bytes(out[need:]) == before


def test_memory_of_the_caller_is_used_again(data: bytes) -> None:
    out = array.array("q", bytes(3 * 64))
    others = file_of([[8], [7], [6]])
    [first, *_] = PuffinFile(data).keep_masks(9, out=out)
    assert list(first) == [False] + [True] * 8
    assert [list(mask).index(False) for mask in PuffinFile(others).keep_masks(9, out=out)] == [8, 7, 6]
    assert list(first) == [True] * 8 + [False]
    with pytest.raises(BufferError):
        out.append(1)  # masks look at it


def test_memory_that_cannot_take_the_masks(data: bytes) -> None:
    with PuffinFile(data) as puffin:
        with pytest.raises(libdv.DvTooSmall, match="out has 191 bytes: expected 192"):
            puffin.keep_masks(9, out=bytearray(191))
        with pytest.raises(libdv.DvTooSmall):
            puffin.keep_masks(2**63 - 1, out=bytearray(192))
        for wrong in (bytes(192), np.zeros(400, np.uint8)[::2], "x" * 192, 192, [0] * 192, memoryview(bytes(192))):
            with pytest.raises(TypeError, match=r"^out must be writable, contiguous memory"):
                puffin.keep_masks(9, out=wrong)  # type: ignore[arg-type]
        assert [len(mask) for mask in puffin.keep_masks(0, out=bytearray())] == [0, 0, 0]


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError("read"), libdv.DvState("mine")], ids=repr)
def test_what_a_source_raises_between_masks(data: bytes, error: Any) -> None:
    places: list[int] = []
    failing = False

    def read(offset: int, size: int) -> bytes:
        if failing:
            raise error
        places.append(offset)
        return data[offset : offset + size]

    with Source.from_function(len(data), read) as source, PuffinFile(source) as puffin:
        masks = puffin.keep_masks(9)
        places.clear()
        assert next(masks).count() == 8
        assert places == [puffin[0].offset]  # nothing is read before it is asked for
        failing = True
        with pytest.raises(type(error) if isinstance(error, Exception) else error) as info:
            next(masks)
        assert error in (info.value, type(info.value))
        assert list(masks) == []
        failing = False
        assert [mask.count() for mask in puffin.keep_masks(9)] == [8, 7, 6]


def test_masks_after_their_source_is_closed(data: bytes) -> None:
    for given in (data, io.BytesIO(data)):
        source = Source(given)
        puffin = PuffinFile(source)
        begun, late = puffin.keep_masks(9), puffin.keep_masks(9)
        assert next(begun).count() == 8
        source.close()
        with pytest.raises(libdv.DvState):
            next(late)
        assert [mask.count() for mask in begun] == [7, 6]
        puffin.close()
