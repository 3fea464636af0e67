"""The bibliography of an edition: BibTeX whose entries are plain words.

Pandoc reads its fields as LaTeX, and links what stands in ``url`` and ``doi``: what
is more than accents and emphasis is refused with its line before it gets there. Which
keys there are is for Pandoc to say; it is asked once of the same words.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice, pairwise
from pathlib import Path

from analysis.errors import Issue, Place, raise_if, user_error
from analysis.files.atomic import whole_file
from analysis.files.hashes import CACHE
from analysis.files.limits import BIBLIOGRAPHY_BRACES
from analysis.files.text_file import read_text
from analysis.programs.child import pandoc_program, run_child

_ENTRY = re.compile(r"^[ \t]*@(\w+)\s*\{\s*([^,\s{}]+)", re.MULTILINE)
_ACCENTS = (
    r"[cvHukrdbtoOlLij]|ss|ae|AE|oe|OE|aa|AA|emph|textit|textbf|textsc|textendash"
)
_COMMAND = re.compile(rf"\\(?!(?:{_ACCENTS})(?![A-Za-z]))[A-Za-z]+")
_MATHS = re.compile(r"(?<!\\)\$")
_ADDRESS = re.compile(
    r"(?<![\w-])url\s*=(?!\s*(?:\{https?://[^\s{}\\\"]+\}|\"https?://[^\s{}\\\"]+\"))",
    re.IGNORECASE,
)
_DOI = re.compile(
    r"(?<![\w-])doi\s*=(?!\s*(?:\{10\.[^\s{}\\\"]+\}|\"10\.[^\s{}\\\"]+\"))",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"^\s*@(?:string|preamble|comment)\b|(?<![\w-])(?:crossref|xdata)\s*=",
    re.IGNORECASE | re.MULTILINE,
)
_REFUSED = (
    (_COMMAND, "a command of LaTeX", "write the characters themselves"),
    (_MATHS, "an equation", "write the characters themselves, or \\$"),
    (_ADDRESS, "no web address", "write url = {https://…}"),
    (_DOI, "no DOI", "write doi = {10.…}"),
    (_OTHER, "what is no entry of its own", "write all fields of each entry"),
)
_TOLD = 10
_FAILED = re.compile(r"\(line (\d+), column \d+\):\s*(.*)")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)


def bibliography_keys(path: Path, cache: Path = CACHE) -> list[str]:
    """The keys of a BibTeX file; a :class:`UserError` where it is not a plain one."""
    text = read_text(path, ("this bibliography is missing", "write it"))
    raise_if([*_words(text, path), *_braces(text, path)][:_TOLD])
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    kept = cache / "references" / f"{digest}.json"
    with suppress(OSError, ValueError):
        return [str(key) for key in json.loads(kept.read_text(encoding="utf-8"))]
    keys = _pandoc_keys(text, path)
    raise_if(_twice(text, path, keys))
    with suppress(OSError), whole_file(kept, rivals=True) as draft:
        draft.write_text(json.dumps(keys), encoding="utf-8")
    return keys


def _pandoc_keys(text: str, path: Path) -> list[str]:
    command = [pandoc_program(), "--sandbox", "--from=bibtex", "--to=csljson"]
    done = run_child(command, Path.cwd(), text.encode())
    if done.code == 0:
        return [entry["id"] for entry in json.loads(done.output)]
    said = done.errors.decode("utf-8", "replace")
    found = _FAILED.search(said)
    line, what = (int(found[1]), found[2]) if found else (1, said.strip())
    what = f"Pandoc cannot read the references: {what}"
    mend = "separate fields with commas, and give each entry a key"
    raise user_error(what, path, line, mend=mend)


def bibliography_entries(path: Path) -> dict[str, str]:
    """The entries of a BibTeX file by their keys, each on one line."""
    text = read_text(path, ("this bibliography is missing", "write it"))
    return {
        found[2]: " ".join(text[found.start() : _end(text, found.start())].split())
        for found in _ENTRY.finditer(text)
    }


def _end(text: str, start: int) -> int:
    """Where all braces of an entry are closed; the text's end where they never are."""
    depth = 0
    for brace in _BRACE.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(brace[0], 0)
        if depth == 0 and brace[0] == "}":
            return brace.end()
    return len(text)


def _words(text: str, path: Path) -> Iterator[Issue]:
    for pattern, what, mend in _REFUSED:
        for found in islice(pattern.finditer(text), _TOLD):
            place = Place(str(path), text.count("\n", 0, found.start()) + 1)
            yield Issue(f"{what} in a reference: {found[0].strip()!r}", place, mend)


def _twice(text: str, path: Path, keys: list[str]) -> list[Issue]:
    """Keys that several entries have: nobody could tell which one is cited."""
    found = []
    for key in sorted({key for key in keys if keys.count(key) > 1}):
        lines = [
            text.count("\n", 0, entry.start()) + 1
            for entry in _ENTRY.finditer(text)
            if entry[2] == key
        ]
        place = Place(str(path), lines[-1] if lines else None)
        what = f"{len(lines) or 'several'} references have the key {key!r}"
        found.append(Issue(what, place, "give each its own key"))
    return found


def _braces(text: str, path: Path) -> Iterator[Issue]:
    """The first entry whose braces do not match, or are nested too deeply."""
    heads = [found.start() for found in _ENTRY.finditer(text)]
    for start, end in pairwise([*heads, len(text)]):
        depth, most = 0, 0
        for brace in _BRACE.finditer(text, start, end):
            depth += {"{": 1, "}": -1}.get(brace[0], 0)
            most = max(most, depth)
            if depth == 0 and brace[0] == "}":
                break
        place = Place(str(path), text.count("\n", 0, start) + 1)
        if depth:
            yield Issue("a reference has no end", place, "close all its braces")
            return
        if most > BIBLIOGRAPHY_BRACES:
            limit = f"{BIBLIOGRAPHY_BRACES} are read (BIBLIOGRAPHY_BRACES)"
            what = f"a reference with {most} braces within each other; at most {limit}"
            yield Issue(what, place, "remove some")
            return
