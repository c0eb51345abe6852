"""docs/formats.md says what becomes of every input that the manifest leaves open, and this is what becomes of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

import libdv
from libdv import DeletionVector, MumblingBitmap, PuffinFile
from markdown import ROOT, table

GOLDEN = ROOT / "testdata" / "golden"
FORMATS = ROOT / "docs" / "formats.md"
OPEN = [case for case in json.loads((GOLDEN / "manifest.json").read_bytes())["hostile"] if case["expected"] == "either"]
DECIDED = {row[0].strip("`"): row[1] for row in table(FORMATS, "## Where readers differ")}


def read(run: Any) -> None:
    """Read one input in the way that the manifest says."""
    data = (GOLDEN / run["file"]).read_bytes() if "file" in run else b""
    match run["kind"]:
        case "blob":
            DeletionVector.deserialize(data, run["card"])
        case "roaring64":
            DeletionVector.from_bitmap(data)
        case "delta":
            libdv.read_delta_record(data, run["offset"], run["size"], run["card"])
        case "inline":
            DeletionVector.from_delta_inline(run["text"], run["size"], run["card"])
        case "mumbling":
            MumblingBitmap(data).validate()
        case "puffin":
            with PuffinFile(data) as puffin:
                for index, blob in enumerate(puffin):
                    if blob.type == "deletion-vector-v1":
                        puffin.read(index)
        case kind:
            raise AssertionError(kind)


def test_every_open_case_is_decided() -> None:
    assert set(DECIDED) == {case["name"] for case in OPEN}


@pytest.mark.parametrize("case", OPEN, ids=lambda case: case["name"])
def test_the_decision_holds(case: Any) -> None:
    for run in case["runs"]:
        try:
            read(run)
            verdict = "read"
        except libdv.DvCorrupt:
            verdict = "corrupt"
        except libdv.DvUnsupported:
            verdict = "unsupported"
        assert verdict == DECIDED[case["name"]], run["kind"]
