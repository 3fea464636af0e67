"""A batch of records of one type, read: all that the reader of a type is handed.

Every record that is counted gives rows, or a reason with its byte offset. Readers need
not see to it: what they read of a record is checked here for the record as a whole.
Nothing of a record is used whose sections lie on each other, are not where their
triplets say, or are too short, as no part of it can be believed then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.facts.remark import Remark, remark
from analysis.ingest.smf.codepage import CodePage
from analysis.ingest.smf.columns import (
    Flags,
    Frames,
    Layout,
    RecordType,
    kind_name,
)
from analysis.ingest.smf.fields import overflown, translate
from analysis.ingest.smf.records import (
    HEADER_END,
    Ints,
    Mask,
    Records,
    Sections,
    Triplets,
    joined,
    overlapping,
)
from analysis.ingest.smf.trouble import Trouble

_TRIPLET = np.dtype([("o", ">u4"), ("l", ">u2"), ("n", ">u2")])
_WIDE = np.dtype([("o", ">u4"), ("l", ">u4"), ("n", ">u4")])  # of products of others
_MOST = 2**31 - 1  # which no product of two of them exceeds 63 bits by
# What a row needs besides the columns of its table, until its dump is read.
_UNTIL_READ = (
    "start", "start_local", "end", "end_local", "written_local", "more", "gmt_offset",
    "token",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class RecordBatch:
    """Records of a type that is ``declared``, the code page of their texts, where
    problems go, what records have told that later ones need (``remembered``), and the
    triplets that were looked at (``claims``), by the name of their sections. When the
    dump has ended, ``again`` are the byte offsets of records that came before."""

    records: Records
    declared: RecordType
    page: CodePage
    trouble: Trouble
    remembered: dict[Any, Any] = field(default_factory=dict)
    claims: dict[str, Triplets] = field(default_factory=dict)
    again: list[int] | None = None

    def __len__(self) -> int:
        return len(self.records)

    # What is in the records.

    def number(self, offset: int, size: int) -> Ints:
        """The big-endian number at one offset of every record; 0 past its end."""
        return self.records.number(offset, size)

    def every(self, number: int) -> Ints:
        """A number for each record."""
        return np.full(len(self), number, np.int64)

    def positions(self, which: Mask | Ints | list[int] | None = None) -> list[int]:
        """The byte offsets of the records, or of some of them."""
        every = self.records.position
        return (every if which is None else every[which]).tolist()

    def headers(self) -> pl.DataFrame:
        """``system``, ``position`` and ``written_local``: one row a record."""
        return self.records.headers(self.page)

    def triplets(
        self,
        at: int,
        name: str,
        needed: bool = False,
        ends: Ints | None = None,
        wide: bool = False,
    ) -> Triplets:
        """The triplet at one offset of every record, checked against its bounds.

        ``ends`` is where each record's triplets end, if not as in its family: what
        lies behind is none, and sections begin there, or else behind this triplet. A
        triplet that points out of the sections of its record spoils the record, and so
        does one that is not there though it is ``needed``. A ``wide`` one has three
        words.
        """
        records, family = self.records, self.declared.family
        if ends is None and family.ends:
            ends = family.ends(self)
        limit = records.length if ends is None else np.minimum(ends, records.length)
        own_end = at + (_WIDE if wide else _TRIPLET).itemsize
        least = np.full(len(records), own_end) if ends is None else ends
        has = limit >= own_end
        owners = records.whole()
        owners = owners if has.all() else owners.only(has)
        inner = self.inner(owners, at, name, least[has], wide)
        if needed and len(inner.row) < len(records):
            lacking = np.ones(len(records), np.bool_)
            lacking[inner.row] = False
            self.spoil(self.positions(lacking), f"has no {name} section")
        return inner

    def inner(
        self,
        owners: Sections,
        at: int,
        name: str,
        least: Ints | None = None,
        wide: bool = False,
    ) -> Triplets:
        """The triplet at one offset of sections that have triplets of their own, none
        of which points to before ``least`` in its record."""
        records, row = owners.records, owners.record
        form = _WIDE if wide else _TRIPLET
        raw = owners.items(form, at)
        offset, length, count = (
            np.minimum(raw[name].astype(np.int64), _MOST) for name in "oln"
        )
        used = (count > 0) & (owners.stride >= at + form.itemsize)
        inside = (offset + length * count <= records.length[row]) & (length > 0)
        bad = used & ~(inside & (offset >= (HEADER_END if least is None else least)))
        index = np.flatnonzero(bad)
        self.trouble.spoil(
            records.position[row[index]].tolist(),
            lambda nth: remark(
                "triplet_too_early" if inside[index[nth]] else "triplet_past_end",
                name=name,
                offset=int(offset[index[nth]]),
                length=int(length[index[nth]]),
                number=int(count[index[nth]]),
                bytes=int(records.length[row[index[nth]]]),
            ),
            f"triplets of {name} sections that point nowhere",
        )
        good = np.flatnonzero(used & ~bad)
        triplets = Triplets(
            records, row[good], good, offset[good], length[good], count[good]
        )
        self.claims[name] = triplets
        return triplets

    def sections(self, layout: Layout, needed: bool = False) -> Sections:
        """All sections of a kind."""
        return self.triplets(layout.at, layout.name, needed).sections()

    def rows(self, sections: Sections, layout: Layout) -> pl.DataFrame:
        """``record`` and the layout's fields: one row a section. One that is shorter
        than the layout's ``least``, or has a count that none can be, spoils its
        record."""
        raw, stride = sections.items(layout.dtype), sections.stride
        words = {
            f"is shorter than {layout.least} bytes": stride < layout.least,
            "has a count of more than 63 bits": overflown(layout, raw, stride),
        }
        for what, bad in words.items():
            of = f"has a {layout.name} section that {what}"
            self.spoil(self.positions(sections.record[bad]), of)
        return sections.table(layout, self.page, raw)

    def table(self, layout: Layout, needed: bool = False) -> pl.DataFrame:
        """``record`` and the layout's fields: one row a section."""
        return self.rows(self.sections(layout, needed), layout)

    def first(
        self, layout: Layout, needed: bool = False, among: Sections | None = None
    ) -> pl.DataFrame:
        """The first section of each record, or the first ``among`` some: one row a
        record, null where it has none."""
        some = self.sections(layout, needed) if among is None else among
        table = self.rows(some, layout)
        if np.array_equal(some.record, np.arange(len(self))):
            return table.drop("record")
        first = table.unique("record", keep="first", maintain_order=True)
        every = pl.DataFrame({"record": pl.int_range(len(self), eager=True)})
        joined = every.join(first, on="record", how="left", maintain_order="left")
        return joined.drop("record")

    def with_carried(self) -> RecordBatch:
        """The batch with the records in front that an earlier one carried over."""
        if (kept := self.remembered.pop(self.declared.type_name, None)) is None:
            return self
        return replace(self, records=joined([kept, self.records]), claims={})

    def carry(self, rows: pl.Series) -> None:
        """Keep some records for the next batch of the type."""
        if len(rows):
            some = self.records.only(rows.to_numpy().astype(np.int64))
            self.remembered[self.declared.type_name] = joined([some])

    def texts(self, layout: Layout, name: str) -> pl.DataFrame:
        """``record`` and ``name``: the first section of each record that has some, as
        a text from end to end."""
        sections, data = self.sections(layout), self.records.data
        tables = [pl.DataFrame(schema={"record": pl.Int64, name: pl.String})]
        for length in np.unique(sections.stride).tolist():
            some = sections.only(sections.stride == length)
            if length < len(data):
                raw = overlapping(data, f"V{length}")[some.start]
                text = translate(raw, self.page.decode)
                tables.append(pl.DataFrame({"record": some.record, name: text}))
        return pl.concat(tables).unique("record", keep="first", maintain_order=True)

    # What becomes of it.

    def read(self) -> Frames:
        """The rows of records of which all is declared, by their table."""
        declared, main = self.declared, None
        if declared.main:
            main = self.table(declared.main, declared.family.needed)
        rows = declared.family.head(self)
        for section in declared.beside:
            rows = rows.hstack(self.first(section))
        return self.finish(rows if main is None else main.hstack(rows[main["record"]]))

    def finish(
        self,
        rows: pl.DataFrame,
        declared: RecordType | None = None,
        flags_told: bool = False,
    ) -> Frames:
        """The rows of a table, of this record type or of another that is read with it,
        from the fields of its sections and the heads of records. Bits that speak are
        told of unless they were already."""
        declared = declared or self.declared
        if declared.passed_over:
            which, what = declared.passed_over
            self.pass_over(rows.filter(which)["position"].to_list(), what)
        if declared.keep is not None:
            rows = rows.filter(declared.keep)
        for section in () if flags_told else declared.layouts:
            self.tell_flags(rows, section, declared.named)
        for what, odd in declared.odd.items():
            self.spoil(rows.filter(odd.fill_null(False)), what)
        if declared.times:
            rows = rows.with_columns(**declared.times)
        values = {
            column.name: value
            for section in declared.layouts or (declared.table,)
            for column in section.columns
            if (value := column.expression) is not None
        }
        there = {*rows.columns, *values}
        made = rows.select(
            *(name for name in _UNTIL_READ if name in there),
            *(
                values.get(name, name)
                if name in there
                else pl.lit(None, kind).alias(name)
                for name, kind in declared.table.schema.items()
                if name not in ("start_utc", "end_utc", "source")
            ),
        )
        return {declared.table.name: made}

    # What is wrong with it.

    def spoil(self, rows: pl.DataFrame | list[int], what: str) -> None:
        """Use nothing of the records of the rows (``position``) or at byte offsets: of
        what is damaged no part can be believed, and a layout that nothing else confirms
        may be that of another release, and then finds names that are none, counts with
        fractions and times that cannot be."""
        self.trouble.spoil(*self._odd(rows, what))

    def pass_over(self, places: list[int], what: str) -> None:
        """Tell of sound records at some byte offsets that rightly give no row."""
        self.trouble.excuse(places)
        self.tell(places, what)

    def tell(self, rows: pl.DataFrame | list[int], what: str) -> None:
        """Tell of records of which nothing is lost."""
        self.trouble.tell_each(*self._odd(rows, what))

    def damage(self, rows: pl.DataFrame, what: str) -> None:
        """Tell of records of which some part is not used."""
        self.trouble.damage_each(*self._odd(rows, what))

    def _odd(
        self, rows: pl.DataFrame | list[int], what: str
    ) -> tuple[list[int], Callable[[int], Remark], str]:
        """Each record of which there are rows or byte offsets, what to say of the nth
        of them, and of those that are not told of."""
        of, places = self.declared.type_name, rows
        if isinstance(places, pl.DataFrame):
            places = places["position"].unique(maintain_order=True).to_list()
        return (
            places,
            lambda nth: remark("odd_record", of=of, where=places[nth], what=what),
            f"{of} records, each of which {what}",
        )

    def tell_flags(
        self,
        rows: pl.DataFrame,
        fields: Layout | Iterable[Flags],
        named: str = "",
        bits: Iterable[int] | None = None,
    ) -> None:
        """Tell of each row (``position``) in which a bit of a field speaks, of all
        bits or of some; the column ``named`` says what the row is of."""
        of_layout = fields.fields if isinstance(fields, Layout) else fields
        for one in (each for each in of_layout if isinstance(each, Flags)):
            values = rows[one.name].drop_nulls().to_numpy()
            on, off = np.bitwise_or.reduce(values), ~np.bitwise_and.reduce(values)
            for nth, bit in one.bits.items():
                speaks = (off if bit.off else on) & one.mask(nth)
                if speaks and bit.manner != "quiet" and nth in (bits or one.bits):
                    self._tell_flag(rows.filter(one.speaks(nth)), one, nth, named)

    def _tell_flag(self, rows: pl.DataFrame, of: Flags, nth: int, named: str) -> None:
        bit, name = of.bits[nth], of.title(nth)
        where = rows["position"].to_list()
        names = [f" of {each}" for each in rows[named]] if named else [""] * len(where)
        tell = self.trouble.tell_each
        (self.trouble.damage_each if bit.manner == "degrades" else tell)(
            where,
            lambda row: remark(
                "validity_flag",
                where=where[row],
                of=names[row],
                says=bit.says,
                name=name,
                effect=bit.effect.replace("`", ""),
            ),
            f"records with {name}",
        )

    def spoilt(self) -> list[int]:
        """The byte offsets of those of the records of which nothing may be used."""
        if not self.trouble.spoilt:
            return []
        return [at for at in self.positions() if at in self.trouble.spoilt]

    def spoil_overlapping(self) -> None:
        """Spoil the records in which sections of two kinds share bytes.

        Kinds of which a record may have several stretches are left out.
        """
        alone = [c for c in self.claims.values() if (np.diff(c.row) > 0).all()]
        bad = np.zeros(len(self), np.bool_)
        for one, other in combinations([self._bounds(claim) for claim in alone], 2):
            bad |= (one[0] < other[1]) & (other[0] < one[1])
        self.spoil(self.positions(bad), "has sections that overlap")

    def _bounds(self, triplets: Triplets) -> tuple[Ints, Ints]:
        """Where the sections of a triplet begin and end in each record; -1: none."""
        begin, end = (np.full(len(self), -1, np.int64) for _ in range(2))
        begin[triplets.row] = triplets.offset
        end[triplets.row] = triplets.offset + triplets.length * triplets.count
        return begin, end


def decoded(batch: RecordBatch) -> Frames:
    """The rows of a batch but for those of records that are damaged; what gives no row
    is told of, and degrades the file."""
    read = batch.declared.read or RecordBatch.read
    frames = read(batch)
    batch.spoil_overlapping()
    if spoilt := batch.spoilt():
        bad = pl.Series(spoilt).implode()
        frames = {
            name: rows.filter(~pl.col("position").is_in(bad))
            for name, rows in frames.items()
        }
    _tell_rowless(batch, frames)
    return frames


def _tell_rowless(batch: RecordBatch, frames: Frames) -> None:
    lost = np.ones(len(batch), np.bool_)
    for rows in frames.values():
        lost &= ~_among(batch.records.position, rows["position"].to_numpy())
    known = batch.trouble.spoilt | batch.trouble.excused if lost.any() else set()
    places = batch.positions()
    index = [at for at in np.flatnonzero(lost).tolist() if places[at] not in known]
    if not index:
        return
    some = batch.records.only(np.array(index))
    names = [kind_name(*map(int, of)) for of in zip(*some.kinds(), strict=True)]
    where = some.position.tolist()
    batch.trouble.spoil(
        where,
        lambda nth: remark(
            "no_row_made",
            f"the {names[nth]} record at byte offset {where[nth]} is counted, "
            "but no row could be made of it",
        ),
        "records of which no row could be made",
    )


def _among(positions: Ints, of_rows: Ints) -> NDArray[np.bool_]:
    """Which positions have rows; both are mostly in the order of the file."""
    changes = np.ones(len(of_rows), np.bool_)
    changes[1:] = of_rows[1:] != of_rows[:-1]
    distinct = of_rows[changes]
    if np.array_equal(distinct, positions):
        return np.ones(len(positions), np.bool_)
    return np.isin(positions, distinct)
