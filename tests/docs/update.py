"""Puts the examples' parts into the documents that show them: `make update-docs`."""

from __future__ import annotations

import re

from markdown import DOCUMENTS, ROOT, part


def renewed(match: re.Match[str]) -> str:
    """A block with the parts that its comment names."""
    file, labels = match["origin"].split(": ")
    shown = "\n".join(part(ROOT / file, label) for label in labels.split(", "))
    return f"<!-- {match['origin']} -->\n```{match['language']}\n{shown}```"


def main() -> None:
    """Renew every document."""
    for path in DOCUMENTS:
        text = path.read_text()
        new = re.sub(
            r"<!-- (?P<origin>examples/[^>]*?) -->\n^```(?P<language>\w+)\n.*?^```$", renewed, text, flags=re.M | re.S
        )
        if new != text:
            path.write_text(new)
            print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
