"""What Pandoc makes of a reviewed text, where patterns cannot tell.

The checks leave out code and comments. What looks like code may be none: a fence
within a note, a backtick within an address. Where such code holds what is refused
elsewhere, Pandoc says what it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from analysis.child import run_child
from analysis.errors import Issue
from analysis.report.pandoc_program import READER, pandoc_program
from analysis.report.prose import CLASSES

_CLASS = re.compile(CLASSES)
_ANCHOR = re.compile(r"(?:(?:sec|tbl)-[\w:.-]+)?")
_PLACE = re.compile(r"https?://|mailto:|#")
_OWN = {"uri", "email"}  # Pandoc's, of an address that is its own text
_ATTRIBUTES = {"Span": 0, "Div": 0, "Header": 1, "Link": 0, "Table": 0}
# What is raw in other readers shall be found in code that is none as well.
_READER = READER.replace("-raw", "+raw").replace("-tex", "+tex")
_NEVER = {"RawBlock", "RawInline", "Math", "Image", "Figure"}


def check_tree(text: str, doubt: Issue) -> list[Issue]:
    """Issues of a text as Pandoc reads it; ``doubt`` is where it may not be code.

    The text has its expressions replaced already.
    """
    command = [pandoc_program(), f"--from={_READER}", "--to=json"]
    done = run_child(command, Path.cwd(), text.encode())
    if done.code != 0:
        said = done.errors.decode("utf-8", "replace").strip()
        return [Issue(f"Pandoc cannot read the text: {said}", doubt.where)]
    tree = json.loads(done.output)
    found = ["metadata"] if tree["meta"] else []
    found += dict.fromkeys(_unfit(tree["blocks"]))
    mend = "put a blank line before and after code, and no ` into names and addresses"
    return [
        Issue(f"what is not code to Pandoc: {what}", doubt.where, mend)
        for what in found
    ]


def _unfit(tree: Any) -> Iterator[str]:
    """What a text may not hold, in the order of the tree."""
    waiting = [tree]
    while waiting:
        part = waiting.pop()
        if isinstance(part, list):
            waiting += reversed(part)
        elif isinstance(part, dict):
            kind, content = str(part.get("t")), part.get("c", [])
            if kind in _NEVER:
                yield f"a part of the kind {kind}"
            elif kind in _ATTRIBUTES:
                yield from _attributes(kind, *content[_ATTRIBUTES[kind]])
            if kind == "Link" and not _PLACE.match(content[2][0]):
                yield f"a link to {content[2][0][:40]}"
            if kind == "Header" and content[0] == 1:
                yield "a heading of the first level"
            waiting.append(content)


def _attributes(
    kind: str, anchor: str, classes: list[str], named: list[list[str]]
) -> Iterator[str]:
    yield from (f"the attribute {name[:40]}" for name, _ in named)
    if kind != "Header" and not _ANCHOR.fullmatch(anchor):
        yield f"the anchor #{anchor[:40]}"
    for name in classes:
        if not _CLASS.fullmatch(name) and not (kind == "Link" and name in _OWN):
            yield f"the class {name[:40]}"
