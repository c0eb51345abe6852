"""The project's documents, as far as they can be checked: fenced blocks, links, tables."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted(
    path
    for pattern in (
        "*.md",
        "docs/*.md",
        "testdata/*.md",
        "testdata/*/*.md",
        "examples/*.md",
        "bench/*.md",
        "bindings/*/*.md",
        "tests/*/*.md",
    )
    for path in ROOT.glob(pattern)
)
FENCED = re.compile(
    r"(?:<!-- (?P<origin>[^>]*?) -->\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
CODE = {"c", "cpp", "java", "python", "rust", "go"}


def name(path: Path) -> str:
    """A document's path in the project: a test id."""
    return str(path.relative_to(ROOT))


class Block(NamedTuple):
    """A fenced block."""

    language: str
    text: str
    line: int
    origin: str
    """The comment right before it: the file and the parts that it shows."""


def blocks(path: Path) -> list[Block]:
    """The fenced blocks of a document."""
    found = []
    text = path.read_text()
    for match in FENCED.finditer(text):
        line = text.count("\n", 0, match.start("text"))
        found.append(Block(match["language"], match["text"], line, match["origin"] or ""))
    return found


def part(path: Path, label: str) -> str:
    """What stands in a source file between two comments that hold ``[label]`` alone."""
    marker = re.compile(rf"^[ \t]*(?:#|//|/\*)[ \t]*\[{re.escape(label)}\][ \t]*(?:\*/)?[ \t]*\n", re.M)
    pieces = marker.split(path.read_text())
    assert len(pieces) == 3, f"{path} has no part [{label}]"
    return textwrap.dedent(pieces[1]).strip("\n") + "\n"


def table(path: Path, heading: str) -> list[list[str]]:
    """The cells of the first table after a heading, without its head."""
    text = path.read_text()
    assert heading in text, f"{path} has no {heading!r}"
    rows: list[list[str]] = []
    for line in text.split(heading, 1)[1].splitlines():
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip().strip("|").split("|")])
        elif rows:
            break
    return rows[2:]
