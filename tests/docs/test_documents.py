"""What the documents show and point at is there, and the code that they show is code that runs."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from markdown import CODE, DOCUMENTS, ROOT, blocks, name, part

if TYPE_CHECKING:
    from pathlib import Path

PYTHON_README = ROOT / "bindings" / "python" / "README.md"
"""It goes into the wheel: its code is no part of an example, but a program of its own."""

every_document = pytest.mark.parametrize("path", DOCUMENTS, ids=name)


@every_document
def test_code_is_a_part_of_an_example_that_runs(path: Path) -> None:
    for block in blocks(path):
        if block.language not in CODE or path == PYTHON_README:
            continue
        assert block.origin, f"line {block.line}: code without the name of the file that it is from"
        file, labels = block.origin.split(": ")
        assert file.startswith("examples/")
        shown = "\n".join(part(ROOT / file, label) for label in labels.split(", "))
        assert block.text == shown, f"line {block.line}: not as in {file}"


def test_the_code_of_the_python_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table").mkdir()  # where its Delta table is
    code = "\n".join(block.text for block in blocks(PYTHON_README) if block.language == "python")
    names: dict[str, object] = {}
    exec(code, names)
    assert names["mask"].to_pylist() == [row not in {3, 5, 8} for row in range(10)]  # type: ignore[attr-defined]


@every_document
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", path.read_text()):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        where = (path.parent / file).resolve() if file else path
        assert where.exists(), target
        assert where.is_relative_to(ROOT), target
        if anchor:
            headings = re.findall(r"^#+ (.*)$", where.read_text(), re.MULTILINE)
            assert anchor in {anchor_of(heading) for heading in headings}


def anchor_of(heading: str) -> str:
    """What a link to a heading says."""
    return re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-")


MAKEFILES = (ROOT / "Makefile", *ROOT.glob("make/*.mk"), ROOT / "capi" / "build.mk", *ROOT.glob("tests/*.mk"))
TARGETS = {
    target
    for makefile in MAKEFILES
    for line in re.findall(r"^([a-z][a-z -]*):(?!=)", makefile.read_text(), re.MULTILINE)
    for target in line.split()
}


@every_document
def test_the_commands_exist(path: Path) -> None:
    text = path.read_text()
    shown = "\n".join(block.text for block in blocks(path) if block.language == "sh")
    named = re.findall(r"`make ([a-z][a-z-]*)", text) + re.findall(r"^make ([a-z][a-z-]*)", shown, re.MULTILINE)
    assert set(named) <= TARGETS


NAMED = re.compile(r"`((?:bindings|capi|docs|examples|include|internal|make|testdata|tests|tools|bench)/[\w./-]*)`")


@every_document
def test_named_files_exist(path: Path) -> None:
    for named in NAMED.findall(path.read_text()):
        if "/target/" in named:  # made by `make jar`
            continue
        assert (ROOT / named).exists() or (path.parent / named).exists(), named


def test_the_inspection_shown_is_what_the_example_prints() -> None:
    [shown] = [block.text for block in blocks(ROOT / "docs" / "inspect.md") if block.language == "json"]
    assert json.loads(shown) == json.loads((ROOT / "examples" / "inspection" / "expected.txt").read_bytes())
