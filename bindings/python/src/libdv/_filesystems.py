"""Opening a file of a table on whatever filesystem holds it: local, fsspec's or PyArrow's."""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from libdv._arrays import require
from libdv._file_object import describe

if TYPE_CHECKING:
    from collections.abc import Iterator

_URL = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]+):(?P<rest>.*)", re.DOTALL)  # one letter is a Windows drive


@contextmanager
def open_delta_file(path: str, absolute: bool, root: str | os.PathLike[str], filesystem: Any) -> Iterator[Any]:
    """Open a table's file for reading, for the length of a block.

    Args:
        path: Relative to the table's root, or a URL of its own.
        absolute: Whether it is a URL of its own.
        root: The table's root: a local path, a URL, or a path of ``filesystem``.
        filesystem: fsspec's, PyArrow's, or ``None``: local, or fsspec's for a URL.

    Yields:
        What a :class:`libdv.Source` takes.
    """
    # The path inside a table is a name as it stands, its root and a URL of its own may be escaped.
    where = path if absolute else _join(os.fspath(root), path)
    if filesystem is None:
        local = _local(where if absolute else os.fspath(root))
        if local is not None:
            yield Path(local if absolute else _join(local, path))
            return
        filesystem, where = _fsspec(where)
    else:
        where = _path_on(filesystem, path if absolute else os.fspath(root))
        where = where if absolute else _join(where, path)
    opener = getattr(filesystem, "open_input_file", None)
    with filesystem.open(where, "rb") if opener is None else opener(where) as file:
        yield file


def _join(root: str, path: str) -> str:
    return f"{root.rstrip('/')}/{path}"


def _local(where: str) -> str | None:
    """The local path that a path or a ``file:`` URL means; ``None`` for another URL."""
    match = _URL.fullmatch(where)
    if match is None:
        return where
    if match["scheme"].lower() != "file":
        return None
    rest = match["rest"]
    if rest.startswith("//"):
        rest = "/" + rest[2:].partition("/")[2]
    return unquote(rest)


def _fsspec(url: str) -> tuple[Any, str]:
    """The filesystem that fsspec has for a URL, and the path on it."""
    core = require("fsspec.core", f"reading {url.partition(':')[0]}: URLs without a filesystem")
    found: tuple[Any, str] = core.url_to_fs(url)
    return found


def _path_on(filesystem: Any, where: str) -> str:
    """A path or URL as the filesystem's own methods take it."""
    if not hasattr(filesystem, "open_input_file") and not callable(getattr(filesystem, "open", None)):
        raise TypeError(f"filesystem must be fsspec's or PyArrow's, not {describe(filesystem)}")
    match = _URL.fullmatch(where)
    if match is None:
        return where
    local = _local(where)
    if local is not None:
        return local
    strip = getattr(filesystem, "_strip_protocol", None)
    return strip(where) if callable(strip) else match["rest"].lstrip("/")
