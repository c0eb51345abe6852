#!/usr/bin/env python3
"""Turn testdata/golden/manifest.json into lines that a C program can read, tab-separated.

usage: manifest.py

A line is one vector that a real implementation wrote: kind, file, offset, size, cardinality, SHA-256 of its positions,
data file or inline text. -1 stands for what a vector does not have, "-" for a text that it does not have.
"""

import hashlib
import json
import pathlib
import struct

GOLDEN = pathlib.Path(__file__).parent.parent / "testdata" / "golden"


def digest(ranges: list[list[int]]) -> str:
    positions = [p for start, end in ranges for p in range(start, end)]
    return hashlib.sha256(struct.pack(f"<{len(positions)}Q", *positions)).hexdigest()


def golden(manifest: dict):
    for f in manifest["files"]:
        kind, file = f["format"], f["file"]
        if kind == "puffin":
            for b in f["blobs"]:
                if b["type"] != "deletion-vector-v1":
                    continue
                kind = "puffin-codec" if b["compression-codec"] else "puffin"
                if "cardinality" not in b["properties"]:
                    kind = "puffin-uncounted"
                name = b["properties"]["referenced-data-file"]
                yield kind, file, b["offset"], b["length"], b["cardinality"], b["positions_sha256"], name
        elif kind == "delta-dv-file":
            kind = "delta" if f["magic"] == "portable" else "delta-native"
            for d in f["dvs"]:
                yield kind, file, d["offset"], d["sizeInBytes"], d["cardinality"], d["positions_sha256"], "-"
        else:
            yield kind, file, -1, f["bytes"], f["cardinality"], f["positions_sha256"], "-"
    inline = json.loads((GOLDEN / "delta" / "inline.json").read_text())
    for v in inline["vectors"]:
        if "ranges" in v["positions"]:
            kind = "inline" if v["magic"] == "portable" else "inline-native"
            sha = digest(v["positions"]["ranges"])
            yield kind, "-", -1, v["sizeInBytes"], v["cardinality"], sha, v["pathOrInlineDv"]


if __name__ == "__main__":
    listed = json.loads((GOLDEN / "manifest.json").read_text())
    for line in golden(listed):
        print(*line, sep="\t")
