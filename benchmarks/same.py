"""Do two builds say the same? ``python -m benchmarks.same BEFORE AFTER``.

Both are projects with built reports. Compared are the facts, entry by entry, and what
a reader sees of each edition's page, block by block. Every difference is printed, and
the exit code is 1 if there is one. ``diff`` compares two releases for people; this one
holds a change of the program against the promise that it changes nothing.
"""

from __future__ import annotations

import argparse
import difflib
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from lxml import html

FACTS = Path("data", "build", "facts.json")
PAGES = Path("report", "build")
SHOWN = 60  # characters of a value
_SILENT = ("script", "style", "svg", "metadata")
_BLOCKS = {"p", "li", "td", "th", "h1", "h2", "h3", "h4", "h5", "figcaption", "caption"}
_BLOCKS |= {"dt", "dd", "summary", "pre", "title"}


def main() -> int:
    """Print every difference; 1 if there is any."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("before", type=Path, help="a project with built reports")
    parser.add_argument("after", type=Path, help="the project to hold against it")
    args = parser.parse_args()
    differences = list(compare(args.before, args.after))
    print(*differences, sep="\n")
    print(f"{len(differences)} differences")
    return int(bool(differences))


def compare(before: Path, after: Path) -> Iterator[str]:
    """A line for every difference between the facts and the pages of two projects."""
    yield from compare_facts(facts(before / FACTS), facts(after / FACTS))
    editions = {
        page.parent.name
        for project in (before, after)
        for page in (project / PAGES).glob("*/index.html")
    }
    for edition in sorted(editions):
        page = PAGES / edition / "index.html"
        old, new = visible(before / page), visible(after / page)
        changes = difflib.unified_diff(old, new, lineterm="", n=0)
        lines = [line for line in changes if line[:3] not in ("---", "+++")]
        yield from (f"{edition}: {line}" for line in lines if line[:2] != "@@")


def facts(file: Path) -> dict[str, dict[str, Any]]:
    """The facts of a build by edition and key; none where the file is absent."""
    if not file.exists():
        return {}
    listed = json.loads(file.read_bytes())["facts"]
    return {f"{fact['edition']} {fact['key']}": fact for fact in listed}


def compare_facts(
    before: dict[str, dict[str, Any]], after: dict[str, dict[str, Any]]
) -> Iterator[str]:
    """A line for each fact that came or went, and for each entry that changed."""
    yield from (f"fact gone: {key}" for key in sorted(before.keys() - after.keys()))
    yield from (f"fact new: {key}" for key in sorted(after.keys() - before.keys()))
    for key in sorted(before.keys() & after.keys()):
        for entry in sorted(before[key].keys() | after[key].keys()):
            old, new = before[key].get(entry), after[key].get(entry)
            if old != new:
                yield f"fact {key}: {entry}: {_short(old)} → {_short(new)}"


def visible(page: Path) -> list[str]:
    """What a reader sees of a page, a line for each block; nothing if it is absent."""
    if not page.exists():
        return []
    body = html.parse(str(page), html.HTMLParser(encoding="utf-8", huge_tree=True))
    root = body.getroot()
    for part in list(root.iter(*_SILENT)):
        part.drop_tree()
    return [text for text in _texts(root.iter()) if text]


def _texts(parts: Iterable[html.HtmlElement]) -> Iterator[str]:
    for part in parts:
        if part.tag in _BLOCKS:
            yield " ".join(part.text_content().split())


def _short(value: object) -> str:
    said = json.dumps(value, ensure_ascii=False)
    return said if len(said) <= SHOWN else f"{said[:SHOWN]}…"


if __name__ == "__main__":
    sys.exit(main())
