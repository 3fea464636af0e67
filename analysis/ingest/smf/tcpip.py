"""What of type 119 is more than its declaration: ports, transfers, profiles, and what
several records say together."""

from __future__ import annotations

import numpy as np
import polars as pl

from analysis.facts.remark import remark
from analysis.ingest.smf.columns import UNKNOWN, Layout, local
from analysis.ingest.smf.decode import (
    Frames,
    Parts,
    events,
    finish,
    sections,
    selected,
    triplets_end,
)
from analysis.ingest.smf.distinct import translate
from analysis.ingest.smf.records import Records, Sections, overlapping
from analysis.ingest.smf.trouble import Trouble
from analysis.ingest.smf.types.tcpip import (
    CLIENT,
    FTP,
    PORT_SECTIONS,
    PORTS,
    PROFILE,
    PROFILE_SECTIONS,
    SERVER,
    ProfileSection,
)

_APART = 60_000_000  # microseconds: records of one interval are written at once
_OTHER_SECTIONS = {  # S1, S2 … as IBM names the triplets
    at: f"S{(at - 28) // 8}"
    for at in range(36, 196, 8)
    if at not in {one.section.at for one in PROFILE_SECTIONS}
}
_SETTINGS = {
    "record": pl.Int64(),
    "statement": pl.String(),
    "parameter": pl.String(),
    "unit": pl.String(),
    "value": pl.Int64(),
}


def joined_statistics(table: pl.DataFrame, trouble: Trouble) -> pl.DataFrame:
    """One row for each interval: the counts of its records are added up. One that
    lacks a record is told of and left out."""
    key = ["system", "stack"]
    apart = pl.col("written_local").diff() > _APART
    begins = (~pl.col("more").shift(1) | apart).fill_null(True)
    ordered = table.sort("position").with_columns(
        nth=begins.cast(pl.Int64).cum_sum().over(key)
    )
    counts = [
        name
        for name, kind in ordered.schema.items()
        if name.startswith(
            ("segments", "retransmits", "connections", "datagrams", "udp")
        )
        and kind.is_integer()
    ]
    known = [
        pl.when(pl.col(name).is_not_null().any()).then(pl.col(name).sum()).alias(name)
        for name in counts
    ]
    joined = ordered.group_by([*key, "nth"], maintain_order=True).agg(
        pl.col("position", "written_local", "start", "start_local").first(),
        pl.col("seconds").max(),
        pl.col("more").last(),
        *known,
    )
    where = joined.filter("more")["position"].to_list()
    trouble.damage_each(
        where,
        lambda nth: remark(
            "lonely_statistics",
            f"the 119-5 record at byte offset {where[nth]} says that more of "
            "its interval follow, and none does: the interval was not used",
        ),
        "119-5 records whose others are missing",
    )
    return joined.filter(~pl.col("more"))


def joined_sessions(rows: pl.DataFrame) -> pl.DataFrame:
    """One row for each session: of those that ended, the row of their end."""
    begun = pl.col("end_local").is_null()
    key = ["system", "stack", "lu", "application", "start_local"]
    left = rows.filter(begun).join(rows.filter(~begun), on=key, how="anti")
    return pl.concat([rows.filter(~begun), left]).sort("position")


def read_ports(records: Records, parts: Parts) -> Frames:
    """``server_port_interval`` rows: one for each reserved port and interval."""
    tables = []
    for protocol, section in PORT_SECTIONS.items():
        found = sections(records, section, parts).table(section, parts.page)
        tables.append(found.with_columns(transport=pl.lit(protocol)))
    table = pl.concat(tables, how="diagonal").sort("record", maintain_order=True)
    rows = table.hstack(events(records, parts)[table["record"]])
    return finish(PORTS, rows, parts)


def read_client_transfers(records: Records, parts: Parts) -> Frames:
    """``ftp_transfer`` rows of the FTP client."""
    return _transfers(records, CLIENT, "client", parts, 44)


def read_server_transfers(records: Records, parts: Parts) -> Frames:
    """``ftp_transfer`` rows of the FTP server; of a renamed file with its old name.

    The section of the file's name is the third. The second and the fourth, of the
    host's name and of the new one, are looked at only to see that they are sound.
    """
    for at, name in ((44, "FTP host name"), (60, "FTP new file name")):
        sections(records, Layout(name, "D", (), at=at), parts)
    return _transfers(records, SERVER, "server", parts, 52)


def _transfers(
    records: Records, section: Layout, role: str, parts: Parts, named: int
) -> Frames:
    """Rows of the transfers; ``named`` is where the triplet of the file's name is.

    A record that goes on with the names of load modules, where those of a transfer do
    not fit in one, has no section of a transfer.
    """
    modules = (triplets_end(records) >= 84) & (records.number(82, 2) > 0)
    goes_on = modules & (records.number(42, 2) == 0)
    parts.trouble.excuse(records.position[goes_on].tolist())
    table = sections(records, section, parts).table(section, parts.page)
    name = Layout("FTP file name", "D", (), at=named)
    names = _names(sections(records, name, parts), parts)
    rows = table.hstack(events(records, parts)[table["record"]])
    rows = rows.join(names, on="record", how="left", maintain_order="left")
    counted = pl.col("bytes_float").round().cast(pl.Int64, strict=False)
    rows = rows.with_columns(
        role=pl.lit(role),
        file=_with_member(pl.col("file"), pl.col("member")),
        start=UNKNOWN,
        start_local=local("start"),
        seconds=pl.col("hundredths") / 100,
        bytes=pl.when(pl.col("bytes") == 0)
        .then(counted.fill_null(0))
        .otherwise("bytes"),
    )
    return {FTP.name: selected(FTP, rows)}


def _with_member(file: pl.Expr, member: pl.Expr) -> pl.Expr:
    """The name of a member of a partitioned data set as z/OS writes it."""
    partitioned = (pl.col("data_set_type") == "P") & (member != "")
    plain = ~(partitioned & ~file.str.ends_with(")")).fill_null(False)
    return pl.when(plain).then(file).otherwise(pl.format("{}({})", file, member))


def _names(found: Sections, parts: Parts) -> pl.DataFrame:
    """``record`` and ``file``: sections that are one text from end to end."""
    tables = [pl.DataFrame(schema={"record": pl.Int64, "file": pl.String})]
    for length in np.unique(found.stride).tolist():
        some = found.only(found.stride == length)
        data = some.records.data
        if length < len(data):
            raw = overlapping(data, f"V{length}")[some.start]
            text = translate(raw, parts.page.decode)
            tables.append(pl.DataFrame({"record": some.record, "file": text}))
    return pl.concat(tables).unique("record", keep="first", maintain_order=True)


def read_profile(records: Records, parts: Parts) -> Frames:
    """``tcpip_profile`` rows, one for each setting. A record is written when a stack
    starts, with the whole profile, and when a part of it was changed, with that."""
    for at, name in _OTHER_SECTIONS.items():  # none may lie outside of the record
        sections(records, Layout(name, "D", (), at=at), parts)
    settings = pl.concat([_settings(records, one, parts) for one in PROFILE_SECTIONS])
    settings = settings.sort("record", maintain_order=True)
    _tell_other_profiles(records, parts)
    rows = settings.hstack(events(records, parts)[settings["record"]])
    rows = rows.with_columns(start=UNKNOWN, start_local="written_local")
    return {PROFILE.name: selected(PROFILE, rows)}


def _settings(records: Records, of: ProfileSection, parts: Parts) -> pl.DataFrame:
    """The settings of one section of each record that has it: a row each."""
    section = of.section
    table = sections(records, section, parts).table(section, parts.page)
    strange = table.filter(pl.col("eye") != of.eye)
    for record, eye in strange.select("record", "eye").iter_rows():
        where = int(records.position[record])
        told = remark(
            "eyecatcher",
            f"the {section.name} section of the record at byte offset {where} "
            f"begins with {eye!r}, not with {of.eye!r}; it was not read",
        )
        parts.trouble.damage(told, where, "sections without their eyecatcher")
    sound = table.filter(pl.col("eye") == of.eye)
    values = {name: pl.col("flags") // bit % 2 for name, bit in of.switches.items()}
    values |= {name: pl.col(name) for name in of.units}
    found = [
        sound.select(
            "record",
            statement=pl.lit(of.statement),
            parameter=pl.lit(name),
            unit=pl.lit(of.units.get(name), pl.String),
            value=value,
        )
        for name, value in values.items()
    ]
    return pl.concat([pl.DataFrame(schema=_SETTINGS), *found]).drop_nulls("value")


def _tell_other_profiles(records: Records, parts: Parts) -> None:
    """Tell of records that have none of the sections."""
    end = triplets_end(records)
    has = np.zeros(len(records), np.bool_)
    for at in (one.section.at for one in PROFILE_SECTIONS):
        has |= (records.number(at + 6, 2) > 0) & (end >= at + 8)
    others = records.position[~has].tolist()
    if others:
        parts.trouble.excuse(others)
        statements = ", ".join(one.statement for one in PROFILE_SECTIONS)
        told = remark(
            "other_profile_parts",
            f"{len(others)} records 119-4 are of other parts of the profile "
            f"than {statements}: no rows",
        )
        parts.trouble.tell_once(told, others[0])
