"""Tables on the terminal, and the same numbers as JSON for the renderer."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from math import exp, log
from pathlib import Path
from typing import Any

import libdv

PEERS = ("pyroaring", "pyiceberg", "isal", "numpy")


def cell(label: str, positions: int, size: int, results: list[dict[str, Any]]) -> dict[str, Any]:
    """One cell of a task."""
    return {"label": label, "positions": positions, "bytes": size, "results": results}


def show(table: dict[str, Any]) -> None:
    """Print one table, with the geometric mean of its ratios."""
    print(f"\n## {table['task']}: {table['title']}\n")
    print("| cell | libdv | best peer | its name | ratio |\n|---|--:|--:|---|--:|")
    ratios = []
    for one in table["cells"]:
        ours = min(result["ns"] for result in one["results"] if result["role"] == "libdv")
        peer = min((result for result in one["results"] if result["role"] == "peer"), key=lambda result: result["ns"])
        ratios.append(peer["ns"] / ours)
        print(f"| {one['label']} | {_time(ours)} | {_time(peer['ns'])} | {peer['name']} | {ratios[-1]:.2f} |")
    if ratios:
        mean = exp(sum(map(log, ratios)) / len(ratios))
        print(f"\ngeometric mean of the ratios: {mean:.2f}, worst {min(ratios):.2f}")


def machine() -> dict[str, Any]:
    """What the numbers were measured on and with."""
    info = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    fields = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in info) if value}
    model = fields.get("model name", "unknown")
    versions = {"libdv": libdv.library_version(), "python": platform.python_version()}
    return {
        "cpu": f"{model} (family {fields.get('cpu family', '?')}, model {fields.get('model', '?')})",
        "cores": os.cpu_count(),
        "system": f"{platform.system().lower()} {platform.machine()}",
        "versions": versions | {name: version(name) for name in PEERS},
    }


def _time(nanos: float) -> str:
    for limit, unit, name in ((1e3, 1, "ns"), (1e6, 1e3, "us"), (float("inf"), 1e6, "ms")):
        if nanos < limit:
            return f"{nanos / unit:.2f} {name}"
    raise AssertionError(nanos)
