"""The checksums of a campaign's files: ``SHA256SUMS``, as ``sha256sum`` has it.

A line is a sha256, two spaces (or a space and ``*``) and a path below the campaign's
folder. A name with a backslash or a line break would have to be escaped; no raw file
has one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from analysis.errors import Issue, Place, raise_if
from analysis.files.limits import DECLARATION_BYTES
from analysis.files.text_file import read_text

SUMS_FILE = "SHA256SUMS"
RECORD = "run 'python -m analysis checksums {folder}'"
_LINE = re.compile(r"([0-9a-fA-F]{64}) [ *](.+)")
_SKIPPED = re.compile(r"\s*(#.*)?")


@dataclass(frozen=True)
class Checksums:
    """The sha256 of each file, and the line that tells it."""

    files: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)


def read_checksums(folder: Path) -> Checksums:
    """The checksums beside a campaign; a :class:`UserError` carries all mistakes."""
    found, issues = parse_checksums(folder)
    raise_if(issues)
    return found


def parse_checksums(folder: Path) -> tuple[Checksums, list[Issue]]:
    """What the lines tell that can be read, and what is wrong with the others."""
    path, record = folder / SUMS_FILE, RECORD.format(folder=folder)
    missing = ("this file is missing", record)
    text = read_text(path, missing, DECLARATION_BYTES, "DECLARATION_BYTES")
    found, issues = Checksums(), []
    for number, line in enumerate(text.split("\n"), 1):
        if wrong := _wrong(line, found, record):
            issues.append(Issue(wrong[0], Place(str(path), number), wrong[1]))
        elif told := _LINE.fullmatch(line):
            found.files[told[2]] = told[1].lower()
            found.lines[told[2]] = number
    return found, issues


def tells_exactly(folder: Path, files: Mapping[str, str]) -> bool:
    """Whether the checksums beside a campaign are those of these files, each in one
    line, and of no others: there is nothing to say of them then."""
    text = read_text(folder / SUMS_FILE, limit=DECLARATION_BYTES)
    lines = text.rstrip("\n").split("\n")
    told = {f"{sha256}  {name}" for name, sha256 in files.items()}
    return len(lines) == len(told) and told.issuperset(lines)


def _wrong(line: str, found: Checksums, record: str) -> tuple[str, str] | None:
    """What is wrong with a line, and how to mend it."""
    if told := _LINE.fullmatch(line):
        if told[2] not in found.lines:
            return None
        what = f"{told[2]!r} is listed twice, first in line {found.lines[told[2]]}"
        return what, "remove one of them"
    if line.startswith("\\"):
        what = "the name of this file is escaped: it has a backslash or a line break"
        return what, f"rename the file, then {record}"
    if _SKIPPED.fullmatch(line):
        return None
    return "this is no sha256 with the name of a file", record


def checksums_text(files: Mapping[str, str]) -> str:
    """The text of ``SHA256SUMS``: a line a file, sorted by name."""
    return "".join(f"{sha256}  {name}\n" for name, sha256 in sorted(files.items()))
