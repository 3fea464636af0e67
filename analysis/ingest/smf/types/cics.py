"""Type 110 subtype 1, CICS monitoring: performance records of transactions.

A performance record has the fields of which connectors are listed in front of it, in
that order and without gaps; the dictionary of the region says the owner, the identifier
and the length of each. Each region writes a dictionary when monitoring
starts; its records are read with the last one before them in the file. Records that
were compressed are not: how the service CSRCESRV of z/OS does it is not documented.

Layouts: the data areas DFHSMFDS and DFHMCTDR of CICS Transaction Server, and the
monitoring record formats in CICS Customization Guide (D).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

import polars as pl

from analysis.ingest.smf.columns import (
    END,
    PLAIN,
    START,
    DeclaredColumn,
    F,
    Family,
    Field,
    Frames,
    I,
    Layout,
    RecordType,
    S,
    col,
    column,
    ends_at,
    fields,
    table,
)

if TYPE_CHECKING:
    from analysis.ingest.smf.batch import RecordBatch
    from analysis.ingest.smf.records import Mask, Sections

CicsKey = tuple[str, str, int]  # owner, type with identifier, length
_CONNECTORS, _DATA = 24, 32  # where their triplets are in the product section
_DICTIONARY, _PERFORMANCE = _CLASSES = 1, 3
_PASSED_OVER = (4, 5, 6)  # exceptions, transaction resources and identities
_COUNT = 0xFF_FFFF  # of the periods of a clock, the last 24 bits
_KINDS = {
    "C": "conversation", "D": "user event", "F": "long-running task",
    "S": "syncpoint", "T": "end of task",
}  # fmt: skip

PRODUCT = Layout("CICS product", "D", fields(
    ("generic", 2, 8, "text"), ("region", 10, 8, "text"), ("CL", 22, 2),
    ("DCA", 24, 4), ("DCL", 28, 2), ("DCN", 30, 2), ("DRA", 32, 4), ("DRL", 36, 2),
    ("DRN", 38, 2),
), shortest=40, at=28)  # fmt: skip
ENTRY = Layout("dictionary entry", "D", fields(
    ("NAME", 0, 8, "text"), ("TYPE", 8, 1, "text"), ("IDNT", 9, 3, "text"),
    ("LENG", 12, 2), ("CONN", 14, 2),
), shortest=26)  # fmt: skip


# What is read of fields of the dictionary, by owner, identifier and length, with its
# place in the field. A clock is 8 bytes of time and 4 of its periods.
_FIELDS: tuple[tuple[CicsKey, DeclaredColumn | Field], ...] = (
    (("DFHTASK", "C001", 4),
     col("transaction", 0, 4, "text", "transaction identifier")),
    (("DFHTASK", "P031", 4),
     col("task", 0, 4, "hex", "number of the task", type=I,
         value=pl.col("task").str.slice(0, 7).cast(pl.Int64, strict=False))),
    (("DFHCICS", "C089", 8),
     col("user", 0, 8, "text", "user of the task when it began")),
    (("DFHCICS", "C112", 4),
     col("kind", 0, 4, "text", "why the record was written: end of task, conversation, "
         "user event, long-running task or syncpoint", type=S,
         value=pl.col("kind").str.slice(-1)
         .replace_strict(_KINDS, default=None, return_dtype=pl.String))),
    (("DFHCICS", "T005", 8), Field("start", 0, 8, "stck")),
    (("DFHCICS", "T006", 8), Field("end", 0, 8, "stck")),
    (("DFHTASK", "S007", 12),
     col("dispatch_seconds", 0, 8, "tod",
         "time that the task was dispatched on all its TCBs [s]")),
    (("DFHTASK", "S007", 12),
     col("dispatches", 8, 4, comment="times that it was dispatched", type=I,
         value=pl.col("dispatches") & _COUNT)),
    (("DFHTASK", "S008", 12),
     col("cpu_seconds", 0, 8, "tod",
         "CPU time on all its TCBs; part of it that ran on zIIPs is normalised [s]")),
    (("DFHTASK", "S014", 12),
     col("suspend_seconds", 0, 8, "tod", "time that it was suspended [s]")),
)  # fmt: skip
_NEEDED = {"transaction", "start", "end"}


@dataclass(frozen=True, eq=False)
class Dictionary:
    """What is known of each field of a region, by its connector; each is itself alone,
    so that records can be gathered by theirs."""

    keys: dict[int, CicsKey]

    def layout(self, connectors: tuple[int, ...], length: int) -> Layout | None:
        """The layout of records of ``length`` bytes with these fields; none where they
        have another length, or one of them is unknown, or a needed one lacks."""
        items: list[DeclaredColumn | Field] = []
        offset = 0
        for connector in connectors:
            if (key := self.keys.get(connector)) is None:
                return None
            items += [each.moved(offset) for known, each in _FIELDS if known == key]
            offset += key[2]
        if offset != length or not {each.name for each in items} >= _NEEDED:
            return None
        return Layout("CICS performance", "D", tuple(items), shortest=length)


Groups = dict[tuple[Dictionary, tuple[int, ...], int], list[int]]


def _read(batch: RecordBatch) -> Frames:
    """A row for each performance record of a task."""
    products, heads = _products(batch)
    data = batch.inner(products, _DATA, "CICS data").sections()
    groups = _groups(batch, products, heads, data)
    if tables := [*_tables(batch, groups, heads, data)]:
        return batch.finish(pl.concat([_NONE, *tables], how="diagonal"))
    return {}


def _products(batch: RecordBatch) -> tuple[Sections, pl.DataFrame]:
    """The product sections of records that can be read, and what they say."""
    products = batch.sections(PRODUCT, needed=True)
    table = batch.rows(products, PRODUCT).drop_nulls()
    products = products.only(products.stride >= PRODUCT.least)
    heads = table.hstack(batch.headers()[table["record"]])
    wanted, others = (
        heads["CL"].is_in(classes).to_numpy() for classes in (_CLASSES, _PASSED_OVER)
    )
    batch.pass_over(
        batch.positions(products.record[others]),
        "has no performance data, and so gives no row",
    )
    batch.spoil(
        heads.filter(~wanted & ~others), "has data of a class that is not known"
    )
    sound, compressed = _data_sections(batch, products, table)
    batch.pass_over(
        batch.positions(products.record[wanted & compressed]),
        "has compressed data; DFH$MOLS writes them expanded with its statement EXPAND",
    )
    batch.spoil(
        heads.filter(wanted & ~sound & ~compressed),
        "has data of another place or length than it says",
    )
    return products.only(wanted & sound), heads.filter(wanted & sound)


def _data_sections(
    batch: RecordBatch, products: Sections, said: pl.DataFrame
) -> tuple[Mask, Mask]:
    """Which data sections are where and as long as the product section says, and which
    are shorter, because they are compressed; those end with their record."""
    records = batch.records.only(products.record)
    begin, length = records.number(36, 4), records.number(40, 2)
    wanted = said.select(pl.when(pl.col("DCN") > 0).then("DCA").otherwise("DRA"))
    size = (said["DCL"] * said["DCN"] + said["DRL"] * said["DRN"]).to_numpy()
    placed = begin == wanted.to_series().to_numpy()
    placed &= records.number(42, 2) == 1
    ends = begin + length == records.length
    return placed & (length == size), placed & ends & (length > 0) & (length < size)


def _groups(
    batch: RecordBatch, products: Sections, heads: pl.DataFrame, entries: Sections
) -> Groups:
    """Product sections of performance records, by the dictionary, the connectors and
    the length of their data. Dictionaries among the records are remembered."""
    connectors = _connectors(batch, products)
    groups: Groups = {}
    unnamed: list[int] = []
    places = heads.select("system", "generic", "region", "CL", "DRL", "position")
    for nth, (*region, kind, length, at) in enumerate(places.iter_rows()):
        if kind == _DICTIONARY:
            some = batch.rows(entries.only(entries.owner == nth), ENTRY)
            batch.remembered[(*region,)] = Dictionary(
                {
                    connector: (owner, letter + identifier, size)
                    for owner, letter, identifier, size, connector in some.select(
                        "NAME", "TYPE", "IDNT", "LENG", "CONN"
                    ).iter_rows()
                }
            )
            batch.trouble.excuse([at])
        elif known := batch.remembered.get((*region,)):
            key = (known, connectors.get(nth, ()), length)
            groups.setdefault(key, []).append(nth)
        else:
            unnamed.append(at)
    batch.pass_over(
        unnamed,
        "has no dictionary of its region before it; put that in front which DFHMNDUP "
        "writes",
    )
    return groups


def _connectors(batch: RecordBatch, products: Sections) -> dict[int, tuple[int, ...]]:
    """The connectors in front of the data of each record that has some."""
    connectors = batch.inner(products, _CONNECTORS, "field connectors").sections()
    values: dict[int, tuple[int, ...]] = {}
    pairs = zip(
        connectors.owner.tolist(), connectors.number(0, 2).tolist(), strict=True
    )
    for nth, each in groupby(pairs, itemgetter(0)):
        values[nth] = tuple(connector for _, connector in each)
    return values


def _tables(
    batch: RecordBatch, groups: Groups, heads: pl.DataFrame, data: Sections
) -> Iterator[pl.DataFrame]:
    """The performance records of each group, with what is said of their region."""
    for (known, connectors, length), index in groups.items():
        layout = known.layout(connectors, length)
        if layout is None:
            what = "has data that its dictionary does not explain"
            batch.spoil(heads[index], what)
            continue
        some = data.only(pl.Series(data.owner).is_in(index).to_numpy())
        rows = batch.rows(some, layout).drop("record")
        yield rows.hstack(heads.drop("record")[some.owner])


PERFORMANCE = Layout("CICS performance", "D", tuple(each for _, each in _FIELDS))
_NONE = pl.DataFrame(schema={each.name: each.type for each in PERFORMANCE.fields})
_EACH = PERFORMANCE.columns
TRANSACTION = RecordType("110-1", table(
    "cics_transaction",
    "Transactions of CICS, one row for each performance record (110-1)",
    column("region", "CICS region: its specific name (APPLID)", S), _EACH[:4], START,
    END,
    column("response_seconds", "from the start to the end [s]", F,
               value=(pl.col("end") - pl.col("start")) / 1e6),
    _EACH[4:],
),
    odd={"has a task without a name or a time":
        (pl.col("transaction") == "")
        | pl.col("start").is_null()
        | (pl.col("end") < pl.col("start")).fill_null(True)},
    family=Family(PLAIN.head, ends_at(44)), read=_read,
)  # fmt: skip
RECORDS = (TRANSACTION,)
COUNTED = {
    (110, 2): "statistics of CICS, such as transactions and connections of a region: "
    "no public source that could be had tells where they are in their blocks; "
    "transactions are in 110-1",
    (110, None): "CICS: journals and statistics; transactions are in 110-1",
}
