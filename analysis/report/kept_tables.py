"""The long tables of the appendices, in the rendered form that they had last time.

They are half of a large document and follow from the facts alone, so that an edited
sentence leaves them as they are. The engine renders the document with a mark in the
place of each, and puts the tables back into what comes out.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

_PART = re.compile(
    r"^## [^\n]*\{#sec-(?:appendix|expressions)-[\w-]+\}\n(.*?)(?=^#|^:::::|\Z)",
    re.DOTALL | re.MULTILINE,
)
_REFERS = re.compile(r"@|\[\^|!\[")
_TABLE = re.compile(r"\{#(tbl-[\w-]+)")
_MARK = re.compile(r"(?:<p>)?kept-table-(\d+)-here(?:</p>)?")
_HEAD = re.compile(
    r'<h2[^>]*\bid="kept-table-\d+"[^>]*>x</h2>\n?|^= x\n<kept-table-\d+>\n?',
    re.MULTILINE,
)


@dataclass(frozen=True)
class Split:
    """A document's text without its long tables, these, and what each is called.

    ``labels`` holds ‘Table 12’ for the id of each table that was taken out.
    """

    text: str
    parts: tuple[str, ...] = ()
    labels: Mapping[str, str] | None = None

    def alone(self) -> str:
        """The tables as a document of their own, each below a heading."""
        return "\n\n".join(
            f"# x {{#kept-table-{number}}}\n\n{part}"
            for number, part in enumerate(self.parts)
        )


def split_tables(text: str) -> Split:
    """Take the long tables out, where nothing in them refers to another part.

    Tables are numbered through the document. So where another numbered table follows
    a long one, all stay in.
    """
    found = [m for m in _PART.finditer(text) if m[1].strip()]
    taken = [m for m in found if not _REFERS.search(m[1])]
    pieces, end = [], 0
    for number, match in enumerate(taken):
        pieces += [text[end : match.start(1)], f"\nkept-table-{number}-here\n\n"]
        end = match.end(1)
    rest = "".join([*pieces[2:], text[end:]])
    if not taken or _TABLE.search(rest):
        return Split(text)
    parts = tuple(match[1] for match in taken)
    first = len(_TABLE.findall(pieces[0])) + 1
    ids = [id for part in parts for id in _TABLE.findall(part)]
    labels = {id: f"Table\u00a0{number}" for number, id in enumerate(ids, first)}
    return Split("".join([*pieces, text[end:]]), parts, labels)


def put_back(rendered: str, parts: Iterable[str]) -> str:
    """The rendered document with its rendered tables in the place of their marks."""
    known = list(parts)
    return _MARK.sub(lambda mark: known[int(mark[1])].strip("\n"), rendered)


def kept_file(document: Path, option: str) -> Path:
    """Where the tables of a document folder are kept, for Pandoc's ``--to`` option."""
    name = f"{option.removeprefix('--to=')}.json"
    return document.with_name(f".{document.name}.kept") / name


def rendered_tables(
    split: Split, rests_on: Iterable[bytes], file: Path, render: Callable[[], str]
) -> list[str]:
    """Each table as ``render`` gives it, or as ``file`` has it from the last time.

    ``render`` renders :meth:`Split.alone`; ``rests_on`` is all else that its result
    depends on.
    """
    digest = hashlib.sha256(json.dumps([split.parts, split.labels]).encode())
    for content in rests_on:
        digest.update(hashlib.sha256(content).digest())
    key = digest.hexdigest()
    parts = _read(file, key)
    if parts is None:
        parts = _HEAD.split(render())[1:]
        _write(file, {"key": key, "parts": parts})
    return parts


def _read(file: Path, key: str) -> list[str] | None:
    """What is kept under a key; nothing where it is absent, damaged or another's."""
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
        return kept["parts"] if kept["key"] == key else None
    except (OSError, ValueError, LookupError, TypeError):
        return None


def _write(file: Path, kept: Mapping[str, object]) -> None:
    """In one step; a preview may write the same file at the same time."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=file.parent, delete=False) as draft:
        json.dump(kept, draft)
    os.replace(draft.name, file)
