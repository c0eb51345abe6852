"""The whole way on a Parquet file: delete, delete more, read back with the checks, filter; then read from C and Java.

usage: demo.py DIRECTORY [--rows N] [--host NAME=COMMAND]...

A host's command reads the vector in another language: see read.c for its arguments and what it prints.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import libdv
from hosts import read_in_another_language, read_in_python
from libdv import DVWriter, read_dv
from report import Report
from table import DELETED_FIRST, DELETED_LATER, make_parquet, matching

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    import pyarrow as pa

    T = TypeVar("T")


class Timed(NamedTuple):
    """What a step returned, and how long it took."""

    result: Any
    seconds: float


def timed(step: Callable[[], T]) -> Timed:
    """Run a step."""
    start = time.perf_counter()
    result = step()
    return Timed(result, time.perf_counter() - start)


def delete(data_file: Path, rows: Any, puffin: Path, previous: libdv.DeletionVector | None = None) -> Any:
    """Write the deletes of one data file and return the manifest entry."""
    with DVWriter() as writer:
        writer.add(str(data_file), rows)
        if previous is not None:
            writer.load(str(data_file), previous)
        return writer.flush(puffin)[0]


def read(puffin: Path, entry: dict[str, Any]) -> libdv.DeletionVector:
    """Read a vector the way an engine does: by its manifest entry, cross-checked."""
    return read_dv(
        puffin,
        entry["content-offset"],
        entry["content-size-in-bytes"],
        entry["record-count"],
        entry["referenced-data-file"],
    )


def damage(puffin: Path, entry: dict[str, Any]) -> str:
    """Flip one bit of the vector in a copy of the file, and say what reading it gives."""
    data = bytearray(puffin.read_bytes())
    data[entry["content-offset"] + entry["content-size-in-bytes"] // 2] ^= 1
    broken = puffin.with_suffix(".broken")
    broken.write_bytes(data)
    try:
        read(broken, entry)
    except libdv.DvCorrupt as error:
        return f"DvCorrupt: {error}"
    raise AssertionError("a damaged vector was read")


def delete_twice(report: Report, table: pa.Table, data_file: Path, first: Path, second: Path) -> dict[str, Any]:
    """Delete by one predicate, then by another on top of it; return the entry of the second file."""
    rows = matching(table, DELETED_FIRST)
    wrote = timed(lambda: delete(data_file, rows, first))
    report.step(f"delete where {DELETED_FIRST}", len(rows), first, wrote.seconds)

    rows = matching(table, DELETED_LATER)
    with read(first, wrote.result) as previous:
        merged = timed(lambda: delete(data_file, rows, second, previous))
    entry: dict[str, Any] = merged.result
    report.step(f"delete where {DELETED_LATER}, and merge", entry["record-count"], second, merged.seconds)
    return entry


def filter_with(report: Report, table: pa.Table, puffin: Path, entry: dict[str, Any]) -> pa.Table:
    """Read the vector back and filter the table with its mask."""
    checked = timed(lambda: read(puffin, entry))
    with checked.result as deleted:
        report.step("read it back by its manifest entry, with the checks", len(deleted), None, checked.seconds)
        mask = timed(lambda: deleted.keep_mask(0, table.num_rows).to_arrow())
    report.step("make the keep mask", mask.result.true_count, None, mask.seconds)
    kept = timed(lambda: table.filter(mask.result))
    report.step("filter the Parquet file with it", kept.result.num_rows, None, kept.seconds)
    return kept.result


def main() -> None:
    """Run the demo."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--host", action="append", default=[], metavar="NAME=COMMAND")
    options = parser.parse_args()
    directory: Path = options.directory
    for old in directory.glob("*.puffin"):
        old.unlink()
    data_file, puffin = directory / "data.parquet", directory / "second.puffin"
    report = Report(f"libdv {libdv.library_version()}: {options.rows:,} rows in {data_file}")

    made = timed(lambda: make_parquet(data_file, options.rows))
    table: pa.Table = made.result
    report.step("make a Parquet file, and read it", table.num_rows, data_file, made.seconds)
    entry = delete_twice(report, table, data_file, directory / "first.puffin", puffin)
    kept = filter_with(report, table, puffin, entry)
    report.show_steps()
    expected = table.filter(~DELETED_FIRST & ~DELETED_LATER)
    report.check("the rows left are those that PyArrow keeps by the predicates alone", kept.equals(expected))
    report.note(f"one bit of the vector flipped: {damage(puffin, entry)}")

    hosts = [read_in_python(puffin, entry, table.num_rows)]
    for name, command in (host.split("=", 1) for host in options.host):
        hosts.append(read_in_another_language(name, shlex.split(command), puffin, entry, table.num_rows))
    report.show_hosts(hosts)
    report.check("every language read the same", len({host.answer for host in hosts}) == 1)
    report.check("no native object is left", libdv.live_handles() == 0)
    sys.exit(report.status)


if __name__ == "__main__":
    main()
