"""``SHA256SUMS``, as ``sha256sum`` has it, of a campaign and of each result.

A line is a sha256, two spaces (or a space and ``*``) and a path below the folder. A
name with a backslash or a line break would have to be escaped; no raw file has one.

Who makes a folder of results writes the list in it last; who reads them compares. So a
result that was edited, half copied or taken from elsewhere is refused instead of
flowing into a report.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from analysis.errors import Issue, Place, not_built, raise_if, user_error
from analysis.files.atomic import write_text
from analysis.files.hashes import CACHE, file_hashes
from analysis.files.limits import DECLARATION_BYTES
from analysis.files.text_file import read_text

SUMS_FILE = "SHA256SUMS"
RECORD = "run 'python -m analysis checksums {folder}'"
_REMAKE = "remove this folder and run 'make report', which makes it again"
_LINE = re.compile(r"([0-9a-fA-F]{64}) [ *](.+)")
_SKIPPED = re.compile(r"\s*(#.*)?")


@dataclass(frozen=True)
class Checksums:
    """The sha256 of each file, and the line that tells it."""

    files: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)


def read_checksums(folder: Path) -> Checksums:
    """The checksums beside a campaign; a :class:`UserError` carries all mistakes."""
    sums, issues = parse_checksums(folder)
    raise_if(issues)
    return sums


def parse_checksums(folder: Path) -> tuple[Checksums, list[Issue]]:
    """What the lines tell that can be read, and what is wrong with the others."""
    path, record = folder / SUMS_FILE, RECORD.format(folder=folder)
    missing = ("this file is missing", record)
    text = read_text(path, missing, DECLARATION_BYTES, "DECLARATION_BYTES")
    sums, issues = Checksums(), []

    def note(number: int, what: str, mend: str = record) -> None:
        issues.append(Issue(what, Place(str(path), number), mend))

    for number, line in enumerate(text.split("\n"), 1):
        if entry := _LINE.fullmatch(line):
            sha256, name = entry.groups()
            if name in sums.lines:
                what = f"{name!r} is listed twice, first in line {sums.lines[name]}"
                note(number, what, "remove one of them")
            else:
                sums.files[name], sums.lines[name] = sha256.lower(), number
        elif line.startswith("\\"):
            what = (
                "the name of this file is escaped: it has a backslash or a line break"
            )
            note(number, what, f"rename the file, then {record}")
        elif not _SKIPPED.fullmatch(line):
            note(number, "this is no sha256 with the name of a file")
    return sums, issues


def checksums_text(files: Mapping[str, str]) -> str:
    """The text of ``SHA256SUMS``: a line a file, sorted by name."""
    return "".join(f"{sha256}  {name}\n" for name, sha256 in sorted(files.items()))


def seal(folder: Path) -> None:
    """Write the checksums of all files below ``folder``, sorted by name."""
    write_text(folder / SUMS_FILE, _sums(folder))


def check_sealed(folder: Path) -> None:
    """A :class:`UserError` where the files below ``folder`` are not those that were
    made; a :class:`NotBuiltError` where there is no such folder yet."""
    if not folder.is_dir():
        raise not_built("is not built yet", folder)
    try:
        written = (folder / SUMS_FILE).read_text("utf-8")
    except (OSError, ValueError):
        raise user_error(
            f"has no {SUMS_FILE}: not whole", folder, mend=_REMAKE
        ) from None
    if written != (now := _sums(folder)):
        changed = sorted(set(written.splitlines()) ^ set(now.splitlines()))
        name = changed[0].partition("  ")[2] if changed else SUMS_FILE
        what = "is not what was made: edited, half copied or of another build"
        raise user_error(what, folder / name, mend=_REMAKE)


def _sums(folder: Path) -> str:
    # Snakemake lays a hidden file into folders that its rules make.
    files = [p for p in folder.rglob("[!.]*") if p.is_file() and p.name != SUMS_FILE]
    hashes = file_hashes(files, f"made/{folder.parent.name}-{folder.name}", CACHE)
    named = {Path(p).relative_to(folder).as_posix(): sha for p, sha in hashes.items()}
    return checksums_text(named)
