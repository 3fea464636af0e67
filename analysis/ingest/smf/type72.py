"""Type 72 subtype 3, RMF workload activity: CPU seconds of service and report classes.

Layout: the same author's C mapping of the record, offsets of the period section summed
from it (D; past R723CETS to be confirmed by a real record). Formulas: checked against
printed WLMGL reports (V)::

    SU/s = 16,000,000 / R723MADJ
    zIIP s = R723CSUP / (R723MCPU/10000) / (SU/s)              (not normalised)
    zAAP s = R723CIFA / (R723MCPU/10000) / (SU/s)              (not normalised)
    CP s = R723CCPU / (R723MCPU/10000) / (SU/s)        (zIIP, zAAP in it normalised)
         + R723CSRB / (R723MSRB/10000) / (SU/s)
         + (R723CRCT + R723CIIT + R723CHST) / 1e6
         - zIIP s x R723NFFS/256 - zAAP s x R723NFFI/256

The eight-byte fields are hexadecimal floating point. Should a record hold IEEE doubles,
its total of service units tells: that reading is taken in which the parts add up to it.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from analysis.facts.remark import remark
from analysis.ingest.smf.arrow import spelled_out
from analysis.ingest.smf.decode import (
    Frames,
    Parts,
    intervals,
    one_each,
    sections,
    tell_flags,
)
from analysis.ingest.smf.numbers import Floats, Words, hfp, ieee
from analysis.ingest.smf.records import Records
from analysis.ingest.smf.types.cpu import CLASS_CONTROL, PERIOD, SERVICE
from analysis.ingest.smf.validity import FLAGS

_REPORT = 0x80  # R723MSCF bit 0
_NO_DATA, _NO_POLICY = FLAGS["R723MSCF", 1], FLAGS["R723MSCF", 2]


def read(records: Records, parts: Parts) -> Frames:
    """``class_interval`` rows: one for each class and period."""
    rows = intervals(records, parts)
    found = sections(records, CLASS_CONTROL, parts, needed=True)
    rows = rows.hstack(one_each(found, CLASS_CONTROL, parts, len(records)))
    _tell(rows, parts)
    tell_flags(rows, [_NO_DATA, _NO_POLICY], parts, "MCNM")
    parts.trouble.excuse(rows.filter(_NO_DATA.speaks())["position"])
    table = floats(sections(records, PERIOD, parts).table(PERIOD, parts.page))
    table = table.join(
        rows.with_row_index("record").with_columns(pl.col("record").cast(pl.Int64)),
        on="record",
        how="left",
        maintain_order="left",
    ).filter(~_NO_DATA.speaks())
    return {"class_interval": seconds(spelled_out(table))}


def floats(table: pl.DataFrame) -> pl.DataFrame:
    """With the eight-byte fields as numbers."""
    filled = table.select(pl.col(*SERVICE).fill_null(0))
    raw: dict[str, Words] = {
        name: np.asarray(filled[name], np.uint64) for name in SERVICE
    }
    there = table.select(pl.col(*SERVICE).is_not_null())
    is_ieee = misfit(raw, ieee) < misfit(raw, hfp)
    with np.errstate(all="ignore"):
        made = {
            name: np.where(is_ieee, ieee(word), hfp(word))
            if is_ieee.any()
            else hfp(word)
            for name, word in raw.items()
        }
    columns = []
    for name, values in made.items():
        known = np.isfinite(values) & np.asarray(there[name])
        columns.append(
            pl.Series(name, np.where(known, values, np.nan), nan_to_null=True)
        )
    return table.with_columns(columns)


def misfit(raw: dict[str, Words], read_as: object) -> Floats:
    """How far the parts of the service units are from their total, as a share."""
    convert = hfp if read_as is hfp else ieee
    with np.errstate(all="ignore"):
        total = convert(raw["CSRV"])
        whole = sum(convert(raw[name]) for name in ("CCPU", "CIOC", "CMSO", "CSRB"))
        share = np.abs(whole - total) / np.maximum(np.abs(total), 1e-9)
    bad = ~np.isfinite(share) | (np.abs(total) > 1e30)
    return np.where(bad, np.inf, np.where((total == 0) & (whole == 0), 0.0, share))


def seconds(table: pl.DataFrame) -> pl.DataFrame:
    """With the CPU seconds; null where a service coefficient of zero hides them."""
    rate = 16e6 / pl.col("MADJ")
    cpu, srb = pl.col("MCPU") / 1e4 * rate, pl.col("MSRB") / 1e4 * rate
    usable = (pl.col("MADJ") > 0) & (pl.col("MCPU") > 0)
    tcb = pl.when(usable).then(pl.col("CCPU") / cpu)
    srbs = pl.when(usable & (pl.col("MSRB") > 0)).then(pl.col("CSRB") / srb)
    ziip, ziip_on_cp, zaap, zaap_on_cp = (
        pl.when(usable).then(pl.col(name) / cpu)
        for name in ("CSUP", "CSUC", "CIFA", "CIFC")
    )
    other = (pl.col("CRCT") + pl.col("CIIT") + pl.col("CHST")) / 1e6
    factor = pl.col("NFFS") / 256
    zaap_factor = pl.when(pl.col("NFFI") > 0).then(pl.col("NFFI") / 256)
    elsewhere = ziip.fill_null(0) * factor.fill_null(1)
    elsewhere += zaap.fill_null(0) * zaap_factor.fill_null(1)
    return table.select(
        "system",
        "position",
        "start",
        "start_local",
        "seconds",
        "token",
        workload="MWNM",
        **{"class": pl.col("MCNM")},
        class_kind=pl.when((pl.col("MSCF") & _REPORT) != 0)
        .then(pl.lit("report"))
        .otherwise(pl.lit("service")),
        period="CPER",
        importance=pl.when(~_NO_POLICY.speaks()).then("CIMP"),
        cp_seconds=tcb + srbs + other - elsewhere,
        ziip_seconds=ziip,
        ziip_on_cp_seconds=ziip_on_cp,
        normalisation=factor,
        zaap_seconds=zaap,
        zaap_on_cp_seconds=zaap_on_cp,
        zaap_normalisation=zaap_factor,
        transactions="CRCP",
    )


def _tell(rows: pl.DataFrame, parts: Parts) -> None:
    without = rows.filter(
        (pl.col("MCPU") == 0) | (pl.col("MSRB") == 0) | (pl.col("MADJ") == 0)
    )
    where = without["position"].to_list()
    parts.trouble.tell_each(
        where,
        lambda nth: remark(
            "zero_coefficient",
            f"the 72-3 record at byte offset {where[nth]} has a service "
            "coefficient of zero: CPU seconds cannot be told from its service "
            "units",
        ),
        "72-3 records with a service coefficient of zero",
    )
