"""Type 119, TCP/IP: the profile of a stack (subtype 4), as settings with their values.

A record is written when a stack starts, with the whole profile, and when a part of the
profile was changed, with that part. Layouts: IBM's z/OS Communications Server pages on
the profile record (subtype4self, tcpipv4cs, subtype4udpconfig, tcpprgcs) and the names
and sizes of the mapping EZBNMMPC in a public decoder (D); taken is what both have. That
the global section is the eighth is of the decoder alone: its eyecatcher proves it. Of
the other sections, that of TCPCONFIG among them, one of the two was not to be had.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from analysis.facts.remark import remark
from analysis.ingest.smf.layout import Layout, fields
from analysis.ingest.smf.parts import Frames, Parts
from analysis.ingest.smf.records import Records
from analysis.ingest.smf.type119 import events, first, triplets_end

_SCHEMA = {
    "record": pl.Int64(),
    "statement": pl.String(),
    "parameter": pl.String(),
    "unit": pl.String(),
    "value": pl.Int64(),
}


@dataclass(frozen=True)
class ProfileSetting:
    """A parameter of a statement: a field, or the ``bit`` of a field of flags."""

    parameter: str
    field: str
    bit: int = 0
    unit: str | None = None

    def value(self) -> pl.Expr:
        """Its value from the columns of the section; of a bit, 1 or 0."""
        if not self.bit:
            return pl.col(self.field)
        return (pl.col(self.field) // self.bit) % 2


@dataclass(frozen=True)
class ProfileSection:
    """A section of the profile: where its triplet is, and what settings it holds.
    Its first four bytes say what it is (``eye``)."""

    at: int
    eye: str
    statement: str
    layout: Layout
    settings: tuple[ProfileSetting, ...]


IPV4 = ProfileSection(
    60,
    "V4CF",
    "IPCONFIG",
    Layout(
        "IPv4 configuration",
        "D",
        fields(("Eye", 0, 4, "text"), ("Flags", 4, 4), ("Arp", 8, 4), ("Retry", 12, 4)),
        shortest=16,
    ),
    (
        ProfileSetting("DATAGRAMFWD", "Flags", 0x4000_0000),
        ProfileSetting("DYNAMICXCF", "Flags", 0x1000_0000),
        ProfileSetting("IGNOREREDIRECT", "Flags", 0x0400_0000),
        ProfileSetting("IPSECURITY", "Flags", 0x0100_0000),
        ProfileSetting("IQDIOROUTING", "Flags", 0x0080_0000),
        ProfileSetting("ARPTO", "Arp", unit="s"),
        ProfileSetting("DEVRETRYDURATION", "Retry", unit="s"),
    ),
)
UDP = ProfileSection(
    84,
    "UDCF",
    "UDPCONFIG",
    Layout(
        "UDP configuration",
        "D",
        fields(("Eye", 0, 4, "text"), ("Flags", 4, 1), ("Rcv", 8, 2), ("Send", 10, 2)),
        shortest=12,
    ),
    (
        ProfileSetting("RESTRICTLOWPORTS", "Flags", 0x80),
        ProfileSetting("UDPCHKSUM", "Flags", 0x40),
        ProfileSetting("UDPQUEUELIMIT", "Flags", 0x20),
        ProfileSetting("UDPRCVBUFRSIZE", "Rcv", unit="byte"),
        ProfileSetting("UDPSENDBFRSIZE", "Send", unit="byte"),
    ),
)
GLOBAL = ProfileSection(
    92,
    "GBCF",
    "GLOBALCONFIG",
    Layout(
        "global configuration",
        "D",
        fields(("Eye", 0, 4, "text"), ("Flags", 4, 2), ("Poll", 10, 1)),
        shortest=6,
    ),
    (
        ProfileSetting("EXPLICITBINDPORTRANGE", "Flags", 0x8000),
        ProfileSetting("IQDMULTIWRITE", "Flags", 0x4000),
        ProfileSetting("TCPIPSTATISTICS", "Flags", 0x0800),
        ProfileSetting("ZIIP", "Flags", 0x0400),
        ProfileSetting("WLMPRIORITYQ", "Flags", 0x0200),
        ProfileSetting("SMCR", "Flags", 0x0100),
        ProfileSetting("SMCD", "Flags", 0x0080),
        ProfileSetting("ZERT", "Flags", 0x0040),
        ProfileSetting("SYSPLEXWLMPOLL", "Poll", unit="s"),
    ),
)
SECTIONS = (IPV4, UDP, GLOBAL)
_OTHERS = {  # S1, S2 … as IBM names the triplets
    at: f"S{(at - 28) // 8}"
    for at in range(36, 196, 8)
    if at not in {section.at for section in SECTIONS}
}


def read_profile(records: Records, parts: Parts) -> Frames:
    """``tcpip_profile`` rows: one for each setting, dated by when it was written."""
    for at, name in _OTHERS.items():
        first(records, at, name, parts)  # none may lie outside of the record
    settings = pl.concat([_settings(records, section, parts) for section in SECTIONS])
    settings = settings.sort("record", maintain_order=True)
    _tell_others(records, parts)
    rows = settings.hstack(events(records, parts)[settings["record"]])
    return {
        "tcpip_profile": rows.select(
            "system",
            "position",
            "written_local",
            "stack",
            "statement",
            "parameter",
            "value",
            "unit",
            start=pl.lit(None, pl.Int64),
            start_local="written_local",
        )
    }


def _settings(records: Records, section: ProfileSection, parts: Parts) -> pl.DataFrame:
    """The settings of one section of each record that has it: a row each."""
    name = section.layout.name
    table = first(records, section.at, name, parts).table(section.layout, parts.page)
    _tell_strange(table, section, records, parts)
    sound = table.filter(pl.col("Eye") == section.eye)
    found = [
        sound.select(
            "record",
            statement=pl.lit(section.statement),
            parameter=pl.lit(setting.parameter),
            unit=pl.lit(setting.unit, pl.String),
            value=setting.value(),
        )
        for setting in section.settings
    ]
    return pl.concat([pl.DataFrame(schema=_SCHEMA), *found]).drop_nulls("value")


def _tell_strange(
    table: pl.DataFrame, section: ProfileSection, records: Records, parts: Parts
) -> None:
    """Tell of sections that are not what their triplet says."""
    strange = table.filter(pl.col("Eye") != section.eye)
    for record, eye in strange.select("record", "Eye").iter_rows():
        where = int(records.position[record])
        told = remark(
            "eyecatcher",
            name=section.layout.name,
            where=where,
            eye=eye,
            wanted=section.eye,
        )
        parts.trouble.damage(told, where, "sections without their eyecatcher")


def _tell_others(records: Records, parts: Parts) -> None:
    """Tell of records that have none of the sections."""
    end = triplets_end(records)
    has = np.zeros(len(records), np.bool_)
    for section in SECTIONS:
        has |= (records.number(section.at + 6, 2) > 0) & (end >= section.at + 8)
    others = records.position[~has].tolist()
    if others:
        parts.trouble.excuse(others)
        sections = ", ".join(section.statement for section in SECTIONS)
        told = remark("other_profile_parts", records=len(others), sections=sections)
        parts.trouble.tell_once(told, others[0])
