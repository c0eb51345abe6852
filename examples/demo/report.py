"""What the demo shows: two tables, and whether everything is as it should be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from hosts import REPEATS

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from hosts import Host


def duration(seconds: float) -> str:
    """A time in the unit that suits it."""
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{seconds * 1e3:.2f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f} µs"


class Report:
    """Collects the steps and shows them."""

    def __init__(self, title: str) -> None:
        """Begin."""
        self.status = 0
        self._console = Console(width=110, highlight=False)
        self._steps = Table(title=title, title_justify="left")
        self._steps.add_column("step")
        for name in ("rows", "bytes", "time"):
            self._steps.add_column(name, justify="right")

    def step(self, what: str, rows: int, file: Path | None, seconds: float) -> None:
        """Note a step: how many rows it was about, the file that it wrote, its time."""
        size = "" if file is None else f"{file.stat().st_size:,}"
        self._steps.add_row(what, f"{rows:,}", size, duration(seconds))

    def show_steps(self) -> None:
        """Show the steps so far."""
        self._console.print(self._steps)

    def show_hosts(self, hosts: Iterable[Host]) -> None:
        """Show what each language read."""
        table = Table(title="The same read, by manifest entry to keep mask", title_justify="left")
        table.add_column("language")
        for name in ("deleted", "kept", "hash of the mask", f"best of {REPEATS}"):
            table.add_column(name, justify="right")
        for host in hosts:
            deleted, kept, mask = host.answer
            table.add_row(host.name, f"{deleted:,}", f"{kept:,}", mask, duration(host.best))
        self._console.print(table)

    def note(self, text: str) -> None:
        """Show a line."""
        self._console.print(f"- {text}", markup=False, soft_wrap=True)

    def check(self, what: str, holds: object) -> None:
        """Show whether something is as it should be; where it is not, the demo fails."""
        if not holds:
            self.status = 1
        self._console.print(f"- {what}: {'[green]yes[/]' if holds else '[red]NO[/]'}", soft_wrap=True)
