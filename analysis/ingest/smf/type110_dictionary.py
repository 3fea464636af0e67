"""Type 110, CICS monitoring: the dictionary of a region, which names its fields.

Layout: the data area DFHMCTDR of CICS Transaction Server, and the monitoring record
formats in CICS Customization Guide (D). A performance record has the fields of which
connectors are listed in front of it, in that order and without gaps; the dictionary
says the owner, the identifier and the length of each.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from analysis.ingest.smf.columns import Field, Kind, Layout, fields

ENTRY = Layout(
    "dictionary entry",
    "D",
    fields(
        ("NAME", 0, 8, "text"),
        ("TYPE", 8, 1, "text"),
        ("IDNT", 9, 3, "text"),
        ("LENG", 12, 2),
        ("CONN", 14, 2),
    ),
    shortest=26,
)
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
