"""Type 119 file transfers (subtypes 3, 70) and TN3270E sessions (subtypes 20, 21).

Layouts: as of the other subtypes; the order of the sections of 70 is on IBM's page
(fstcrd), too (D). All times are local. Subtype 20 is the begin of a session; subtype
21, its end, repeats all that is in it.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from analysis.ingest.smf.distinct import translate
from analysis.ingest.smf.header import local_micros
from analysis.ingest.smf.layout import Layout, Sure, fields
from analysis.ingest.smf.parts import Frames, Parts, one_each
from analysis.ingest.smf.records import Records, Sections, overlapping
from analysis.ingest.smf.type119 import events, first, triplets_end

SESSION = Layout(
    "TN3270E session",
    "D",
    fields(
        ("LU", 0, 8, "text"),
        ("Appl", 8, 8, "text"),
        ("RIP", 20, 16, "address"),
        ("InByte", 64, 8),
        ("OutByte", 72, 8),
        ("STime", 80, 4),
        ("SDate", 84, 4, "date"),
        ("ETime", 88, 4),
        ("EDate", 92, 4, "date"),
        ("Dur", 96, 4),
    ),
    shortest=100,
)
BEGIN = Layout(
    "TN3270E session begin",
    "D",
    fields(
        ("LU", 0, 8, "text"),
        ("Appl", 8, 8, "text"),
        ("RIP", 20, 16, "address"),
        ("STime", 56, 4),
        ("SDate", 60, 4, "date"),
    ),
    shortest=64,
)
ROUND_TRIPS = Layout(
    "TN3270E round trips",
    "D",
    fields(("Rts", 0, 4), ("IPRts", 4, 4), ("Count", 8, 4)),
    shortest=12,
)
_D: Sure = "D"
CLIENT = Layout(
    "FTP client transfer",
    _D,
    fields(
        ("Cmd", 0, 4, "text"),
        ("DRIP", 8, 16, "address"),
        ("DSType", 99, 1, "text"),
        ("STime", 100, 4),
        ("SDate", 104, 4, "date"),
        ("Dur", 116, 4),
        ("Bytes", 120, 8),
        ("Member", 132, 8, "text"),
        ("BytesFloat", 156, 8, "hfp"),
    ),
    shortest=128,
)
SERVER = Layout(
    "FTP server transfer",
    _D,
    fields(
        ("Cmd", 4, 4, "text"),
        ("DRIP", 12, 16, "address"),
        ("DSType", 95, 1, "text"),
        ("STime", 96, 4),
        ("SDate", 100, 4, "date"),
        ("Dur", 112, 4),
        ("Bytes", 116, 8),
        ("Member", 128, 8, "text"),
        ("BytesFloat", 152, 8, "hfp"),
    ),
    shortest=124,
)


def read_client_transfers(records: Records, parts: Parts) -> Frames:
    """``ftp_transfer`` rows of the FTP client."""
    return {"ftp_transfer": _transfers(records, CLIENT, "client", parts, 44)}


def read_server_transfers(records: Records, parts: Parts) -> Frames:
    """``ftp_transfer`` rows of the FTP server; of a renamed file with its old name.

    The section of the file's name is the third. The second and the fourth, of the
    host's name and of the new one, are looked at only to see that they are sound.
    """
    for at, name in ((44, "FTP host name"), (60, "FTP new file name")):
        first(records, at, name, parts)
    return {"ftp_transfer": _transfers(records, SERVER, "server", parts, 52)}


def _transfers(
    records: Records, layout: Layout, role: str, parts: Parts, named: int
) -> pl.DataFrame:
    """Rows of the transfers; ``named`` is where the triplet of the file's name is.

    A record that goes on with the names of load modules, where those of a transfer do
    not fit in one, has no section of a transfer.
    """
    modules = (triplets_end(records) >= 84) & (records.number(82, 2) > 0)
    goes_on = modules & (records.number(42, 2) == 0)
    parts.trouble.excuse(records.position[goes_on].tolist())
    table = first(records, 36, layout.name, parts).table(layout, parts.page)
    names = _names(first(records, named, "FTP file name", parts), parts)
    rows = table.hstack(events(records, parts)[table["record"]])
    rows = rows.join(names, on="record", how="left", maintain_order="left")
    counted = pl.col("BytesFloat").round().cast(pl.Int64, strict=False)
    return rows.select(
        "system",
        "position",
        "written_local",
        "stack",
        file=_with_member(pl.col("file"), pl.col("Member")),
        start=pl.lit(None, pl.Int64),
        start_local=local_micros("SDate", pl.col("STime") / 100),
        seconds=pl.col("Dur") / 100,
        role=pl.lit(role),
        command="Cmd",
        remote_ip="DRIP",
        bytes=pl.when(pl.col("Bytes") == 0)
        .then(counted.fill_null(0))
        .otherwise("Bytes"),
    )


def _with_member(file: pl.Expr, member: pl.Expr) -> pl.Expr:
    """The name of a member of a partitioned data set as z/OS writes it."""
    partitioned = (pl.col("DSType") == "P") & (member != "")
    plain = ~(partitioned & ~file.str.ends_with(")")).fill_null(False)
    return pl.when(plain).then(file).otherwise(pl.format("{}({})", file, member))


def _names(sections: Sections, parts: Parts) -> pl.DataFrame:
    """``record`` and ``file``: sections that are one text from end to end."""
    found = [pl.DataFrame(schema={"record": pl.Int64, "file": pl.String})]
    for length in np.unique(sections.stride).tolist():
        some = sections.only(sections.stride == length)
        data = some.records.data
        if length < len(data):
            raw = overlapping(data, f"V{length}")[some.start]
            text = translate(raw, parts.page.decode)
            found.append(pl.DataFrame({"record": some.record, "file": text}))
    return pl.concat(found).unique("record", keep="first", maintain_order=True)


_WHO = (
    "system",
    "position",
    "written_local",
    "stack",
    pl.col("LU").alias("lu"),
    pl.col("Appl").alias("application"),
    pl.col("RIP").alias("remote_ip"),
)
_AT_END: dict[str, pl.DataType] = {
    "end": pl.Int64(),
    "end_local": pl.Int64(),
    "seconds": pl.Float64(),
    "bytes_in": pl.Int64(),
    "bytes_out": pl.Int64(),
    "round_trips": pl.Int64(),
    "response_ms": pl.Float64(),
    "response_ms_resolution": pl.Float64(),
    "network_ms": pl.Float64(),
    "host_ms": pl.Float64(),
}


def read_begins(records: Records, parts: Parts) -> Frames:
    """``tn3270_session`` rows: one for each session that began."""
    table = first(records, 36, BEGIN.name, parts).table(BEGIN, parts.page)
    rows = table.hstack(events(records, parts)[table["record"]])
    return {
        "tn3270_session": rows.select(
            *_WHO,
            start=pl.lit(None, pl.Int64),
            start_local=local_micros("SDate", pl.col("STime") / 100),
            **{name: pl.lit(None, kind) for name, kind in _AT_END.items()},
        )
    }


def joined_sessions(rows: pl.DataFrame) -> pl.DataFrame:
    """One row for each session: of those that ended, the row of their end."""
    begun = pl.col("end_local").is_null()
    key = ["system", "stack", "lu", "application", "start_local"]
    left = rows.filter(begun).join(rows.filter(~begun), on=key, how="anti")
    return pl.concat([rows.filter(~begun), left]).sort("position")


def read_sessions(records: Records, parts: Parts) -> Frames:
    """``tn3270_session`` rows: one for each session that ended."""
    trips = one_each(
        first(records, 52, ROUND_TRIPS.name, parts), ROUND_TRIPS, parts, len(records)
    )
    table = first(records, 36, SESSION.name, parts).table(SESSION, parts.page)
    whole = events(records, parts).hstack(trips)
    rows = table.hstack(whole[table["record"]])
    each = pl.when(pl.col("Count") > 0).then(1 / pl.col("Count"))
    return {
        "tn3270_session": rows.select(
            *_WHO,
            start=pl.lit(None, pl.Int64),
            start_local=local_micros("SDate", pl.col("STime") / 100),
            end=pl.lit(None, pl.Int64),
            end_local=local_micros("EDate", pl.col("ETime") / 100),
            seconds=pl.col("Dur") / 100,
            bytes_in="InByte",
            bytes_out="OutByte",
            round_trips="Count",
            response_ms=pl.col("Rts") * each,
            response_ms_resolution=each,
            network_ms=pl.col("IPRts") * each,
            host_ms=(pl.col("Rts") - pl.col("IPRts")) * each,
        )
    }
