"""Type 74 subtype 4 of RMF, coupling facility activity.

Layouts: z/OS MVS System Management Facilities, RMF pages "Local Coupling Facility Data
Section", "Storage Data Section", "Structure Data Section", "Request Data Section" and
"Processor Utilization Data Section"; the order of the triplets is that of the fields in
IBM's SMF Explorer (S). Service times of requests are not read: the part of the page
that has their offsets was not to be had.
"""

from __future__ import annotations

from functools import partial

import polars as pl

from analysis.ingest.smf.layout import Layout, fields
from analysis.ingest.smf.odd import broken_count, no_name, spoil_odd
from analysis.ingest.smf.parts import Frames, Parts, one_each
from analysis.ingest.smf.records import Records, Sections
from analysis.ingest.smf.rmf import intervals, triplets_end
from analysis.ingest.smf.triplets import spread, triplet

FACILITY = Layout(
    "local coupling facility",
    "S",
    fields(
        ("FNAM", 0, 8, "name"),
        ("FPBC", 24, 8, "hfp"),
        ("FSCG", 32, 4),
        ("FSCU", 36, 4),
        ("FSCC", 44, 8, "hfp"),
        ("FTOR", 52, 8, "hfp"),
        ("FAIL", 60, 8, "hfp"),
        ("FCTM", 84, 8),
    ),
    shortest=100,
)
STORAGE = Layout(
    "coupling facility storage", "S", fields(("GTSD", 8, 4), ("GTSF", 12, 4))
)
STRUCTURE = Layout(
    "coupling facility structure",
    "S",
    fields(("QSTR", 0, 16, "name"), ("QSIZ", 16, 4), ("QVER", 20, 8, "bits")),
    shortest=28,
)
REQUEST = Layout(
    "coupling facility request",
    "S",
    fields(
        ("SNAM", 0, 16, "name"),
        ("SVER", 16, 8, "bits"),
        ("STYP", 24, 1),
        ("SLEL", 28, 4),
        ("SLEM", 32, 4),
        ("SLTL", 36, 4),
        ("SLTM", 40, 4),
        ("SSTA", 44, 8, "hfp"),
        ("STRC", 52, 8, "hfp"),
    ),
    shortest=60,
)
PROCESSOR = Layout(
    "coupling facility processor",
    "S",
    fields(("PNUM", 0, 4), ("PBSY", 4, 4), ("PWAI", 8, 4)),
    shortest=12,
)
_KINDS = {1: "list", 2: "serialized list", 3: "lock", 4: "cache"}
_BLOCK = 4096  # bytes of a unit of storage
_SLACK = 1.05  # clocks of a facility and of its systems differ


def read(records: Records, parts: Parts) -> Frames:
    """``cf_interval`` rows, one a facility, ``cf_structure_interval`` rows, one a
    structure that the system was connected to, and ``cf_processor_interval`` rows."""
    section = partial(_sections, records, parts)
    facility = section(36, FACILITY, needed=True)
    one = one_each(facility, FACILITY, parts, len(records))
    storage = one_each(section(52, STORAGE), STORAGE, parts, len(records))
    times = intervals(records, parts).select(
        "system", "position", "start", "start_local", "seconds", "token"
    )
    rows = times.hstack(one).hstack(storage).with_columns(facility="FNAM")
    odd = no_name("FNAM") | broken_count("FPBC", "FSCC", "FTOR", "FAIL")
    _spoil(rows, odd | (pl.col("FNAM") == ""), "facility without a name", parts)
    of_record = rows.select(*times.columns, "facility")
    return {
        "cf_interval": _facilities(rows),
        "cf_structure_interval": _structures(records, of_record, parts),
        "cf_processor_interval": _processors(records, of_record, parts),
    }


def _sections(
    records: Records, parts: Parts, at: int, layout: Layout, needed: bool = False
) -> Sections:
    end = triplets_end(records)
    return spread(triplet(records, at, layout.name, parts.trouble, end, needed=needed))


def _facilities(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.filter(pl.col("FNAM").is_not_null()).with_columns(
        requests="FTOR",
        failed_requests="FAIL",
        path_busy="FPBC",
        subchannels="FSCG",
        subchannels_in_use="FSCU",
        subchannel_busy="FSCC",
        contention_seconds=pl.col("FCTM") / 1e6,
        storage_bytes=pl.col("GTSD") * _BLOCK,
        free_bytes=pl.col("GTSF") * _BLOCK,
    )


def _structures(
    records: Records, of_record: pl.DataFrame, parts: Parts
) -> pl.DataFrame:
    requests = _sections(records, parts, 68, REQUEST).table(REQUEST, parts.page)
    sizes = _sections(records, parts, 60, STRUCTURE).table(STRUCTURE, parts.page)
    sizes = sizes.select("record", SNAM="QSTR", SVER="QVER", QSIZ="QSIZ")
    key = ["record", "SNAM", "SVER"]
    table = requests.join(
        sizes.unique(key, keep="first"), on=key, how="left", maintain_order="left"
    )
    rows = table.hstack(of_record[table["record"]])
    odd = no_name("SNAM") | ~pl.col("STYP").is_in(list(_KINDS))
    odd |= broken_count("SSTA", "STRC") | (pl.col("SNAM") == "")
    _spoil(rows, odd, "structure that can be none", parts)
    return rows.with_columns(
        structure="SNAM",
        kind=pl.col("STYP").replace_strict(
            _KINDS, default=None, return_dtype=pl.String
        ),
        requests="STRC",
        changed_requests="SSTA",
        entries_limit="SLEL",
        entries="SLEM",
        lock_entries_limit="SLTL",
        lock_entries="SLTM",
        structure_bytes=pl.col("QSIZ") * _BLOCK,
    )


def _processors(
    records: Records, of_record: pl.DataFrame, parts: Parts
) -> pl.DataFrame:
    table = _sections(records, parts, 76, PROCESSOR).table(PROCESSOR, parts.page)
    rows = table.hstack(of_record[table["record"]])
    spent = (pl.col("PBSY") + pl.col("PWAI")) / 1e6
    odd = spent > pl.col("seconds") * _SLACK
    _spoil(rows, odd, "processor that was busy longer than its interval", parts)
    whole = pl.when(spent > 0).then(spent)
    return rows.with_columns(
        cpu="PNUM",
        busy_seconds=pl.col("PBSY") / 1e6,
        wait_seconds=pl.col("PWAI") / 1e6,
        busy_pct=100 * pl.col("PBSY") / 1e6 / whole,
    )


def _spoil(rows: pl.DataFrame, odd: pl.Expr, what: str, parts: Parts) -> None:
    spoil_odd(rows, odd, "74-4", f"has a {what}", parts)
