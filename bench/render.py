"""Turn the JSON of the benches into ``bench/RESULTS.md`` and one plot per task.

Usage: ``python3 bench/render.py bench/results/*.json``
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import aims
import cells
from plot import Panel, Point, draw

HERE = Path(__file__).resolve().parent
BENCHES = {"native": "Native: C ABI", "python": "Python", "java": "Java"}

INTRODUCTION = """\
# Bench results

Made by `make bench-render` from what the benches measured, not by hand. A ratio is the best peer's time divided by
libdv's: 2 means that libdv takes half as long. libdv always checks the whole input: length, magic, CRC-32, structure,
order. Of the peers two ratios are given: against the best of all (length, magic, CRC-32, and no more than that the
bitmap stays within its bytes), and against the best of those that also validate the order of the values. "Memory" is
what reading the input once and writing the output once takes in the same process. Every contestant's result is
compared with the expected one before anything is timed; times are the best of many runs. [README.md](README.md) says
how each peer is used.
"""


def main(files: list[str]) -> None:
    """Read the results, write the document and the plots."""
    found = [json.loads(Path(file).read_text(encoding="utf-8")) for file in files]
    found.sort(key=lambda result: list(BENCHES).index(result["bench"]))
    parts = [INTRODUCTION, machine(found), summary(found), goals(found)]
    parts += [task(found, family) for family in families(found)]
    parts += [costs(result) for result in found if result["costs"]]
    (HERE / "RESULTS.md").write_text("\n".join(parts), encoding="utf-8")


def machine(found: list[dict[str, Any]]) -> str:
    """Where and with what it was measured."""
    lines = ["## Machine and versions\n", "| bench | processor | cores | system | versions |", "|---|---|--:|---|---|"]
    for result in found:
        where = result["machine"]
        versions = ", ".join(f"{name} {version}" for name, version in where["versions"].items())
        lines.append(
            f"| {BENCHES[result['bench']]} | {where['cpu']} | {where['cores']} | {where['system']} | {versions} |"
        )
    return "\n".join((*lines, ""))


def summary(found: list[dict[str, Any]]) -> str:
    """One line per table."""
    lines = ["## Summary\n", "| bench | task | | geometric mean | worst cell |", "|---|---|---|--:|--:|"]
    for result in found:
        bench = BENCHES[result["bench"]]
        measured = ((table, cells.ratios(table)) for table in result["tables"])
        lines += [
            f"| {bench} | {table['task']} | {table['title']} | {cells.geometric_mean(ratios):.2f} | {min(ratios):.2f} |"
            for table, ratios in measured
            if ratios
        ]
    return "\n".join((*lines, ""))


def goals(found: list[dict[str, Any]]) -> str:
    """What is aimed at, and what of it is reached."""
    lines = ["## Aims\n", "| bench | task | aim | found | |", "|---|---|---|---|---|"]
    for bench, name, aim, result, reached in aims.judged(found):
        lines.append(f"| {BENCHES[bench]} | {name} | {aim} | {result} | {'reached' if reached else 'not reached'} |")
    lines.append("\n[LIMITS.md](LIMITS.md) says what stands in the way of those that are not reached.")
    return "\n".join((*lines, ""))


def families(found: list[dict[str, Any]]) -> list[str]:
    """T1, T2, ...: tables that share a number share a section and a plot."""
    return sorted({table["task"][:2] for result in found for table in result["tables"]})


def task(found: list[dict[str, Any]], family: str) -> str:
    """The section of a task: its plot, and a table per bench."""
    parts, panels, title = [], [], ""
    for result in found:
        for table in result["tables"]:
            if table["task"][:2] == family:
                title = title or f"{family}: {table['title']}"
                name = f"{BENCHES[result['bench']]}, {table['task']}: {table['title']}"
                panels.append(Panel(name, [point(cell) for cell in table["cells"]]))
                parts += [f"### {name}\n", rows(table), everything(table)]
    plot = HERE / "plots" / f"{family}.svg"
    plot.parent.mkdir(exist_ok=True)
    plot.write_text(draw(title, panels), encoding="utf-8")
    return "\n".join((f"## {title}\n", f"![{title}](plots/{plot.name})\n", *parts))


def point(cell: dict[str, Any]) -> Point:
    """A cell as the plot shows it."""
    peer, memory = cells.best(cell, "peer"), cells.best(cell, "memory")
    return Point(cell["label"], cells.ours(cell), peer["ns"] if peer else None, memory["ns"] if memory else None)


def rows(table: dict[str, Any]) -> str:
    """The table: one line per cell, with the geometric means below."""
    lines = [
        "| cell | positions | bytes | libdv | memory | x memory | best peer | | ratio | ratio, validated |",
        "|---|--:|--:|--:|--:|--:|--:|---|--:|--:|",
    ]
    for cell in table["cells"]:
        peer, memory = cells.best(cell, "peer"), cells.best(cell, "memory")
        fields = [
            cell["label"],
            f"{cell['positions']:,}",
            f"{cell['bytes']:,}" if cell["bytes"] else "",
            cells.time_text(cells.ours(cell)),
            cells.time_text(memory["ns"]) if memory else "",
            f"{cells.ours(cell) / memory['ns']:.1f}" if memory else "",
            cells.time_text(peer["ns"]) if peer else "",
            peer["name"] if peer else "",
            _ratio(cells.ratio(cell, peer)),
            _ratio(cells.ratio(cell, cells.best(cell, "peer", checked=True))),
        ]
        lines.append("| " + " | ".join(fields) + " |")
    for name, checked in (("", False), (" against peers that validate", True)):
        if ratios := cells.ratios(table, checked=checked):
            mean = cells.geometric_mean(ratios)
            lines.append(f"\nGeometric mean{name}: **{mean:.2f}**, worst cell {min(ratios):.2f}.")
    return "\n".join((*lines, ""))


def everything(table: dict[str, Any]) -> str:
    """Every contestant, folded away."""
    lines = ["<details><summary>every contestant</summary>\n", "| cell | way | time | / libdv |", "|---|---|--:|--:|"]
    for cell in table["cells"]:
        lines += [
            f"| {cell['label']} | {one['name']} | {cells.time_text(one['ns'])} | {one['ns'] / cells.ours(cell):.2f} |"
            for one in cell["results"]
        ]
    return "\n".join((*lines, "\n</details>\n"))


def costs(result: dict[str, Any]) -> str:
    """What calls, handles and the library itself cost."""
    lines = ["## Costs\n", "| what | value | | aim |", "|---|--:|---|---|"]
    lines += [f"| {one['name']} | {one['value']:.3g} | {one['unit']} | {one['target']} |" for one in result["costs"]]
    return "\n".join((*lines, ""))


def _ratio(ratio: float | None) -> str:
    return f"{ratio:.2f}" if ratio else ""


if __name__ == "__main__":
    main(sys.argv[1:])
