"""The description of a file, for people."""

from __future__ import annotations

from typing import Any, Final

from rich import box
from rich.console import Console
from rich.control import strip_control_codes
from rich.table import Table
from rich.text import Text

_PIPED_WIDTH: Final = 160  # characters, where no terminal says


def _plain(value: Any) -> Text:
    """A text of the file's: no markup, and nothing that a terminal obeys."""
    return Text("".join(c if c.isprintable() else "?" for c in strip_control_codes(str(value))))


def _number(value: int | None) -> str:
    return "?" if value is None else f"{value:,}"


def _bounds(vector: dict[str, Any]) -> tuple[str, str]:
    bounds = vector["bounds"]
    return ("", "") if bounds is None else (_number(bounds["first"]), _number(bounds["last"]))


def _verdict(vector: dict[str, Any]) -> Text:
    if vector["fault"] is not None:
        return Text("fault", style="bold red")
    return Text("good", style="green") if vector["complete"] else Text("not examined", style="yellow")


def _table(*numbers: str, text: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in numbers:
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column(text, overflow="fold")
    return table


def _sizes(found: dict[str, Any]) -> Table:
    """How each vector is built; the canonical size is that of the bytes which libdv would write."""
    kinds = list(dict.fromkeys(kind for vector in found["vectors"] for kind in vector["containers"] or ()))
    table = _table("vector", "offset", "bytes", "canonical", *kinds, text="verdict")
    for vector in found["vectors"]:
        containers = vector["containers"] or {}
        table.add_row(
            str(vector["index"]),
            *(_number(vector[name]) for name in ("offset", "size", "canonical_size")),
            *(_number(containers[kind]["count"] if kind in containers else None) for kind in kinds),
            _verdict(vector),
        )
    return table


def _contents(found: dict[str, Any]) -> Table:
    """What each vector covers."""
    table = _table("vector", "positions", "first", "last", text="data file")
    for vector in found["vectors"]:
        name = _plain(vector["referenced_data_file"] or "")
        table.add_row(str(vector["index"]), _number(vector["cardinality"]), *_bounds(vector), name)
    return table


def print_report(file: str, found: dict[str, Any], console: Console | None = None) -> None:
    """Print what :func:`libdv.inspect` found."""
    console = console or Console()
    if not console.is_terminal:
        console.width = _PIPED_WIDTH
    how = "guessed" if found["guessed"] else "as told"
    console.print(Text.assemble(_plain(file), f": {found['format']} ({how}), {found['size']:,} bytes"))
    if found["vectors"]:
        console.print(_sizes(found))
        console.print(_contents(found))
    if found["vectors_omitted"]:
        console.print(f"and {found['vectors_omitted']:,} more vectors")
    for blob in found["other_blobs"]:
        codec = blob["compression_codec"]
        what = f"other blob at {blob['offset']:,}, {blob['size']:,} bytes{'' if codec is None else f', {codec}'}: "
        console.print(Text.assemble(_plain(what), _plain(blob["type"])))
    for fault in _faults(found):
        console.print(Text.assemble((fault["status"], "bold red"), ": ", _plain(fault["message"])))


def _faults(found: dict[str, Any]) -> list[dict[str, Any]]:
    """The file's fault, and those of its vectors that are others."""
    faults = [found["fault"], *(vector["fault"] for vector in found["vectors"])]
    return list({fault["message"]: fault for fault in faults if fault is not None}.values())
