"""The vectors of testdata/golden, written by real implementations, and the broken ones."""

from __future__ import annotations

import functools
import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

ROOT = Path(__file__).resolve().parents[3]
GOLDEN = ROOT / "testdata" / "golden"
MANIFEST: dict[str, Any] = json.loads((GOLDEN / "manifest.json").read_bytes())


def files(file_format: str) -> list[Any]:
    """The manifest's files of one format."""
    return [entry for entry in MANIFEST["files"] if entry["format"] == file_format]


def hostile(kind: str) -> list[Any]:
    """``(case, run)`` of every broken input that is read in this way."""
    return [(case, run) for case in MANIFEST["hostile"] for run in case["runs"] if run["kind"] == kind]


def name(value: Any) -> str:
    """A test id for a manifest entry or a hostile pair."""
    if isinstance(value, tuple):
        return str(value[0]["name"])
    return str(value.get("file", value.get("label", value.get("set"))))


def data(entry: Any) -> bytes:
    """The bytes of an entry, checked against its hash."""
    content: bytes = (GOLDEN / entry["file"]).read_bytes()
    assert hashlib.sha256(content).hexdigest() == entry["sha256"]
    return content


@functools.lru_cache(maxsize=4)
def _ranges_file(path: str) -> Any:
    found = json.loads(gzip.decompress((GOLDEN / path).read_bytes()))
    return found["ranges"] if isinstance(found, dict) else found


def positions(entry: Any) -> npt.NDArray[np.int64]:
    """The positions of an entry, expanded from its ranges or made anew from its generator."""
    where = entry["positions"]
    if "ranges" in where:
        ranges = where["ranges"]
    elif "ranges_file" in where:
        ranges = _ranges_file(where["ranges_file"])
    else:
        raise AssertionError(f"unknown form of positions: {where}")
    parts = [np.arange(start, end, dtype=np.int64) for start, end in ranges]
    found = np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)
    assert hashlib.sha256(found.astype("<u8").tobytes()).hexdigest() == entry["positions_sha256"]
    return found
