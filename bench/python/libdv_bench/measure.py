"""Timing: contestants take turns in one process, and the best sample of each counts."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SAMPLE_NS = 50_000
"""A sample shorter than this would measure the clock."""
HOPELESS = 3.0
"""A peer this many times slower than the best one so far is not run any longer."""


@dataclass
class Contestant:
    """One way to a result. ``role``: ``libdv``, ``variant``, ``peer`` or ``memory``."""

    name: str
    role: str
    run: Callable[[], Any]
    best: float = float("inf")
    batch: int = 1

    def sample(self) -> None:
        """Time one batch of calls."""
        run = self.run
        start = perf_counter_ns()
        for _ in range(self.batch):
            run()
        self.best = min(self.best, (perf_counter_ns() - start) / self.batch)


@dataclass(frozen=True)
class Effort:
    """How long to measure, per contestant and cell."""

    seconds: float
    rounds: int


FULL = Effort(0.4, 7)
QUICK = Effort(0.05, 3)


def contest(
    what: str, contestants: Sequence[Contestant], check: Callable[[Any], bool], effort: Effort
) -> list[dict[str, Any]]:
    """Let every contestant show that its result passes ``check``, then time them in turns."""
    for contestant in contestants:
        start = perf_counter_ns()
        result = contestant.run()
        once = perf_counter_ns() - start
        if contestant.role != "memory" and not check(result):
            raise SystemExit(f"{what}: {contestant.name} came to another result than expected")
        contestant.batch = min(max(SAMPLE_NS // max(once, 1), 1), 2000)
        del result
    gc.collect()
    gc.disable()
    try:
        _take_turns(list(contestants), effort)
    finally:
        gc.enable()
    return [
        {"name": one.name, "role": one.role, "checked": one.role != "memory", "ns": one.best} for one in contestants
    ]


def _take_turns(live: list[Contestant], effort: Effort) -> None:
    start, done = perf_counter_ns(), 0
    while done < effort.rounds or perf_counter_ns() - start < effort.seconds * 1e9 * len(live):
        for contestant in live:
            contestant.sample()
        fastest = min((one.best for one in live if one.role == "peer"), default=0.0)
        live = [one for one in live if one.role != "peer" or one.best <= HOPELESS * fastest]
        done += 1
