"""Damage of a chain of segments: told, and where behind it the next record begins.

``base`` is the file offset of the data, in which all other places lie.
"""

from __future__ import annotations

from analysis.facts.remark import Remark, remark
from analysis.ingest.smf.records import Buffer, Ints
from analysis.ingest.smf.sniff import is_record
from analysis.ingest.smf.trouble import Trouble


class Damage:
    """What is known of one file; ``mark`` is date and system of a sound record."""

    def __init__(self, trouble: Trouble) -> None:
        self.trouble, self.mark = trouble, b""

    def remember(self, data: Buffer, sound: Ints) -> None:
        """Take date and system of the last segment that begins a record."""
        for at in sound[:-20:-1].tolist():
            if is_record(data, at):
                self.mark = bytes(data[at + 10 : at + 18])
                return

    def find(self, data: Buffer, at: int, limit: int) -> int | None:
        """Where behind ``at`` the next record of the same day and system begins."""
        hit = data.find(self.mark, at + 11, limit) if self.mark else -1
        while hit >= 0:
            if is_record(data, hit - 10):
                return hit - 10
            hit = data.find(self.mark, hit + 1, limit)
        return None

    def skipped(self, base: int, start: int, stop: int) -> None:
        """What lies between two places of the data is not used."""
        first = base + start
        if stop > start:
            self.trouble.damage(
                remark("bytes_skipped", bytes=stop - start, first=first),
                first,
                "skipped stretches",
            )

    def cut(self, base: int, at: int, what: str) -> None:
        """The file ends within what began at ``at`` of the data."""
        where = base + at
        self.trouble.cut = remark("file_ends_after", what=what, where=where)
        self.trouble.tell(self.trouble.cut, where)


def bad_length(length: int | None, where: int, in_block: bool) -> Remark:
    """What is wrong with a descriptor word where the chain stopped."""
    here = f"the record descriptor word at byte offset {where}"
    if length is None:
        return remark("stray_byte", where=where)
    if length < 4:
        return remark("bad_length", here=here, length=length)
    end = "block" if in_block else "file"
    return remark("length_past_end", here=here, length=length, end=end)
