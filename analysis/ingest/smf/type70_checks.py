"""Whether the sections of a 70-1 interval fit each other.

What lacks a section that it speaks of would give CPU time that is too small, or that
of other CPUs: nothing of such an interval is used.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from analysis.facts.remark import remark
from analysis.ingest.smf.decode import Frames
from analysis.ingest.smf.trouble import Trouble
from analysis.ingest.smf.type70_layout import DIAG_FAILED, ZVM_GUEST
from analysis.ingest.smf.validity import any_of


def spoil_contradictory(tables: Frames, heads: pl.DataFrame, trouble: Trouble) -> None:
    """Spoil intervals without the sections that every one has, and those that have
    partitions but not the own one, or processors of no partition."""
    control, partitions = tables["CPU control"], tables["partition"]
    own = partitions.join(
        heads.select("interval", LPN="partition"), ["interval", "LPN"]
    )
    told = any_of([DIAG_FAILED, ZVM_GUEST])
    known = {
        "has no CPU control section": control,
        "has no CPU data section": tables["CPU data"],
        "has no logical processors of the partition that wrote it, nor says that "
        "there are no partitions": pl.concat(
            [
                own.filter(pl.col("BDN") > 0).select("interval"),
                control.filter(told)
                .join(partitions, "interval", how="anti")
                .join(tables["logical processor"], "interval", how="anti")
                .select("interval"),
            ]
        ),
    }
    for what, table in known.items():
        _spoil(heads.join(table, "interval", how="anti"), what, trouble)
    named = (
        tables["logical core"]
        .group_by("interval")
        .agg(threads=(pl.col("CPU_Skip") + pl.col("CPU_Num")).max())
    )
    there = tables["CPU data"].group_by("interval").len()
    short = named.join(there, "interval").filter(pl.col("threads") > pl.col("len"))
    what = "has a core that names CPU data sections that the record does not have"
    _spoil(heads.join(short, "interval", how="semi"), what, trouble)


def spoil_naming_missing(
    missing: pl.DataFrame, heads: pl.DataFrame, trouble: Trouble
) -> None:
    """Spoil the intervals of ``missing``, one row a processor that is not there."""
    what = (
        "has a partition that names logical processor sections that the record does "
        "not have"
    )
    _spoil(heads.join(missing, "interval", how="semi"), what, trouble)


def spoil_nameless(
    processors: pl.DataFrame, heads: pl.DataFrame, trouble: Trouble
) -> None:
    """Spoil intervals in which the type of a processor is named but not there."""
    nameless = processors.filter(pl.col("cpu_type").is_null())
    what = "has a logical processor of a type whose name it does not have"
    _spoil(heads.join(nameless, "interval", how="semi"), what, trouble)


def spoil_others(
    rows: pl.DataFrame, spoilt: Sequence[int], trouble: Trouble
) -> pl.Series:
    """The intervals of which a record is spoilt; their other pieces are spoilt too.

    ``rows`` has ``interval`` and ``position`` of each record.
    """
    bad = pl.col("position").is_in(pl.Series(spoilt, dtype=pl.Int64).implode())
    intervals = rows.filter(bad)["interval"].drop_nulls().unique()
    of = rows.filter(pl.col("interval").is_in(intervals.implode()))
    _spoil(of, "is a piece of an interval of which another is damaged", trouble)
    return intervals


def _spoil(heads: pl.DataFrame, what: str, trouble: Trouble) -> None:
    where = heads["position"].sort().to_list()
    trouble.spoil(
        where,
        lambda nth: remark("odd_70_1", where=where[nth], what=what),
        "70-1 records whose sections do not fit each other",
    )
