"""Type 110 subtype 1, CICS monitoring: performance records of transactions.

A performance record has the fields of which connectors are listed in front of it, in
that order and without gaps; the dictionary of the region says the owner, the identifier
and the length of each. Each region writes a dictionary when monitoring
starts; its records are read with the last one before them in the file. Records that
were compressed are not: how the service CSRCESRV of z/OS does it is not documented.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.ingest.smf.columns import Field, Kind, Layout
from analysis.ingest.smf.decode import Frames, Parts, headers, pass_over, spoil_odd
from analysis.ingest.smf.records import Records, Sections, checked, spread, triplet
from analysis.ingest.smf.types.subsystems import ENTRY, PRODUCT

CicsKey = tuple[str, str, int]  # owner, type with identifier, length


@dataclass(frozen=True)
class CicsField:
    """What is read of a field of performance records; ``at`` counts from its start."""

    name: str
    key: CicsKey
    size: int
    kind: Kind = "unsigned"
    at: int = 0


_DISPATCH = ("DFHTASK", "S007", 12)  # a clock: 8 bytes of time, 4 of its periods
FIELDS = (
    CicsField("TRAN", ("DFHTASK", "C001", 4), 4, "text"),
    CicsField("USERID", ("DFHCICS", "C089", 8), 8, "text"),
    CicsField("START", ("DFHCICS", "T005", 8), 8, "stck"),
    CicsField("STOP", ("DFHCICS", "T006", 8), 8, "stck"),
    CicsField("TRANNUM", ("DFHTASK", "P031", 4), 4, "hex"),
    CicsField("RTYPE", ("DFHCICS", "C112", 4), 4, "text"),
    CicsField("USRDISPT", _DISPATCH, 8, "tod"),
    CicsField("PERIODS", _DISPATCH, 4, "unsigned", 8),
    CicsField("USRCPUT", ("DFHTASK", "S008", 12), 8, "tod"),
    CicsField("SUSPTIME", ("DFHTASK", "S014", 12), 8, "tod"),
)
NEEDED = frozenset({"TRAN", "START", "STOP"})


@dataclass(frozen=True, eq=False)
class Dictionary:
    """What is known of each field of a region, by its connector; each is itself alone,
    so that records can be gathered by theirs."""

    keys: dict[int, CicsKey]

    def layout(self, connectors: tuple[int, ...], length: int) -> Layout | None:
        """The layout of records of ``length`` bytes with these fields; none where they
        have another length, or one of them is unknown, or a needed one lacks."""
        found: list[Field] = []
        offset = 0
        for connector in connectors:
            if (key := self.keys.get(connector)) is None:
                return None
            found += [
                Field(each.name, offset + each.at, each.size, each.kind)
                for each in FIELDS
                if each.key == key
            ]
            offset += key[2]
        if offset != length or not NEEDED.issubset(field.name for field in found):
            return None
        return Layout("CICS performance", "D", tuple(found), shortest=length)


def dictionary(entries: pl.DataFrame) -> Dictionary:
    """The dictionary that the entries of one record make."""
    told = entries.select("CONN", "NAME", "TYPE", "IDNT", "LENG").iter_rows()
    return Dictionary(
        {
            connector: (owner, f"{kind}{identifier}", length)
            for connector, owner, kind, identifier, length in told
        }
    )


_CONNECTORS, _DATA = 24, 32  # where their triplets are in the product section
_DICTIONARY, _PERFORMANCE = _CLASSES = 1, 3
_PASSED_OVER = (4, 5, 6)  # exceptions, transaction resources and identities
_TRIPLETS_END = 44
_COUNT = 0xFF_FFFF  # of the periods of a clock, the last 24 bits
_KINDS = {
    "C": "conversation", "D": "user event", "F": "long-running task",
    "S": "syncpoint", "T": "end of task",
}  # fmt: skip
_SCHEMA = {
    "TRAN": pl.String(), "USERID": pl.String(), "START": pl.Int64(),
    "STOP": pl.Int64(), "RTYPE": pl.String(), "USRDISPT": pl.Float64(),
    "TRANNUM": pl.String(), "PERIODS": pl.Int64(), "USRCPUT": pl.Float64(),
    "SUSPTIME": pl.Float64(),
}  # fmt: skip
Mask = NDArray[np.bool_]
Groups = dict[tuple[Dictionary, tuple[int, ...], int], list[int]]
_COMPRESSED = (
    "has compressed data; DFH$MOLS writes them expanded with its statement EXPAND"
)
_UNNAMED = (
    "has no dictionary of its region before it; put that in front which DFHMNDUP writes"
)
_MISPLACED = "has data of another place or length than it says"
_UNEXPLAINED = "has data that its dictionary does not explain"
_NO_CLASS = "has data of a class that is not known"
_OTHERS = "has no performance data, and so gives no row"


def read(records: Records, parts: Parts) -> Frames:
    """``cics_transaction`` rows: one for each performance record of a task."""
    products, heads = _products(records, parts)
    data = checked(products, _DATA, "CICS data", parts.trouble)
    groups = _groups(products, heads, spread(data), parts)
    found = [*_tables(groups, heads, spread(data), parts)]
    if not found:
        return {}
    rows = pl.concat([pl.DataFrame(schema=_SCHEMA), *found], how="diagonal")
    odd = (pl.col("TRAN") == "") | pl.col("START").is_null()
    odd |= (pl.col("STOP") < pl.col("START")).fill_null(True)
    spoil_odd(rows, odd, "110-1", "has a task without a name or a time", parts)
    return {"cics_transaction": _transactions(rows)}


def _products(records: Records, parts: Parts) -> tuple[Sections, pl.DataFrame]:
    """The product sections of records that can be read, and what they say."""
    end = np.full(len(records), _TRIPLETS_END)
    name = PRODUCT.name
    products = spread(triplet(records, 28, name, parts.trouble, end, needed=True))
    table = products.table(PRODUCT, parts.page).drop_nulls()
    products = products.only(products.stride >= PRODUCT.least)
    heads = table.hstack(headers(records, parts.page)[table["record"]])
    wanted, others = (
        heads["CL"].is_in(classes).to_numpy() for classes in (_CLASSES, _PASSED_OVER)
    )
    pass_over(_at(records, products.record[others]), "110-1", _OTHERS, parts)
    odd = heads.filter(~wanted & ~others)
    spoil_odd(odd, pl.lit(True), "110-1", _NO_CLASS, parts)
    sound, compressed = _data_sections(records.only(products.record), table)
    index = products.record[wanted & compressed]
    pass_over(_at(records, index), "110-1", _COMPRESSED, parts)
    odd = heads.filter(wanted & ~sound & ~compressed)
    spoil_odd(odd, pl.lit(True), "110-1", _MISPLACED, parts)
    index = np.flatnonzero(wanted & sound)
    return products.only(index), heads[index]


def _data_sections(records: Records, said: pl.DataFrame) -> tuple[Mask, Mask]:
    """Which data sections are where and as long as the product section says, and which
    are shorter, because they are compressed; those end with their record."""
    begin, length = records.number(36, 4), records.number(40, 2)
    connected = said["DCN"] > 0
    wanted = said.select(pl.when(connected).then("DCA").otherwise("DRA")).to_series()
    size = (said["DCL"] * said["DCN"] + said["DRL"] * said["DRN"]).to_numpy()
    placed = (begin == wanted.to_numpy()) & (records.number(42, 2) == 1)
    ends = begin + length == records.length
    return placed & (length == size), placed & ends & (length > 0) & (length < size)


def _groups(
    products: Sections, heads: pl.DataFrame, entries: Sections, parts: Parts
) -> Groups:
    """Product sections of performance records, by the dictionary, the connectors and
    the length of their data. Dictionaries among the records are remembered."""
    connectors = _connectors(products, parts)
    groups: Groups = {}
    unnamed: list[int] = []
    told = heads.select("system", "generic", "region", "CL", "DRL").iter_rows()
    for nth, (system, generic, specific, kind, length) in enumerate(told):
        region = (system, generic, specific)
        if kind == _DICTIONARY:
            some = entries.only(entries.owner == nth)
            parts.remembered[region] = dictionary(some.table(ENTRY, parts.page))
        elif known := parts.remembered.get(region):
            key = (known, connectors.get(nth, ()), length)
            groups.setdefault(key, []).append(nth)
        else:
            unnamed.append(nth)
    dictionaries = products.record[heads["CL"].to_numpy() == _DICTIONARY]
    parts.trouble.excuse(products.records.position[dictionaries].tolist())
    without = products.record[np.array(unnamed, np.int64)]
    pass_over(_at(products.records, without), "110-1", _UNNAMED, parts)
    return groups


def _connectors(products: Sections, parts: Parts) -> dict[int, tuple[int, ...]]:
    """The connectors in front of the data of each record that has some."""
    found = spread(checked(products, _CONNECTORS, "field connectors", parts.trouble))
    values = found.number(0, 2).tolist()
    ends = np.searchsorted(found.owner, np.arange(len(products) + 1)).tolist()
    return {
        nth: tuple(values[first:last])
        for nth, (first, last) in enumerate(pairwise(ends))
        if first < last
    }


def _tables(
    groups: Groups, heads: pl.DataFrame, data: Sections, parts: Parts
) -> Iterator[pl.DataFrame]:
    """The performance records of each group, with what is said of their region."""
    for (known, connectors, length), index in groups.items():
        rows = heads[index]
        layout = known.layout(connectors, length)
        spoil_odd(rows, pl.lit(layout is None), "110-1", _UNEXPLAINED, parts)
        if layout:
            some = data.only(np.isin(data.owner, index))
            table = some.table(layout, parts.page).drop("record")
            yield table.hstack(heads.drop("record")[some.owner])


def _transactions(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.select(
        "system",
        "position",
        "written_local",
        start="START",
        end="STOP",
        region="region",
        transaction="TRAN",
        task=pl.col("TRANNUM").str.slice(0, 7).cast(pl.Int64, strict=False),
        user="USERID",
        kind=pl.col("RTYPE")
        .str.slice(-1)
        .replace_strict(_KINDS, default=None, return_dtype=pl.String),
        response_seconds=(pl.col("STOP") - pl.col("START")) / 1e6,
        dispatch_seconds="USRDISPT",
        dispatches=pl.col("PERIODS") & _COUNT,
        cpu_seconds="USRCPUT",
        suspend_seconds="SUSPTIME",
    )


def _at(records: Records, index: NDArray[np.int64]) -> list[int]:
    return records.position[index].tolist()
