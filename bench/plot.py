"""One SVG per task: the times of libdv, of the best peer and of the memory alone, on a logarithmic axis."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10
from typing import TYPE_CHECKING

from cells import time_text

if TYPE_CHECKING:
    from collections.abc import Callable

WIDTH = 960
PANEL = 270
LEFT, RIGHT, TOP, BOTTOM = 76, 20, 44, 46
LIBDV, PEER, MEMORY, INK, GRID = "#0b6e4f", "#b3541e", "#8a8f98", "#24292f", "#e4e7eb"


@dataclass(frozen=True)
class Point:
    """One cell: times in ns, ``None`` where there is no such contestant."""

    label: str
    libdv: float
    peer: float | None
    memory: float | None

    def times(self) -> list[float]:
        """All times there are."""
        return [time for time in (self.libdv, self.peer, self.memory) if time]


@dataclass(frozen=True)
class Panel:
    """The cells of one task in one bench."""

    title: str
    points: list[Point]


def draw(title: str, panels: list[Panel]) -> str:
    """The picture of a task, a panel per bench."""
    height = 34 + PANEL * len(panels)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'font-family="system-ui, sans-serif" font-size="12" fill="{INK}">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{height}" rx="6" fill="#ffffff"/>',
        _text(LEFT, 24, title, "start", 'font-size="15" font-weight="600"'),
        *_legend(),
    ]
    for index, panel in enumerate(panels):
        parts += _panel(panel, 34 + index * PANEL)
    return "\n".join((*parts, "</svg>\n"))


def _legend() -> list[str]:
    parts = []
    x = WIDTH - RIGHT - 330
    for name, mark in (("libdv", _dot), ("best peer", _ring), ("memory alone", _dash)):
        parts += [mark(x, 20), _text(x + 12, 24, name, "start")]
        x += 90 if name == "libdv" else 110
    return parts


def _panel(panel: Panel, top: int) -> list[str]:
    times = [time for point in panel.points for time in point.times()]
    low, high = floor(log10(min(times))), ceil(log10(max(times) * 1.3))
    floor_y, ceiling_y = top + PANEL - BOTTOM, top + TOP

    def y(nanos: float) -> float:
        return floor_y - (log10(nanos) - low) / (high - low) * (floor_y - ceiling_y)

    parts = [_text(LEFT, top + 22, panel.title, "start", 'font-weight="600"')]
    for power in range(low, high + 1):
        at = y(10.0**power)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}" stroke="{GRID}"/>')
        parts.append(_text(LEFT - 8, at + 4, time_text(10.0**power), "end"))
    step = (WIDTH - LEFT - RIGHT) / len(panel.points)
    for index, point in enumerate(panel.points):
        x = LEFT + step * (index + 0.5)
        parts += _cell(point, x, y)
        parts += _label(point.label, x, floor_y + 18)
    return parts


def _cell(point: Point, x: float, y: Callable[[float], float]) -> list[str]:
    parts = []
    if point.memory:
        parts.append(_dash(x, y(point.memory)))
    if point.peer:
        ours, theirs = y(point.libdv), y(point.peer)
        parts.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{ours:.1f}" y2="{theirs:.1f}" stroke="{INK}" stroke-width="1"/>'
        )
        parts.append(_ring(x, theirs))
        ratio = point.peer / point.libdv
        parts.append(_text(x, min(ours, theirs) - 10, f"{ratio:.1f}x" if ratio < 99.5 else f"{ratio:.0f}x", "middle"))
    else:
        parts.append(_text(x, y(point.libdv) - 10, time_text(point.libdv), "middle"))
    parts.append(_dot(x, y(point.libdv)))
    return parts


def _label(label: str, x: float, y: float) -> list[str]:
    """The name of a cell, in two lines where it has a comma."""
    lines = enumerate(label.split(",", 1))
    return [_text(x, y + 14 * line, text.strip(), "middle", 'font-size="11"') for line, text in lines]


def _text(x: float, y: float, text: str, anchor: str, style: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {style}>{escape(text)}</text>'


def _dot(x: float, y: float) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{LIBDV}"/>'


def _ring(x: float, y: float) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="#ffffff" stroke="{PEER}" stroke-width="2"/>'


def _dash(x: float, y: float) -> str:
    return f'<line x1="{x - 9:.1f}" x2="{x + 9:.1f}" y1="{y:.1f}" y2="{y:.1f}" stroke="{MEMORY}" stroke-width="3"/>'
