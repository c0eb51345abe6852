"""What the project aims at, and whether the results reach it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cells

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True)
class Ratio:
    """How many times faster than the fastest peer whose name begins with ``peer``; ``worst``: no cell below it."""

    bench: str
    task: str
    mean: float
    worst: float = 0
    peer: str = ""

    def judge(self, table: dict[str, Any]) -> tuple[str, str, bool]:
        """The aim, what was found, and whether it is reached."""
        ratios = cells.ratios(table, self.peer)
        mean, worst = cells.geometric_mean(ratios), min(ratios)
        aim = f"{self.mean:g} x {self.peer or 'the best peer'}"
        if self.worst:
            aim += f", no cell below {self.worst:g}"
        return aim, f"{mean:.2f}, worst cell {worst:.2f}", mean >= self.mean and worst >= self.worst


@dataclass(frozen=True)
class OfMemory:
    """At most so many times what the memory alone takes, in these cells."""

    bench: str
    task: str
    most: float
    labels: tuple[str, ...]

    def judge(self, table: dict[str, Any]) -> tuple[str, str, bool]:
        """The aim, what was found, and whether it is reached."""
        chosen = [cell for cell in table["cells"] if cell["label"] in self.labels]
        found = {cell["label"]: cells.ours(cell) / cells.time(cell, "memory") for cell in chosen}
        aim = f"at most {self.most:g} x memory at {', '.join(self.labels)}"
        return aim, ", ".join(f"{over:.2f}" for over in found.values()), max(found.values()) <= self.most


@dataclass(frozen=True)
class Within:
    """At most so many ns, in the cells whose label begins so."""

    bench: str
    task: str
    most: float
    label: str = ""

    def judge(self, table: dict[str, Any]) -> tuple[str, str, bool]:
        """The aim, what was found, and whether it is reached."""
        slowest = max(cells.ours(cell) for cell in table["cells"] if cell["label"].startswith(self.label))
        aim = f"under {cells.time_text(self.most)}" + (f" at {self.label}" if self.label else "")
        return aim, cells.time_text(slowest), slowest < self.most


AIMS = (
    Ratio("native", "T1", 3, 1.5),
    OfMemory("native", "T1", 2.5, ("0.01%", "50%", "all")),
    Ratio("native", "T2", 2.5, 1.5),
    Ratio("native", "T3", 2.5, 1.3, "CRoaring"),
    Ratio("native", "T3u", 1.5),
    Ratio("native", "T4", 1.5, 1),
    Within("native", "T5", 1500, "50000 rows, 100 positions"),
    Ratio("native", "T6", 1, 0, "CRoaring"),
    Within("native", "T8", 100_000),
    Ratio("python", "T2", 3),
    Ratio("python", "T3n", 10),
    Ratio("python", "T7", 20),
    Ratio("java", "T1", 100, 100, "Iceberg isDeleted"),
    Ratio("java", "T1", 4, 0, "Iceberg forEach"),
    Ratio("java", "T5", 10, 10),
    Ratio("java", "T7", 5),
)


def judged(found: list[dict[str, Any]]) -> Iterator[tuple[str, str, str, str, bool]]:
    """Bench, task, aim, what was found, and whether it is reached, for what was measured in full."""
    for aim in AIMS:
        for result in found:
            for table in result["tables"]:
                if (result["bench"], table["task"]) == (aim.bench, aim.task):
                    yield aim.bench, aim.task, *aim.judge(table)
