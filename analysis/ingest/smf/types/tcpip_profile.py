"""Type 119-4, the profile of a TCP/IP stack.

Layout: IBM's pages (subtype4self, tcpipv4cs, subtype4udpconfig, tcpprgcs) and the names
and sizes of the mapping EZBNMMPC in a public decoder (D); taken is what both have. That
its global section is the eighth is of the decoder alone: its eyecatcher proves it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from analysis.facts.remark import Remark, remark
from analysis.ingest.smf.columns import (
    STACK,
    UNKNOWN,
    Frames,
    Layout,
    RecordType,
    S,
    column,
    fields,
    table,
)
from analysis.ingest.smf.types.rmf import triplets_end
from analysis.ingest.smf.types.tcpip import TCPIP

if TYPE_CHECKING:
    from analysis.ingest.smf.batch import RecordBatch


@dataclass(frozen=True)
class ProfileSection:
    """A section of the profile, whose first four bytes say what it is (``eye``): the
    parameters of its statement that are bits of its flags, and the units of those that
    are fields."""

    eye: str
    statement: str
    section: Layout
    switches: dict[str, int]
    units: dict[str, str]


PROFILE_SECTIONS = (
    ProfileSection("V4CF", "IPCONFIG", Layout("IPv4 configuration", "D", fields(
        ("eye", 0, 4, "text"), ("flags", 4, 4), ("ARPTO", 8, 4),
        ("DEVRETRYDURATION", 12, 4),
    ), shortest=16, at=60), {
        "DATAGRAMFWD": 0x4000_0000, "DYNAMICXCF": 0x1000_0000,
        "IGNOREREDIRECT": 0x0400_0000, "IPSECURITY": 0x0100_0000,
        "IQDIOROUTING": 0x0080_0000,
    }, {"ARPTO": "s", "DEVRETRYDURATION": "s"}),
    ProfileSection("UDCF", "UDPCONFIG", Layout("UDP configuration", "D", fields(
        ("eye", 0, 4, "text"), ("flags", 4, 1), ("UDPRCVBUFRSIZE", 8, 2),
        ("UDPSENDBFRSIZE", 10, 2),
    ), shortest=12, at=84), {
        "RESTRICTLOWPORTS": 0x80, "UDPCHKSUM": 0x40, "UDPQUEUELIMIT": 0x20,
    }, {"UDPRCVBUFRSIZE": "byte", "UDPSENDBFRSIZE": "byte"}),
    ProfileSection("GBCF", "GLOBALCONFIG", Layout("global configuration", "D", fields(
        ("eye", 0, 4, "text"), ("flags", 4, 2), ("SYSPLEXWLMPOLL", 10, 1),
    ), shortest=6, at=92), {
        "EXPLICITBINDPORTRANGE": 0x8000, "IQDMULTIWRITE": 0x4000,
        "TCPIPSTATISTICS": 0x0800, "ZIIP": 0x0400, "WLMPRIORITYQ": 0x0200,
        "SMCR": 0x0100, "SMCD": 0x0080, "ZERT": 0x0040,
    }, {"SYSPLEXWLMPOLL": "s"}),
)  # fmt: skip
_PLACES = [one.section.at for one in PROFILE_SECTIONS]
_OTHER_SECTIONS = [  # S1, S2 … as IBM names the triplets
    Layout(f"S{(at - 28) // 8}", "D", (), at=at)
    for at in range(36, 196, 8)
    if at not in _PLACES
]


def _read_profile(batch: RecordBatch) -> Frames:
    """A row for each setting. A record is written when a stack starts, with the whole
    profile, and when a part of it was changed, with that."""
    for other in _OTHER_SECTIONS:  # none may lie outside of the record
        batch.sections(other)
    rows = pl.concat([_settings(batch, one) for one in PROFILE_SECTIONS])
    rows = rows.sort("record", maintain_order=True)
    ends = triplets_end(batch)
    has = ends < 0
    for at in _PLACES:
        has |= (batch.number(at + 6, 2) > 0) & (ends >= at + 8)
    others = batch.positions(~has)
    batch.trouble.excuse(others)
    batch.trouble.tell_together(others, _other_parts)
    return batch.finish(rows.hstack(TCPIP.head(batch)[rows["record"]]))


def _other_parts(count: int) -> Remark:
    statements = ", ".join(one.statement for one in PROFILE_SECTIONS)
    return remark(
        "other_profile_parts",
        f"{count} records 119-4 are of other parts of the profile than {statements}: "
        "no rows",
    )


def _settings(batch: RecordBatch, of: ProfileSection) -> pl.DataFrame:
    """The settings of one section of each record that has it: a row each."""
    table = batch.table(of.section)
    strange = table.filter(pl.col("eye") != of.eye)
    for record, eye in strange.select("record", "eye").iter_rows():
        (where,) = batch.positions([record])
        problem = remark(
            "eyecatcher",
            f"the {of.section.name} section of the record at byte offset {where} "
            f"begins with {eye!r}, not with {of.eye!r}; it was not read",
        )
        batch.trouble.damage(problem, where, "sections without their eyecatcher")
    sound = table.filter(pl.col("eye") == of.eye)
    values = {name: pl.col("flags") // bit % 2 for name, bit in of.switches.items()}
    values |= {name: pl.col(name) for name in of.units}
    every = (
        sound.select(
            "record",
            statement=pl.lit(of.statement),
            parameter=pl.lit(name),
            unit=pl.lit(of.units.get(name), pl.String),
            value=value,
        )
        for name, value in values.items()
    )
    return pl.concat(every).drop_nulls("value")


PROFILE = RecordType("119-4", table(
    "tcpip_profile",
    "Settings of a TCP/IP stack when it started or its profile was changed (119-4); "
        "those of IPCONFIG, UDPCONFIG and GLOBALCONFIG that are read",
    STACK, column("start_utc", "when the record was written [UTC, ISO 8601]", S),
    column("statement", "statement of the profile, such as GLOBALCONFIG", S),
    column("parameter", "parameter of the statement, such as SMCR", S),
    column("value", "its value in its unit; 1 and 0 say that it is on or off"),
    column("unit", "unit of the value: s or byte; null of switches", S),
),
    times={"start": UNKNOWN, "start_local": pl.col("written_local")}, family=TCPIP,
    read=_read_profile,
)  # fmt: skip
RECORDS = (PROFILE,)
