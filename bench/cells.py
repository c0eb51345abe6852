"""Reading the cells of a result: the fastest of a role, ratios, means, times as text."""

from __future__ import annotations

from math import exp, log
from typing import Any


def best(cell: dict[str, Any], role: str, *, checked: bool = False, name: str = "") -> dict[str, Any] | None:
    """The fastest contestant of a role: of those that validate, of those whose name begins with ``name``."""
    chosen = [
        one
        for one in cell["results"]
        if one["role"] == role and (one["checked"] or not checked) and one["name"].startswith(name)
    ]
    return min(chosen, key=lambda one: one["ns"], default=None)


def time(cell: dict[str, Any], role: str) -> float:
    """The best time of a role that every cell has, in ns."""
    found = best(cell, role)
    if found is None:
        raise ValueError(f"{cell['label']}: nobody of role {role}")
    return float(found["ns"])


def ours(cell: dict[str, Any]) -> float:
    """The time of libdv, in ns."""
    return time(cell, "libdv")


def ratio(cell: dict[str, Any], peer: dict[str, Any] | None) -> float | None:
    """How many times libdv is faster than a peer."""
    return float(peer["ns"]) / ours(cell) if peer else None


def ratios(table: dict[str, Any], name: str = "", *, checked: bool = False) -> list[float]:
    """The ratios of a table's cells, those without such a peer left out."""
    found = (ratio(cell, best(cell, "peer", checked=checked, name=name)) for cell in table["cells"])
    return [one for one in found if one]


def geometric_mean(values: list[float]) -> float:
    """Their geometric mean."""
    return exp(sum(map(log, values)) / len(values))


def time_text(nanos: float) -> str:
    """A time in the unit that suits it."""
    for limit, unit, name in ((1e3, 1.0, "ns"), (1e6, 1e3, "µs"), (1e9, 1e6, "ms")):
        if nanos < limit:
            value = nanos / unit
            return f"{value:.0f} {name}" if value >= 100 or unit == 1.0 else f"{value:.3g} {name}"
    return f"{nanos / 1e9:.3g} s"
