"""``review.yaml``: one file a study, written by the approval, readable by people.

One entry a line and sorted, so that version control merges it and shows what moved.
Approvals have ``seen`` and a checksum, so that a stale one can say what moved, from
what to what. One that somebody wrote at a Git host has ``by``, ``date`` and ``stamp``.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import Field

from analysis.declared.base import Declared, check_declared, line_of, load_yaml
from analysis.declared.edition import Line
from analysis.declared.mistakes import form
from analysis.errors import Issue, Place, UserError
from analysis.report.review.snapshot import CONTENT, Snapshot
from analysis.report.review.spelling import Corrections, corrections

RECORD, LOOK_RECORD = "review.yaml", "looks.yaml"
_HEAD = "# What was approved. Written by: python -m analysis review approve\n"
_STAMP = form(
    r"^[0-9a-f]{8}(-[0-9a-f]{8}){5,6}$",
    "nothing by hand here: run 'python -m analysis review approve' again",
)
Stamp = Annotated[str, Field(pattern=_STAMP)]
_DIGITS = 16
_BACK = "take the file back from version control"


class Approval(Declared):
    """Who approved, and on which day."""

    by: Line
    date: dt.date


class Record(Approval):
    """An approval: by whom, on which day, of what; ``also`` approved the very same.

    ``sum`` is the checksum of all that, as the terminal writes it.
    """

    stamp: Stamp
    also: tuple[Approval, ...] = ()
    seen: Snapshot | None = None
    sum: str | None = None

    @property
    def approvals(self) -> tuple[Approval, ...]:
        """All who approved it, the first one first."""
        return (Approval(by=self.by, date=self.date), *self.also)

    @property
    def hashes(self) -> list[str]:
        """The hashes of its stamp."""
        return self.stamp.split("-")

    def covers(self, now: Snapshot) -> bool:
        """Whether it is of what there is to see now, whatever the look.

        A correction of spelling that moves nothing else is the same to see.
        """
        return self.respelt(now) is not None

    def respelt(self, now: Snapshot) -> Corrections | None:
        """Words whose spelling was corrected since; None where something moved."""
        if self.hashes[:CONTENT] == now.hashes[:CONTENT]:
            return []
        if self.hashes[1:CONTENT] != now.hashes[1:CONTENT]:
            return None
        then = self.details()
        return corrections(then.text, now.text) if then else None

    def details(self) -> Snapshot | None:
        """What was seen, where the record says so and it fits its stamp."""
        fits = self.seen and self.seen.stamp.startswith(self.stamp)
        return self.seen if fits else None

    @property
    def checksum(self) -> str:
        """The checksum that it should have."""
        names = [[one.by, one.date.isoformat()] for one in self.approvals]
        content = json.dumps([names, self.stamp], ensure_ascii=False)
        return hashlib.sha256(content.encode()).hexdigest()[:_DIGITS]


def read_record(folder: Path, file: str = RECORD) -> Record | None:
    """The approval of the study in ``folder``, None where there is none.

    A :class:`UserError` names the line of what was changed by hand or damaged.
    """
    path = folder / file
    if not path.exists():
        return None
    look = " --look" if file == LOOK_RECORD else ""
    mend = f"{_BACK}, or remove it and run {approve_command(folder.name + look)}"
    try:
        data, node = load_yaml(path)
        record = check_declared(data, node, Record, path)
    except UserError as error:  # as where a merge left both sides in the file
        mends = (f"{i.mend}; or {mend}" if i.mend else mend for i in error.issues)
        pairs = zip(error.issues, mends, strict=True)
        raise UserError([Issue(i.what, i.where, m) for i, m in pairs]) from None
    for entry, what in _doubts(record):
        place = Place(str(path), line_of(node, (entry,)))
        raise UserError([Issue(what, place, mend)])
    return record


def _doubts(record: Record) -> Iterator[tuple[str, str]]:
    """Entries that were edited after the approval, and what is wrong with them."""
    # The day to come in the zone that is farthest on: nowhere is it later.
    tomorrow = (dt.datetime.now(dt.UTC) + dt.timedelta(hours=14)).date()
    if record.date > tomorrow:
        yield "date", f"an approval of a day to come: {record.date}"
    if record.seen and record.details() is None:
        yield "seen", "what was seen does not fit its stamp: one of them was edited"
    if (record.seen or record.sum is not None) and record.sum != record.checksum:
        what = "who approved, when and what do not fit their checksum: one was edited"
        yield "by" if record.sum is None else "sum", what


def approve_command(study: str) -> str:
    """How one approves a study in a terminal."""
    return f"'python -m analysis review approve {study}'"


def record_text(approvals: tuple[Approval, ...], stamp: str, now: Snapshot) -> str:
    """What a record's file says of who approved what was seen."""
    first, *others = approvals
    made = Record(by=first.by, date=first.date, stamp=stamp, also=tuple(others))
    data = {"by": first.by, "date": first.date, "stamp": stamp, "seen": now.parts}
    data |= {"also": [vars(one) for one in others]} if others else {}
    data["sum"] = made.checksum
    text = yaml.safe_dump(data, allow_unicode=True, width=math.inf, sort_keys=True)
    return _HEAD + text
