#!/usr/bin/env python3
"""Check that every list of libdv's functions is the same: the header, the library's exports, each binding's table.

usage: parity.py LIBRARY     exits 1 where a list has a name that the header does not declare, or lacks one
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parent.parent


def header() -> set[str]:
    """The functions that include/dv.h declares."""
    text = (ROOT / "include" / "dv.h").read_text()
    text = re.sub(r"/\*.*?\*/|^#.*?$", "", text, flags=re.S | re.M)
    return set(re.findall(r"\bDV_API\b[^;(]*?(\w+)\s*\(", text))


def exports(library: str) -> set[str]:
    """What the library exports, of whatever kind: nothing else may be visible."""
    run = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True)
    return {line.split()[-1].split("@")[0] for line in run.stdout.splitlines()}


def binding(path: str, calls: str) -> set[str]:
    """The functions in the table of a binding: the first argument of the calls that fill it."""
    return set(re.findall(rf'\b(?:{calls})"(\w+)"', (ROOT / "bindings" / path).read_text()))


def main() -> int:
    declared = header()
    python, java = "python/src/libdv/_abi.py", "java/src/main/java/io/libdv/internal/Signatures.java"
    tables = {
        sys.argv[1]: exports(sys.argv[1]),
        python: binding(python, r"(?:_call|_free|Function)\("),
        java: binding(java, r"table\.put\(|(?:status|nothing)\(table, "),
    }
    wrong = [] if len(declared) > 50 else [f"include/dv.h: only {len(declared)} functions were found in it"]
    for name, table in tables.items():
        wrong += [f"{name}: lacks {f}" for f in sorted(declared - table)]
        wrong += [f"{name}: has {f}, which include/dv.h does not declare" for f in sorted(table - declared)]
    print("\n".join(wrong) or f"ok      parity: {len(declared)} functions in {len(tables) + 1} lists")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
