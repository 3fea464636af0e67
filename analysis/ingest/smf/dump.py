"""An SMF dump from its bytes to its tables: records are gathered by type and read as
soon as there are enough of them; at the end it is judged what the dump is worth."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from analysis.facts.remark import Remark, remark
from analysis.ingest.clock import NO_ZONE, zone_info
from analysis.ingest.compressed.terse import CURE
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Circumstances, Reading
from analysis.ingest.smf.batch import RecordBatch, decoded
from analysis.ingest.smf.clocks import Clocks
from analysis.ingest.smf.codepage import DEFAULT, CodePage
from analysis.ingest.smf.columns import Frames, RecordType, kind_name
from analysis.ingest.smf.duplicates import SeenRecords
from analysis.ingest.smf.records import DUMP, Ints, Records, joined
from analysis.ingest.smf.segments import CHUNK, Segments
from analysis.ingest.smf.sniff import NAME, TRANSFER, Kind, sniff
from analysis.ingest.smf.tables import Tables
from analysis.ingest.smf.trouble import Trouble
from analysis.ingest.smf.types import described, readers, why_not

_HEAD = 65536
_HOUR = 3.6e9  # microseconds
REFUSED: dict[Kind, Remark] = {
    "bare": remark(
        "bare_records",
        "SMF records without their descriptor words (byte offset 0): their "
        f"lengths are lost; {TRANSFER}",
    ),
    "tersed": remark("tersed_dump", f"a tersed file (byte offset 0): {CURE}"),
    "text": remark(
        "text_of_dump", f"text, not a binary SMF dump (byte offset 0): {TRANSFER}"
    ),
    "lines": remark(
        "sent_as_text",
        what="each record is followed by a line end (CR LF or LF)",
        mend=TRANSFER,
    ),
    "newlines": remark("sent_as_text", what="each LF has become CR LF", mend=TRANSFER),
    "translated": remark(
        "sent_as_text", what="EBCDIC was translated to ASCII", mend=TRANSFER
    ),
    "empty": remark("empty_dump", "the file is empty: it ends at byte offset 0"),
    "unknown": remark(
        "no_record_at_start",
        "no SMF record stands at byte offset 0, neither with nor without a "
        "block descriptor word",
    ),
}


class Dump:
    """What is gathered while a dump is read, ``chunk`` bytes at a time; of its
    ``records`` so many by type, the ``first`` of each, and those that wait."""

    def __init__(self, zone: str | None, codepage: str, chunk: int) -> None:
        self.trouble, self.clocks = Trouble(), Clocks(zone)
        self.page, self.seen = CodePage(codepage), SeenRecords()
        self.tables = Tables(self.clocks, self.trouble)
        self.counts: Counter[tuple[int, int]] = Counter()
        self.first: dict[tuple[int, int], int] = {}
        self.systems: set[int] = set()
        self.remembered: dict[Any, Any] = {}
        # Column operations cost the same for ten rows as for thousands.
        self.enough = chunk // 16  # bytes of records of a type, which do not wait
        self.waiting: dict[RecordType, list[Records]] = defaultdict(list)

    def take(self, records: Records) -> None:
        """Count one batch, and read what there is enough of."""
        kind, subtype = records.kinds()
        is_data = (kind != DUMP[0]) & (kind != DUMP[1])
        data = records if is_data.all() else records.only(is_data)
        systems = data.number(14, 4)
        self.systems |= set(np.unique(systems).tolist())
        self.seen.add(data, systems)
        of_kind = by_kind(kind, subtype)
        for key, index in of_kind.items():
            self.counts[key] += len(index)
            self.first.setdefault(key, int(records.position[index[0]]))
        for declared in readers():
            of_type = [of_kind[each] for each in declared.kinds if each in of_kind]
            if of_type:
                which = (
                    of_type[0]
                    if len(of_type) == 1
                    else np.sort(np.concatenate(of_type))
                )
                self._gather(declared, records.only(which))

    def _gather(self, declared: RecordType, records: Records) -> None:
        """Read the records with those that wait, or let copies of them wait."""
        before = self.waiting.pop(declared, [])
        size = sum(int(part.length.sum()) for part in (*before, records))
        if size < self.enough:
            self.waiting[declared] = [*before, joined([records])]
        else:
            self._read(declared, joined([*before, records]) if before else records)

    def _read(self, declared: RecordType, records: Records) -> None:
        self._keep(decoded(self._batch(declared, records)))

    def _batch(self, declared: RecordType, records: Records) -> RecordBatch:
        return RecordBatch(records, declared, self.page, self.trouble, self.remembered)

    def _keep(self, frames: Frames) -> None:
        for name, rows in frames.items():
            self.tables.add(name, rows)

    def end(self) -> Ints:
        """Read all that still waits; the byte offsets of records that came before."""
        for declared, records in self.waiting.items():
            self._read(declared, joined(records))
        again = self.seen.duplicates(self.clocks, self.page)
        none = Records(b"", *(np.zeros(0, np.int64) for _ in range(3)))
        for declared in readers():
            if declared.carries and declared.read:
                batch = replace(self._batch(declared, none), again=again.tolist())
                self._keep(declared.read(batch))
        return again


def by_kind(kind: Ints, subtype: Ints) -> dict[tuple[int, int], Ints]:
    """Which records are of each type and subtype, of which a batch has few."""
    both = kind << 17 | subtype + 1  # which is 0 without subtypes
    kinds = pl.Series(both).unique().to_list()
    return {(n >> 17, (n & 0x1FFFF) - 1): np.flatnonzero(both == n) for n in kinds}


def read_dump(
    raw: Raw,
    zone: str | None = None,
    codepage: str = DEFAULT,
    chunk: int = CHUNK,
) -> Reading:
    """The tables of a dump, whatever its size, in bounded memory.

    ``position`` is the byte offset of the record in the file. ``zone`` serves records
    with local times only, where no other record of their system tells the offset.
    ``chunk`` is how many bytes are read at once.
    """
    if zone is not None:
        zone_info(zone)
    reading = Reading(NAME, tool="IFASMFDP or IFASMFDL")
    with raw.open("rb") as file:
        container = sniff(file.read(_HEAD))
        if container not in ("unblocked", "blocked"):
            return _refused(reading, container)
        blocked = container == "blocked"
        file.seek(0)
        dump = Dump(zone, codepage, chunk)
        segments = Segments(file, blocked, dump.trouble, chunk)
        for records in segments.records():
            dump.take(records)
    reading.details = {"container": container, "spanned_records": segments.spanned}
    return _finished(reading, dump, dump.end())


def _refused(reading: Reading, container: Kind) -> Reading:
    reading.status = "empty" if container == "empty" else "failed"
    reading.cause = REFUSED[container]
    trouble = Trouble()
    trouble.tell(REFUSED[container], 0)
    reading.problems = trouble.all()
    return reading


def _finished(reading: Reading, dump: Dump, again: Ints) -> Reading:
    trouble = dump.trouble
    if len(again):
        trouble.tell(
            remark("duplicates", count=len(again), first=again[0]), int(again[0])
        )
    reading.tables = dump.tables.finished(again)
    names = (dump.page.decode(s.to_bytes(4, "big")) for s in dump.systems)
    reading.systems = sorted(name for name in names if name)
    reading.records = {kind_name(*key): dump.counts[key] for key in sorted(dump.counts)}
    what = {kind_name(*key): described(*key) for key in sorted(dump.counts)}
    reading.kinds = {kind: words for kind, words in what.items() if words}
    _tell_kinds(dump)
    _tell_times(dump)
    reading.details |= {"duplicates": len(again), "codepage": dump.page.name}
    offsets = dump.clocks.offsets()["offset"]
    if len(offsets):
        reading.circumstances = Circumstances(utc_offset=offsets[0] / _HOUR)
    _judge(reading, dump)
    reading.problems = trouble.all()
    return reading


def _tell_kinds(dump: Dump) -> None:
    alike: dict[str, list[tuple[int, int]]] = {}
    for key in sorted(dump.counts):
        if reason := why_not(*key):
            alike.setdefault(reason, []).append(key)
    for reason, keys in alike.items():
        names = ", ".join(kind_name(*key) for key in keys)
        count = sum(dump.counts[key] for key in keys)
        dump.trouble.tell(
            remark(
                "not_decoded",
                f"{count} records {names} are counted, not decoded: {reason}",
            ),
            min(dump.first[key] for key in keys),
        )


def _tell_times(dump: Dump) -> None:
    if dump.clocks.unknown:
        dump.trouble.tell(
            remark(
                "rows_without_start",
                f"{dump.clocks.unknown} rows have no start in UTC: {NO_ZONE}",
            )
        )
    if dump.clocks.ambiguous:
        dump.trouble.tell(
            remark(
                "ambiguous_times",
                f"{dump.clocks.ambiguous} local times lie in the hour that is "
                "repeated when daylight saving ends; the first of the two was taken",
            )
        )


def _judge(reading: Reading, dump: Dump) -> None:
    trouble = dump.trouble
    data = [key for key in dump.counts if key[0] not in DUMP]
    rows = any(table.height for table in reading.tables.values())
    if trouble.cut:
        reading.status, reading.cause = "truncated", trouble.cut
    elif not data:
        reading.status = "empty"
        reading.cause = remark(
            "only_header", "no record but the header and trailer of the dump program"
        )
    elif trouble.damaged:
        reading.status, reading.cause = "degraded", trouble.first
    elif not rows:
        reading.status = "degraded"
        reading.cause = remark(
            "no_known_record",
            f"no record of a kind that is read: {_list(reading.records)}",
        )
    elif dump.clocks.unknown:
        reading.status, reading.cause = "degraded", NO_ZONE
    elif reading.records.get("2", 0) > reading.records.get("3", 0):
        reading.status = "degraded"
        reading.cause = remark(
            "no_trailer",
            "the dump program's header (type 2) is there and its trailer (type 3) is "
            "not: perhaps it is cut off; see that all of it was sent",
        )


def _list(records: dict[str, int]) -> str:
    return ", ".join(f"{kind} ({count})" for kind, count in records.items())
