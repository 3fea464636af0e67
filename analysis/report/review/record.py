"""``review.yaml``: one file a study, written by the approval, readable by people.

One entry a line and sorted, so that version control merges it and shows what moved.
The first three entries may be written by hand from what the draft shows; ``seen``
lets a stale approval say what moved.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import Field

from analysis.declared.base import Declared, read_declared
from analysis.declared.mistakes import form
from analysis.files.atomic import write_text
from analysis.report.review.seen import Seen

RECORD = "review.yaml"
_HEAD = "# What was approved. Written by: python -m analysis review approve\n"
_STAMP = form(
    r"^[0-9a-f]{8}(-[0-9a-f]{8}){3}$",
    "nothing by hand here: run 'python -m analysis review approve' again",
)
Stamp = Annotated[str, Field(pattern=_STAMP)]


class SeenParts(Declared):
    """The parts of :class:`analysis.report.review.seen.Seen`, as YAML has them."""

    text: dict[str, str] = Field(default_factory=dict)
    values: dict[str, str] = Field(default_factory=dict)
    claims: dict[str, str] = Field(default_factory=dict)
    figures: dict[str, str] = Field(default_factory=dict)


class Record(Declared):
    """An approval: by whom, on which day, of what."""

    by: Annotated[str, Field(min_length=1)]
    date: dt.date
    stamp: Stamp
    seen: SeenParts | None = None

    def details(self) -> Seen | None:
        """What was seen, where the record says so and it fits its stamp."""
        if self.seen is None:
            return None
        found = Seen(**self.seen.model_dump())
        return found if found.stamp == self.stamp else None


def read_record(folder: Path) -> Record | None:
    """The approval of the study in ``folder``, None where there is none."""
    path = folder / RECORD
    return read_declared(path, Record) if path.is_file() else None


def write_record(folder: Path, by: str, date: dt.date, seen: Seen) -> Path:
    """Write the approval of what was seen; returns its file."""
    data = {"by": by, "date": date, "stamp": seen.stamp, "seen": asdict(seen)}
    text = yaml.safe_dump(data, allow_unicode=True, width=10_000, sort_keys=True)
    path = folder / RECORD
    write_text(path, _HEAD + text)
    return path
