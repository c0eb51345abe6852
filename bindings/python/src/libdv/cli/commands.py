"""What the command line offers."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from libdv import __version__, inspect
from libdv.cli.report import print_report
from libdv.cli.vectors import PAGE, open_vector
from libdv.errors import DvError
from libdv.library import library_path, library_version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from libdv.vector import DeletionVector

FORMATS = ("puffin", "dv-blob", "delta-dv", "roaring-64", "mumbling")

_FILE = click.argument("file", type=click.Path(exists=True, dir_okay=False))
_FORMAT = click.option("--format", "name", type=click.Choice(FORMATS), help="What the file is; else it is guessed.")


class _Failure(click.ClickException):
    """An error of the library: one line, and an exit code that differs from "there is a fault"."""

    exit_code = 2


def _inspect(file: str, name: Any) -> dict[str, Any]:
    try:
        return inspect(file, name)
    except DvError as error:
        raise _Failure(error.message) from error


def _version(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        click.echo(f"libdv {__version__}, native library {library_version()} at {library_path()}")
        context.exit()


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the versions."
)
def libdv() -> None:
    """Look into deletion vectors of Iceberg, Delta Lake and Mumbling bitmaps."""


@libdv.command("inspect")
@_FILE
@_FORMAT
@click.option("--json", "as_json", is_flag=True, help="Print the whole description as JSON.")
def inspect_command(file: str, name: str | None, as_json: bool) -> None:
    """Show what FILE is, how it is built, and its first fault.

    The exit code is 0 if there is none, 1 if there is one, 2 if FILE cannot be read.
    """
    found = _inspect(file, name)
    if as_json:
        click.echo(json.dumps(found, indent=2))
    else:
        print_report(file, found)
    sys.exit(0 if found["fault"] is None else 1)


@libdv.command("read")
@_FILE
@_FORMAT
@click.option("--index", default=0, show_default=True, help="Which vector of the file, as inspect lists them.")
@click.option("--start", default=0, type=click.IntRange(min=0), help="From this position on.")
@click.option("--end", default=None, type=click.IntRange(min=0), help="Up to this position, without it.")
@click.option("--limit", default=None, type=click.IntRange(min=0), help="At most so many positions.")
@click.option("--count", is_flag=True, help="Print how many there are, not the positions.")
def read_command(
    file: str, name: str | None, index: int, start: int, end: int | None, limit: int | None, count: bool
) -> None:
    """Print the positions of one vector of FILE, one in a line, ascending."""
    try:
        with open_vector(file, _inspect(file, name), index) as vector:
            if count:
                click.echo(vector.count(start, end))
                return
            for page in _pages(vector, start, end, limit):
                click.echo("\n".join(map(str, page)))
    except (DvError, IndexError) as error:
        raise _Failure(str(error)) from error


def _pages(vector: DeletionVector, start: int, end: int | None, limit: int | None) -> Iterator[list[int]]:
    left = vector.count(start, end) if limit is None else limit
    while left > 0:
        page = vector.head(start, end, min(PAGE, left))
        if not page:
            return
        yield page
        left -= len(page)
        start = page[-1] + 1
