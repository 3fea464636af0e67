"""``review.yaml``: one file a study, written by the approval, readable by people.

One entry a line and sorted, so that version control merges it and shows what moved.
An approval that was made in the browser has ``by``, ``date``, ``stamp`` and ``packed``,
as the draft shows them; one that was made in a terminal has ``seen`` for ``packed`` and
a checksum. Either way a stale approval can say what moved, from what to what.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import json
import math
import zlib
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import Field, TypeAdapter

from analysis.declared.base import Declared, check_declared, line_of, load_yaml
from analysis.declared.edition import Line
from analysis.declared.mistakes import form
from analysis.errors import Issue, Place, UserError, raise_if
from analysis.files.limits import DECLARATION_BYTES
from analysis.report.review.seen import CONTENT, PARTS, Seen

RECORD, LOOKS = "review.yaml", "looks.yaml"
_HEAD = "# What was approved. Written by: python -m analysis review approve\n"
_STAMP = form(
    r"^[0-9a-f]{8}(-[0-9a-f]{8}){3,6}$",
    "nothing by hand here: run 'python -m analysis review approve' again",
)
Stamp = Annotated[str, Field(pattern=_STAMP)]
_DIGITS = 16
_BACK = "take the file back from version control"
_PARTS = TypeAdapter(dict[str, dict[str, str]])


class SeenParts(Declared):
    """The parts of :class:`analysis.report.review.seen.Seen`, as YAML has them."""

    text: dict[str, str] = Field(default_factory=dict)
    values: dict[str, str] = Field(default_factory=dict)
    claims: dict[str, str] = Field(default_factory=dict)
    figures: dict[str, str] = Field(default_factory=dict)
    meaning: dict[str, str] = Field(default_factory=dict)
    drawings: dict[str, str] = Field(default_factory=dict)
    looks: dict[str, str] = Field(default_factory=dict)


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
    seen: SeenParts | None = None
    packed: str | tuple[str, ...] = ""
    sum: str | None = None

    @property
    def approvals(self) -> tuple[Approval, ...]:
        """All who approved it, the first one first."""
        return (Approval(by=self.by, date=self.date), *self.also)

    @property
    def earlier(self) -> bool:
        """Whether it is of a version whose stamps covered less."""
        return len(self.hashes) < CONTENT

    @property
    def hashes(self) -> list[str]:
        """The hashes of its stamp; one of an earlier version has none of the look."""
        return self.stamp.split("-")

    def covers(self, now: Seen) -> bool:
        """Whether it is of what there is to see now, whatever the look."""
        return self.hashes[:CONTENT] == now.hashes[:CONTENT]

    def details(self) -> Seen | None:
        """What was seen, where the record says so and it fits its stamp."""
        found = (
            Seen(**self.seen.model_dump())
            if self.seen
            else unpacked("".join(self.packed))
        )
        fits = found is not None and found.stamp.startswith(self.stamp)
        return found if fits and not self.earlier else None

    @property
    def checksum(self) -> str:
        """The checksum that it should have."""
        told = [[one.by, one.date.isoformat()] for one in self.approvals]
        content = json.dumps([told, self.stamp], ensure_ascii=False)
        return hashlib.sha256(content.encode()).hexdigest()[:_DIGITS]


def read_record(folder: Path, file: str = RECORD) -> Record | None:
    """The approval of the study in ``folder``, None where there is none.

    A :class:`UserError` names the line of what was changed by hand or damaged.
    """
    path = folder / file
    if not path.exists():
        return None
    look = " --look" if file == LOOKS else ""
    mend = f"{_BACK}, or remove it and run {approve_command(folder.name + look)}"
    try:
        data, node = load_yaml(path)
        found = check_declared(data, node, Record, path)
    except UserError as error:
        raise UserError([_mended(issue, mend) for issue in error.issues]) from None
    wrong = [
        Issue(what, Place(str(path), line_of(node, (entry,))), mend)
        for entry, what in _doubts(found)
    ]
    raise_if(wrong[:1])
    return found


def _mended(issue: Issue, mend: str) -> Issue:
    """With how to mend it, also where a merge left both sides in the file."""
    told = f"{issue.mend}; or {mend}" if issue.mend else mend
    return Issue(issue.what, issue.where, told)


def _doubts(record: Record) -> Iterator[tuple[str, str]]:
    """Entries that were edited after the approval, and what is wrong with them."""
    if record.date > _tomorrow():
        yield "date", f"an approval of a day to come: {record.date}"
    if record.earlier:
        return
    if record.seen and record.details() is None:
        yield "seen", "what was seen does not fit its stamp: one of them was edited"
    if record.packed and record.details() is None:
        yield "packed", "what was seen does not fit its stamp: one of them was edited"
    if (record.seen or record.sum is not None) and record.sum != record.checksum:
        what = "who approved, when and what do not fit their checksum: one was edited"
        yield "by" if record.sum is None else "sum", what


def _tomorrow() -> dt.date:
    """The day to come in the zone that is farthest on: nowhere is it later."""
    return (dt.datetime.now(dt.UTC) + dt.timedelta(hours=14)).date()


def approve_command(study: str) -> str:
    """How one approves a study in a terminal."""
    return f"'python -m analysis review approve {study}'"


def record_text(approvals: tuple[Approval, ...], stamp: str, seen: Seen) -> str:
    """What a record's file says of who approved what was seen."""
    first, *others = approvals
    made = Record(by=first.by, date=first.date, stamp=stamp, also=tuple(others))
    data = {"by": first.by, "date": first.date, "stamp": stamp, "seen": asdict(seen)}
    data |= {"also": [vars(one) for one in others]} if others else {}
    data["sum"] = made.checksum
    text = yaml.safe_dump(data, allow_unicode=True, width=math.inf, sort_keys=True)
    return _HEAD + text


def unpacked(text: str) -> Seen | None:
    """What :func:`packed` packed; None where the text is nothing of that kind."""
    try:
        inflate = zlib.decompressobj()
        data = base64.b64decode("".join(text.split()), validate=True)
        told = inflate.decompress(data, DECLARATION_BYTES)
        parts = _PARTS.validate_json(told)
    except (ValueError, zlib.error):
        return None
    return Seen(**parts) if parts.keys() <= set(PARTS) else None
