"""Delta files, descriptors and filesystems."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import fsspec
import pyarrow.fs
import pytest

import libdv
from libdv import DeletionVector, DeltaDescriptor, DeltaDVWriter, DeltaResult, Sink, read_delta_dv

if TYPE_CHECKING:
    from pathlib import Path

VECTORS = [[1, 5, 9], [], list(range(0, 200_000, 3)), [2**40]]


def write(target: Any) -> list[DeltaResult]:
    with DeltaDVWriter(target) as writer:
        return [writer.write(DeletionVector(positions)) for positions in VECTORS]


def test_vectors_are_streamed_and_read_back(tmp_path: Path) -> None:
    file, sink, path = io.BytesIO(), Sink.memory(), tmp_path / "dv.bin"
    results = write(file)
    assert write(sink) == write(path) == results
    assert file.getvalue() == sink.take() == path.read_bytes()
    assert [result.cardinality for result in results] == [len(positions) for positions in VECTORS]
    assert results[0].offset == 1
    for result, positions in zip(results, VECTORS, strict=True):
        where = result.offset, result.size_in_bytes, result.cardinality
        for source in (path, file.getvalue(), io.BytesIO(file.getvalue())):
            assert list(libdv.read_delta_record(source, *where)) == positions
        # A record is an Iceberg blob, and the other way round.
        blob = file.getvalue()[result.offset : result.offset + result.size_in_bytes + 8]
        assert DeletionVector(positions).serialize() == blob


def test_a_file_appears_when_it_is_finished(tmp_path: Path) -> None:
    path = tmp_path / "dv.bin"
    with DeltaDVWriter(path) as writer:
        writer.write(DeletionVector([1]))
        assert not path.exists()
        writer.finalize()
        assert path.exists()
    assert path.stat().st_size == 43


def test_a_finished_writer_takes_no_more() -> None:
    writer = DeltaDVWriter(io.BytesIO())
    writer.write(DeletionVector([1]))
    writer.finalize()
    with pytest.raises(libdv.DvState):
        writer.write(DeletionVector([1]))
    with pytest.raises(libdv.DvState):
        writer.finalize()
    writer.close()


def test_a_writer_that_is_not_finalized_drops_its_file(tmp_path: Path) -> None:
    writer = DeltaDVWriter(tmp_path / "dv.bin")
    writer.write(DeletionVector([1]))
    writer.close()
    del writer
    DeltaDVWriter(tmp_path / "other.bin").write(DeletionVector([1]))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("change", [{"offset": 2}, {"size_in_bytes": 33}, {"cardinality": 2}, {"cardinality": 0}])
def test_what_the_descriptor_says_is_checked(change: dict[str, int]) -> None:
    file = io.BytesIO()
    with DeltaDVWriter(file) as writer:
        writer.write(DeletionVector([1]))
    good = {"offset": 1, "size_in_bytes": 34, "cardinality": 1}
    assert list(libdv.read_delta_record(file, **good)) == [1]
    assert list(libdv.read_delta_record(file)) == [1]  # an absent offset is the first record
    with pytest.raises((libdv.DvMismatch, libdv.DvCorrupt)):
        libdv.read_delta_record(file, **{**good, **change})
    descriptor = DeltaDescriptor("p", "file:///x", **{**good, **change})
    with pytest.raises((libdv.DvMismatch, libdv.DvCorrupt)):
        descriptor.read(file)


@pytest.mark.parametrize("bad", [-1, 2**31, 2**64 + 1])
def test_numbers_out_of_range(bad: int) -> None:
    for arguments in ((bad, None, None), (1, bad, None)):
        with pytest.raises(libdv.DvInvalidArgument):
            libdv.read_delta_record(b"", *arguments)
    with pytest.raises(libdv.DvInvalidArgument):
        DeltaDescriptor.for_file(libdv.delta_dv_path(), DeltaResult(1, bad, 34))
    with pytest.raises(libdv.DvInvalidArgument):
        DeltaDescriptor("i", "x", bad, 1).read()


def test_new_paths() -> None:
    assert len({libdv.delta_dv_path() for _ in range(100)}) == 100
    for prefix in ("", "ab", "a/b"):
        path = libdv.delta_dv_path(prefix)
        descriptor = DeltaDescriptor.for_file(path, DeltaResult(1, 1, 34))
        assert descriptor.storage_type == "u"
        assert descriptor.path == path
        assert descriptor.unique_id == f"u{descriptor.path_or_inline_dv}@1"


@pytest.mark.parametrize(
    "prefix", ["ab/", "/ab", "/", "a//b", "..", "a/../b", "./a", ".", "a/.", "\\a", "a\0b", "\ud800"]
)
def test_a_prefix_that_no_descriptor_can_name(prefix: str) -> None:
    with pytest.raises(libdv.DvInvalidArgument):
        libdv.delta_dv_path(prefix)


@pytest.mark.parametrize("prefix", [None, 5, b"ab"])
def test_a_prefix_is_a_string(prefix: Any) -> None:
    with pytest.raises(TypeError, match="prefix must be a str, not"):
        libdv.delta_dv_path(prefix)


@pytest.mark.parametrize("text", [None, 5, b"^Bg9^0000000000"])
def test_inline_text_is_a_string(text: Any) -> None:
    with pytest.raises(TypeError, match="text must be a str, not"):
        DeletionVector.from_delta_inline(text)


@pytest.mark.parametrize("path", ["", "x", "deletion_vector_1.bin", "deletion_vector_.bin", "a\0b", "dv/" + "0" * 36])
def test_paths_of_another_form(path: str) -> None:
    with pytest.raises(libdv.DvInvalidArgument):
        DeltaDescriptor.for_file(path, DeltaResult(1, 1, 34))


GOOD = {"storageType": "i", "pathOrInlineDv": "^Bg9^0000000000", "sizeInBytes": 12, "cardinality": 0}


@pytest.mark.parametrize(
    "change",
    [
        {"storageType": 5}, {"storageType": None}, {"storageType": "x"}, {"storageType": "ii"}, {"pathOrInlineDv": 5},
        {"sizeInBytes": "12"}, {"sizeInBytes": -1}, {"sizeInBytes": 1.5}, {"sizeInBytes": True}, {"cardinality": None},
        {"cardinality": -1}, {"cardinality": 2**64}, {"offset": 1}, {"offset": "1"},
        {"storageType": "u", "pathOrInlineDv": "short"},
    ],
    ids=str,
)  # fmt: skip
def test_malformed_descriptors(change: dict[str, Any]) -> None:
    value = {**GOOD, **change}
    for call in (
        lambda: DeltaDescriptor.from_dict(value),
        lambda: DeltaDescriptor.from_json(json.dumps(value)),
        lambda: read_delta_dv(value, "/table"),
        lambda: read_delta_dv(json.dumps(value), "/table"),
    ):
        with pytest.raises(libdv.DvError):
            call()


@pytest.mark.parametrize("text", ["~~~~~", "^Bg9^000000000", "^Bg9^00000", "^Bg9^000000000000000"])
def test_inline_text_is_checked_when_it_is_read(text: str) -> None:
    with pytest.raises((libdv.DvCorrupt, libdv.DvMismatch)):
        read_delta_dv({**GOOD, "pathOrInlineDv": text})


@pytest.mark.parametrize("member", GOOD)
def test_a_missing_member(member: str) -> None:
    with pytest.raises(libdv.DvInvalidArgument, match=member):
        DeltaDescriptor.from_dict({name: value for name, value in GOOD.items() if name != member})


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", "5", "{", '{"storageType":"i"}{}', "\x00", b"\xff"])
def test_what_is_no_descriptor(text: Any) -> None:
    with pytest.raises(libdv.DvInvalidArgument):
        DeltaDescriptor.from_json(text)
    for wrong in (None, 5, [1]):
        with pytest.raises(TypeError):
            DeltaDescriptor.from_dict(wrong)  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            read_delta_dv(wrong, "/table")  # type: ignore[arg-type]


def test_a_descriptor_is_a_value() -> None:
    descriptor = DeltaDescriptor.inline(DeletionVector([1]))
    assert descriptor == DeltaDescriptor.from_json(descriptor.to_json())
    assert hash(descriptor) == hash(DeltaDescriptor.from_dict(descriptor.to_dict()))
    assert "offset" not in descriptor.to_dict()
    assert DeltaDescriptor.from_dict({**GOOD, "maxRowIndex": 7}).to_dict() == GOOD


def table(root: Any, make: Any) -> tuple[DeltaDescriptor, list[int]]:
    """A vector file in a table; ``make(path, data)`` puts it there."""
    path, file = libdv.delta_dv_path("p%20x"), io.BytesIO()  # the prefix is a name as it stands
    result = write(file)[2]
    make(f"{root}/{path}", file.getvalue())
    return DeltaDescriptor.for_file(path, result), VECTORS[2]


def test_a_local_table(tmp_path: Path) -> None:
    root = tmp_path / "my table"
    (root / "p%20x").mkdir(parents=True)

    def make(path: str, data: bytes) -> None:
        type(tmp_path)(path).write_bytes(data)

    descriptor, expected = table(root, make)
    url = root.as_uri()
    assert "%20" in url
    local, arrow = fsspec.filesystem("file"), pyarrow.fs.LocalFileSystem()
    for where, filesystem in (
        (root, None),
        (str(root), None),
        (f"{root}/", None),
        (url, None),
        (url.replace("file:///", "file:/"), None),
        (str(root), local),
        (root, local),
        (url, local),
        (root, arrow),
        (url, arrow),
        ("my table", pyarrow.fs.SubTreeFileSystem(str(tmp_path), arrow)),
    ):
        for form in (descriptor, descriptor.to_dict(), descriptor.to_json()):
            assert list(read_delta_dv(form, where, filesystem)) == expected
    path = f"{url}/{descriptor.path.replace('%', '%25')}"
    absolute = DeltaDescriptor("p", path, descriptor.size_in_bytes, descriptor.cardinality, descriptor.offset)
    for filesystem in (None, local, arrow):
        assert list(read_delta_dv(absolute, "s3://elsewhere", filesystem)) == expected
        assert list(read_delta_dv(absolute, filesystem=filesystem)) == expected
    relative = DeltaDescriptor(
        "r", descriptor.path, descriptor.size_in_bytes, descriptor.cardinality, descriptor.offset
    )
    assert list(read_delta_dv(relative, root)) == expected


def test_a_remote_table() -> None:
    memory = fsspec.filesystem("memory")
    descriptor, expected = table("/tables/t", memory.pipe)
    assert list(read_delta_dv(descriptor, "memory://tables/t")) == expected
    assert list(read_delta_dv(descriptor, "/tables/t", memory)) == expected
    assert list(read_delta_dv(descriptor, "memory://tables/t/", memory)) == expected
    arrow = pyarrow.fs.PyFileSystem(pyarrow.fs.FSSpecHandler(memory))
    assert list(read_delta_dv(descriptor, "tables/t", arrow)) == expected
    url = f"memory://tables/t/{descriptor.path}"
    absolute = DeltaDescriptor("p", url, descriptor.size_in_bytes, descriptor.cardinality, descriptor.offset)
    assert list(read_delta_dv(absolute)) == expected


def test_files_that_are_not_there(tmp_path: Path) -> None:
    descriptor = DeltaDescriptor.for_file(libdv.delta_dv_path(), DeltaResult(1, 1, 34))
    with pytest.raises(libdv.DvIOError):
        read_delta_dv(descriptor, tmp_path)
    for root, filesystem in (
        ("memory://gone", None),
        (tmp_path, fsspec.filesystem("file")),
        (tmp_path, pyarrow.fs.LocalFileSystem()),
    ):
        with pytest.raises(FileNotFoundError):
            read_delta_dv(descriptor, root, filesystem)
    with pytest.raises(libdv.DvInvalidArgument, match="table_root"):
        read_delta_dv(descriptor)
    with pytest.raises(TypeError, match="filesystem"):
        read_delta_dv(descriptor, tmp_path, object())
    with pytest.raises(ValueError, match="nosuchscheme"):
        read_delta_dv(descriptor, "nosuchscheme://x")


def test_an_inline_vector_needs_no_table() -> None:
    descriptor = DeltaDescriptor.inline(DeletionVector([4, 2]))
    assert list(read_delta_dv(descriptor)) == list(read_delta_dv(descriptor, "s3://no/such", object())) == [2, 4]
    with pytest.raises(libdv.DvInvalidArgument):
        DeltaDescriptor.for_file(libdv.delta_dv_path(), DeltaResult(1, 1, 34)).read()
