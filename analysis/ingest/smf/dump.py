"""Read an SMF dump: container, records, sections, checks, tables."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from analysis.facts.remark import Remark, remark
from analysis.ingest.clock import NO_ZONE, zone_info
from analysis.ingest.compressed.terse import CURE
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading
from analysis.ingest.smf.accounting import account
from analysis.ingest.smf.checks import SeenRecords, tell_duplicates
from analysis.ingest.smf.clocks import Clocks
from analysis.ingest.smf.codepage import DEFAULT, CodePage
from analysis.ingest.smf.container import batches
from analysis.ingest.smf.decoders import CPU_ACTIVITY, DECODERS, described, why_not
from analysis.ingest.smf.header import DUMP, kind_name, kinds
from analysis.ingest.smf.parts import Frames, Parts
from analysis.ingest.smf.records import Ints, Records
from analysis.ingest.smf.segments import CHUNK
from analysis.ingest.smf.sniff import NAME, TRANSFER, Kind, sniff
from analysis.ingest.smf.tables import Tables
from analysis.ingest.smf.trouble import Trouble
from analysis.ingest.smf.type70 import Type70
from analysis.ingest.smf.waiting import Waiting

_HEAD = 65536
REFUSED: dict[Kind, Remark] = {
    "bare": remark("bare_records", mend=TRANSFER),
    "tersed": remark("tersed_dump", mend=CURE),
    "text": remark("text_of_dump", mend=TRANSFER),
    "empty": remark("empty_dump"),
    "unknown": remark("no_record_at_start"),
}


@dataclass
class Dump:
    """What is gathered while a dump is read."""

    parts: Parts
    clocks: Clocks
    tables: Tables
    waiting: Waiting
    seen: SeenRecords = field(default_factory=SeenRecords)
    cpu: Type70 = field(default_factory=Type70)
    counts: Counter[tuple[int, int]] = field(default_factory=Counter)
    first: dict[tuple[int, int], int] = field(default_factory=dict)
    systems: set[int] = field(default_factory=set)

    def take(self, records: Records) -> None:
        """Count and decode one batch."""
        kind, subtype = kinds(records)
        found = (
            pl.DataFrame({"kind": kind, "subtype": subtype})
            .with_row_index()
            .group_by("kind", "subtype")
            .agg("index")
            .sort("kind", "subtype")
        )
        data = records.only((kind != DUMP[0]) & (kind != DUMP[1]))
        systems = data.number(14, 4)
        self.systems |= set(pl.Series(systems).unique())
        self.seen.add(data, systems)
        of_kind: dict[tuple[int, int], Ints] = {}
        for key, index in zip(
            found.select("kind", "subtype").iter_rows(), found["index"], strict=True
        ):
            of_kind[key] = index.to_numpy().astype(np.int64)
            self.counts[key] += len(index)
            self.first.setdefault(key, int(records.position[index[0]]))
        self._decode(records, of_kind)

    def _decode(self, records: Records, of_kind: dict[tuple[int, int], Ints]) -> None:
        for decoder, wanted in DECODERS.items():
            index = [of_kind[each] for each in wanted if each in of_kind]
            if index:
                some = records.only(np.sort(np.concatenate(index)))
                if enough := self.waiting.add(decoder, some):
                    self._keep(account(decoder, enough, self.parts))
        if CPU_ACTIVITY in of_kind:
            some = records.only(of_kind[CPU_ACTIVITY])
            if enough := self.waiting.add(self.cpu.read, some):
                self._keep(account(self.cpu.read, enough, self.parts))

    def _keep(self, frames: Frames) -> None:
        for name, rows in frames.items():
            self.tables.add(name, rows)

    def end(self) -> None:
        """Decode what waited for more."""
        for decoder, records in self.waiting.rest():
            self._keep(account(decoder, records, self.parts))
        self._keep(self.cpu.read(None, self.parts, last=True))


def read_dump(
    raw: Raw, zone: str | None = None, codepage: str = DEFAULT, chunk: int = CHUNK
) -> Reading:
    """The tables of a dump, whatever its size, in bounded memory.

    ``position`` is the byte offset of the record in the file. ``zone`` serves records
    with local times only, where no other record of their system tells the offset.
    ``chunk`` is how many bytes are read at once.
    """
    if zone is not None:
        zone_info(zone)
    reading = Reading(NAME, tool="IFASMFDP or IFASMFDL")
    trouble = Trouble()
    clocks = Clocks(zone)
    parts = Parts(CodePage(codepage), trouble)
    dump = Dump(parts, clocks, Tables(clocks, trouble), Waiting(chunk // 16))
    with raw.open("rb") as file:
        container = sniff(file.read(_HEAD))
        if container not in ("unblocked", "blocked"):
            return _refused(reading, container)
        file.seek(0)
        spanned = 0
        for records, joiner in batches(file, container == "blocked", trouble, chunk):
            dump.take(records)
            spanned = joiner.spanned
    dump.end()
    return _finished(reading, dump, container, spanned)


def _refused(reading: Reading, container: Kind) -> Reading:
    reading.status = "empty" if container == "empty" else "failed"
    reading.cause = REFUSED[container]
    trouble = Trouble()
    trouble.tell(REFUSED[container], 0)
    reading.problems = trouble.all()
    return reading


def _finished(reading: Reading, dump: Dump, container: str, spanned: int) -> Reading:
    trouble = dump.parts.trouble
    again = dump.seen.duplicates(dump.clocks, dump.parts.page)
    tell_duplicates(again, trouble)
    reading.tables = dump.tables.finished(again)
    names = (dump.parts.page.decode(s.to_bytes(4, "big")) for s in dump.systems)
    reading.systems = sorted(name for name in names if name)
    reading.records = {kind_name(*key): dump.counts[key] for key in sorted(dump.counts)}
    what = {kind_name(*key): described(*key) for key in sorted(dump.counts)}
    reading.kinds = {kind: words for kind, words in what.items() if words}
    _tell_kinds(dump)
    _tell_times(dump)
    reading.details = {
        "container": container,
        "spanned_records": spanned,
        "duplicates": len(again),
        "codepage": dump.parts.page.name,
    }
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
        dump.parts.trouble.tell(
            remark("not_decoded", count=count, names=names, reason=reason),
            min(dump.first[key] for key in keys),
        )


def _tell_times(dump: Dump) -> None:
    if dump.clocks.unknown:
        dump.parts.trouble.tell(
            remark("rows_without_start", rows=dump.clocks.unknown, why=NO_ZONE)
        )
    if dump.clocks.ambiguous:
        dump.parts.trouble.tell(remark("ambiguous_times", times=dump.clocks.ambiguous))


def _judge(reading: Reading, dump: Dump) -> None:
    trouble = dump.parts.trouble
    data = [key for key in dump.counts if key[0] not in DUMP]
    rows = any(table.height for table in reading.tables.values())
    if trouble.cut:
        reading.status, reading.cause = "truncated", trouble.cut
    elif not data:
        reading.status = "empty"
        reading.cause = remark("only_header")
    elif trouble.damaged:
        reading.status, reading.cause = "degraded", trouble.first
    elif not rows:
        reading.status = "degraded"
        reading.cause = remark("no_known_record", records=_list(reading.records))
    elif dump.clocks.unknown:
        reading.status, reading.cause = "degraded", NO_ZONE


def _list(records: dict[str, int]) -> str:
    return ", ".join(f"{kind} ({count})" for kind, count in records.items())
