"""inspect() from Python: any source, any format, damaged or not."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import pytest

import libdv
from libdv import DeletionVector, Source
from tests import golden

if TYPE_CHECKING:
    from pathlib import Path


class Boom(Exception):
    """The caller's own exception."""


def test_a_blob_from_any_source(tmp_path: Path) -> None:
    blob = DeletionVector([1, 70_000]).serialize()
    path = tmp_path / "x"
    path.write_bytes(blob)
    with Source(blob) as source:
        for form in (blob, path, str(path), io.BytesIO(blob), source):
            found = libdv.inspect(form)
            assert (found["format"], found["guessed"], found["fault"]) == ("dv-blob", True, None)
            assert found["vectors"][0]["bounds"] == {"first": 1, "last": 70_000}
            assert not libdv.inspect(form, "dv-blob")["guessed"]


@pytest.mark.parametrize("entry", [e for e in golden.MANIFEST["files"] if e["bytes"] < 20_000], ids=golden.name)
def test_what_others_wrote(entry: Any) -> None:
    forms = {"iceberg-dv-blob": "dv-blob", "roaring64-portable": "roaring-64", "mumbling-v1": "mumbling"}
    form = forms.get(entry["format"], entry["format"].replace("delta-dv-file", "delta-dv"))
    found = libdv.inspect(golden.data(entry))
    assert found["format"] == form
    assert found["size"] == entry["bytes"]


@pytest.mark.parametrize("name", ["", "other", "a\0b"])
def test_a_format_of_another_name(name: Any) -> None:
    with pytest.raises(libdv.DvInvalidArgument):
        libdv.inspect(b"", name)


def test_an_exception_of_the_source_comes_through() -> None:
    def read(_offset: int, _size: int) -> bytes:
        raise Boom

    with Source.from_function(100, read) as source, pytest.raises(Boom):
        libdv.inspect(source)
