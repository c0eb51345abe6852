"""The command line: ``python -m libdv_bench --task T1,T2 --quick --json FILE``."""

from __future__ import annotations

import argparse
import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import libdv
from libdv_bench import data, files, report, tasks
from libdv_bench.data import Case
from libdv_bench.measure import FULL, QUICK, Effort

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LARGE: dict[str, tuple[str, Callable[[Case, Effort], tasks.Results]]] = {
    "T1": ("blob to packed keep mask", tasks.mask),
    "T1b": ("blob to one bool per row", tasks.bools),
    "T2": ("blob to positions", tasks.positions),
    "T3": ("sorted positions to blob", tasks.encode),
    "T3n": ("sorted positions to blob, pyroaring from the NumPy array as it is", tasks.encode_plainly),
}
SMALL: dict[str, tuple[str, Callable[[Case, Effort], tasks.Results]]] = {
    "T6": ("small blob to packed keep mask of 100,000 rows", tasks.mask),
    "T6p": ("small blob to positions", tasks.positions),
    "T6e": ("few positions to blob", tasks.encode),
}
PUFFIN = {
    "T7": ("Puffin file opened, all read and masked, against pyiceberg", files.pyiceberg),
    "T7h": ("the same, against json and pyroaring by hand", files.by_hand),
}


def main() -> None:
    """Run the tasks asked for."""
    parser = argparse.ArgumentParser(prog="libdv_bench", description=__doc__)
    names = " ".join((*LARGE, "T4", *SMALL, *PUFFIN))
    parser.add_argument("--task", help=f"comma-separated: {names} (default: all)")
    parser.add_argument("--cell", help=f"cells of T1 to T4, comma-separated: {' '.join(data.LABELS)}")
    parser.add_argument("--quick", action="store_true", help="short runs: good for a look, not for a claim")
    parser.add_argument("--rows", type=int, default=10_000_000, help="rows of T1 to T4 (default %(default)s)")
    parser.add_argument("--json", type=Path, help="write the results for bench/render.py to this file")
    options = parser.parse_args()
    wanted = set(options.task.split(",")) if options.task else set(names.split())
    if unknown := wanted - set(names.split()):
        parser.error(f"no such task: {' '.join(sorted(unknown))}")

    effort = QUICK if options.quick else FULL
    labels = options.cell.split(",") if options.cell else data.LABELS
    tables = [table for name, table in _tables(options.rows, labels, effort).items() if name in wanted]
    results = [_run(*table) for table in tables]
    if live := libdv.live_handles():
        raise SystemExit(f"{live} handles left over")
    if options.json:
        found = {"bench": "python", "machine": report.machine(), "tables": results, "costs": []}
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def _run(task: str, title: str, cells: Callable[[], list[dict[str, Any]]]) -> dict[str, Any]:
    table = {"task": task, "title": title, "cells": cells()}
    report.show(table)
    return table


def _tables(rows: int, labels: Sequence[str], effort: Effort) -> dict[str, tuple[str, str, Callable[[], Any]]]:
    """Every table by the name of its task, in order; none is run yet."""

    @cache
    def large(label: str, seed: int) -> Case:
        return Case.of(label, rows, data.positions(label, rows, seed))

    @cache
    def small(count: int) -> Case:
        return Case.of(f"{count} positions", 100_000, data.sample(count, 100_000, count))

    def cell(case: Case, results: tasks.Results) -> dict[str, Any]:
        return report.cell(case.label, len(case.positions), len(case.blob), results)

    def over(cases: Callable[[], list[Case]], run: Callable[[Case, Effort], tasks.Results]) -> Callable[[], Any]:
        return lambda: [cell(case, run(case, effort)) for case in cases()]

    def merges() -> list[dict[str, Any]]:
        return [cell(large(label, 1), tasks.merge(large(label, 1), large(label, 2), effort)) for label in labels]

    def puffin(run: Callable[..., tasks.Results]) -> Callable[[], Any]:
        def cells() -> list[dict[str, Any]]:
            file, masks = files.write()
            label = f"{files.VECTORS} vectors over {files.ROWS} rows"
            return [report.cell(label, files.POSITIONS, len(file), run(file, masks, effort))]

        return cells

    tables = {
        name: (title, over(lambda: [large(label, 1) for label in labels], run)) for name, (title, run) in LARGE.items()
    }
    tables["T4"] = ("two blobs merged into a third", merges)
    tables |= {
        name: (title, over(lambda: [small(count) for count in (10, 100, 1000)], run))
        for name, (title, run) in SMALL.items()
    }
    tables |= {name: (title, puffin(run)) for name, (title, run) in PUFFIN.items()}
    return {name: (name, title, cells) for name, (title, cells) in tables.items()}


if __name__ == "__main__":
    main()
