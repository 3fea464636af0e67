"""What is gathered while a dump is read."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from analysis.ingest.smf.accounting import account
from analysis.ingest.smf.clocks import Clocks
from analysis.ingest.smf.codepage import CodePage
from analysis.ingest.smf.decode import DUMP, Decoder, Frames, Parts, kinds
from analysis.ingest.smf.decoders import CPU_ACTIVITY, DECODERS
from analysis.ingest.smf.records import Ints, Records, joined
from analysis.ingest.smf.seen import SeenRecords
from analysis.ingest.smf.tables import Tables
from analysis.ingest.smf.trouble import Trouble
from analysis.ingest.smf.type70 import Type70


@dataclass
class Waiting:
    """Records of rare kinds by the decoder that they wait for; ``enough`` bytes do not
    wait: column operations cost the same for ten rows as for thousands."""

    enough: int
    parts: dict[Decoder, list[Records]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def add(self, decoder: Decoder, records: Records) -> Records | None:
        """What to decode now, in the order of the file: nothing, or all there is."""
        before = self.parts.pop(decoder, [])
        size = sum(int(part.length.sum()) for part in (*before, records))
        if size >= self.enough:
            return joined([*before, records]) if before else records
        self.parts[decoder] = [*before, joined([records])]
        return None

    def rest(self) -> Iterator[tuple[Decoder, Records]]:
        """What still waits, by decoder."""
        for decoder, parts in self.parts.items():
            yield decoder, joined(parts)
        self.parts.clear()


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
    spanned: int = 0

    def take(self, records: Records) -> None:
        """Count and decode one batch."""
        kind, subtype = kinds(records)
        data = records.only((kind != DUMP[0]) & (kind != DUMP[1]))
        systems = data.number(14, 4)
        self.systems |= set(np.unique(systems).tolist())
        self.seen.add(data, systems)
        of_kind = by_kind(kind, subtype)
        for key, index in of_kind.items():
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

    def end(self) -> Ints:
        """Decode all that still waits; the byte offsets of records that came before."""
        for decoder, records in self.waiting.rest():
            self._keep(account(decoder, records, self.parts))
        again = self.seen.duplicates(self.clocks, self.parts.page)
        self.cpu.pieces.again = again
        self._keep(self.cpu.read(None, self.parts, last=True))
        return again


def by_kind(kind: Ints, subtype: Ints) -> dict[tuple[int, int], Ints]:
    """Which records are of each type and subtype, in the order of these."""
    order = np.lexsort((subtype, kind))
    pairs = np.stack([kind[order], subtype[order]])
    changes = np.flatnonzero((pairs[:, 1:] != pairs[:, :-1]).any(axis=0)) + 1
    alike = np.split(order, changes) if len(order) else []
    return {(int(kind[some[0]]), int(subtype[some[0]])): some for some in alike}


def begin_dump(zone: str | None, codepage: str, chunk: int) -> Dump:
    """Nothing gathered yet; see :func:`analysis.ingest.smf.dump.read_dump`."""
    trouble, clocks = Trouble(), Clocks(zone)
    parts = Parts(CodePage(codepage), trouble)
    return Dump(parts, clocks, Tables(clocks, trouble), Waiting(chunk // 16))
