"""Type 119, TCP/IP: connections and statistics (subtypes 2, 5, 6).

Layouts: IBM's z/OS Communications Server pages (commonamf, commontcp, tcpstat, …),
offsets transcribed in two public code bases and, of subtype 2, cross-checked with a
third (D). Fields ending in STCK are UTC; other times are local, as is the header's,
by which the statistics are dated: they end when they were written.
"""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.facts.remark import remark
from analysis.ingest.smf.header import headers, local_micros
from analysis.ingest.smf.layout import Layout, fields
from analysis.ingest.smf.parts import Frames, Parts, one_each
from analysis.ingest.smf.records import Records, Sections
from analysis.ingest.smf.triplets import spread, triplet
from analysis.ingest.smf.trouble import Trouble
from analysis.ingest.smf.validity import FLAGS

IDENTIFICATION = Layout(
    "TCP/IP identification",
    "D",
    fields(("STACK", 16, 8, "text"), ("REASON", 60, 1)),
    shortest=61,
)
CONNECTION = Layout(
    "TCP connection termination",
    "D",
    fields(
        ("RName", 0, 8, "text"),
        ("ConnID", 8, 4),
        ("SMCStatus", 15, 1),
        ("STime", 20, 4),
        ("SDate", 24, 4, "date"),
        ("ETime", 28, 4),
        ("EDate", 32, 4, "date"),
        ("RIP", 36, 16, "address"),
        ("LIP", 52, 16, "address"),
        ("RPort", 68, 2),
        ("LPort", 70, 2),
        ("InBytes", 72, 8),
        ("OutBytes", 80, 8),
        ("RTT", 104, 4),
        ("Status", 112, 1),
        ("XRT", 114, 2),
        ("InSeg", 180, 8),
        ("OutSeg", 188, 8),
        ("SSTCK", 196, 8, "stck"),
        ("ESTCK", 204, 8, "stck"),
    ),
    shortest=180,
)
IP = Layout(
    "IP statistics",
    "D",
    fields(("SPAN", 0, 8, "tod"), ("RecData", 8, 4), ("XData", 36, 4)),
    shortest=40,
)
TCP = Layout(
    "TCP statistics",
    "D",
    fields(
        ("SPAN", 0, 8, "tod"),
        ("OpenConn", 24, 4),
        ("PassConn", 28, 4),
        ("InSegs", 44, 4),
        ("OSegs", 48, 4),
        ("RxSegs", 52, 4),
    ),
    shortest=56,
)
UDP = Layout(
    "UDP statistics",
    "D",
    fields(("SPAN", 0, 8, "tod"), ("RecData", 8, 8), ("XmtData", 24, 8)),
    shortest=32,
)
_APART = 60_000_000  # microseconds: records of one interval are written at once
_ROLES = {0: "server", 1: "client"}  # passive and active open


def triplets_end(records: Records) -> NDArray[np.int64]:
    """Where the triplets of a type 119 record end."""
    return 28 + 8 * records.number(24, 2)


def events(records: Records, parts: Parts) -> pl.DataFrame:
    """``system``, ``position``, ``written_local``, ``stack``, ``reason``."""
    name = IDENTIFICATION.name
    found = spread(
        triplet(records, 28, name, parts.trouble, triplets_end(records), needed=True)
    )
    rows = headers(records, parts.page).hstack(
        one_each(found, IDENTIFICATION, parts, len(records))
    )
    return rows.rename({"STACK": "stack", "REASON": "reason"})


def first(records: Records, at: int, name: str, parts: Parts) -> Sections:
    """The sections behind one triplet of type 119 records."""
    return spread(triplet(records, at, name, parts.trouble, triplets_end(records)))


def read_connections(records: Records, parts: Parts) -> Frames:
    """``tcp_connection`` rows: one for each connection that ended."""
    table = first(records, 36, CONNECTION.name, parts).table(CONNECTION, parts.page)
    rows = table.hstack(events(records, parts)[table["record"]])
    return {
        "tcp_connection": rows.select(
            "system",
            "position",
            "written_local",
            "stack",
            start="SSTCK",
            start_local=local_micros("SDate", pl.col("STime") / 100),
            end="ESTCK",
            end_local=local_micros("EDate", pl.col("ETime") / 100),
            job="RName",
            role=word("Status", _ROLES),
            connection="ConnID",
            local_ip="LIP",
            local_port="LPort",
            remote_ip="RIP",
            remote_port="RPort",
            bytes_in="InBytes",
            bytes_out="OutBytes",
            segments_in="InSeg",
            segments_out="OutSeg",
            retransmits="XRT",
            rtt_ms="RTT",
            smc_status="SMCStatus",
        )
    }


def read_statistics(records: Records, parts: Parts) -> Frames:
    """``tcpip_interval`` rows, one a record; ``more`` of the interval may follow."""
    rows = events(records, parts)
    for at, layout, prefix in ((36, IP, "IP"), (44, TCP, "TCP"), (52, UDP, "UDP")):
        found = first(records, at, layout.name, parts)
        one = one_each(found, layout, parts, len(records))
        rows = rows.hstack(one.select(pl.all().name.prefix(f"{prefix}_")))
    seconds = pl.coalesce("TCP_SPAN", "IP_SPAN", "UDP_SPAN")
    return {
        "tcpip_interval": rows.select(
            "system",
            "position",
            "written_local",
            "stack",
            more=FLAGS["SMF119TI_Reason", 1].speaks(),
            start=pl.lit(None, pl.Int64),
            start_local=start_before("written_local", seconds),
            seconds=seconds,
            segments_in="TCP_InSegs",
            segments_out="TCP_OSegs",
            retransmits="TCP_RxSegs",
            connections_opened="TCP_OpenConn",
            connections_accepted="TCP_PassConn",
            datagrams_in="IP_RecData",
            datagrams_out="IP_XData",
            udp_in="UDP_RecData",
            udp_out="UDP_XmtData",
        )
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
        lambda nth: remark("lonely_statistics", where=where[nth]),
        "119-5 records whose others are missing",
    )
    return joined.filter(~pl.col("more"))


def start_before(end: str, seconds: pl.Expr) -> pl.Expr:
    """When an interval of so many seconds began that ended at the time in a column."""
    return pl.col(end) - (seconds * 1_000_000).round().cast(pl.Int64)


def word(column: str, words: dict[int, str]) -> pl.Expr:
    """The word of a number; null of one that is not documented."""
    return pl.col(column).replace_strict(words, default=None, return_dtype=pl.String)
