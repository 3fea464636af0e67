"""What of types 7, 82, 113 and 123 is more than their declaration."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.facts.remark import remark
from analysis.ingest.smf.clocks import utc_text
from analysis.ingest.smf.columns import Field, Layout
from analysis.ingest.smf.decode import (
    Frames,
    Parts,
    finish,
    headers,
    one_each,
    pass_over,
)
from analysis.ingest.smf.records import Records, Sections, checked, spread, triplet
from analysis.ingest.smf.trouble import Trouble
from analysis.ingest.smf.types.cpu import COUNTED, COUNTER_INTERVAL, COUNTERS
from analysis.ingest.smf.types.subsystems import (
    CONNECT,
    CRYPTO_REQUEST,
    DATA_LOST,
    FIRST,
    LOSS,
    REQUEST,
    SECOND,
    SERVER,
)

COUNTER = Layout("counter", "D", (Field("VALUE", 0, 8),))
_TRIPLETS_END = 52  # of those of 113-1 that are read
_BASIC = 1  # the counter set with cycles and instructions first
_HEADER_END = 24
_FIRST_END = 72  # of the two triplets of 123-1, version 1
Mask = NDArray[np.bool_]


def read_losses(records: Records, parts: Parts) -> Frames:
    """``smf_loss`` rows: one for each time that SMF lost records."""
    table = records.table(DATA_LOST, parts.page).drop("record")
    return finish(LOSS, headers(records, parts.page).hstack(table), parts)


def tell_losses(rows: pl.DataFrame, trouble: Trouble) -> None:
    """Say of each loss how much it was, and from when to when."""
    for row in rows.with_columns(
        since=_moment("start"), until=_moment("end")
    ).to_dicts():
        told = remark(
            "records_lost",
            system=row["system"],
            records=row["records_lost"],
            since=row["since"],
            until=row["until"],
        )
        trouble.damage(told, row["position"], "records 7 of SMF")


def _moment(name: str) -> pl.Expr:
    """A time in words: in UTC, where that is known."""
    utc, local = (
        utc_text(pl.col(column)).str.slice(0, 19) + pl.lit(zone)
        for column, zone in ((name, " UTC"), (f"{name}_local", " local time"))
    )
    return pl.coalesce(utc, local)


def read_crypto_times(records: Records, parts: Parts) -> Frames:
    """``crypto_request`` rows: one for each request that was timed. Its section is all
    that follows the header."""
    every = np.arange(len(records))
    start, length = records.start + _HEADER_END, records.length - _HEADER_END
    found = Sections(records, every, start, length, every, parts.trouble)
    table = found.table(REQUEST, parts.page)
    return finish(CRYPTO_REQUEST, headers(records, parts.page).hstack(table), parts)


def read_counters(records: Records, parts: Parts) -> Frames:
    """``counter_interval`` rows, one a CPU and interval. The basic counter set has
    cycles and instructions as its first two counters."""
    trouble = parts.trouble
    end = np.full(len(records), _TRIPLETS_END)
    times = spread(triplet(records, COUNTED.at, COUNTED.name, trouble, end, True))
    heads = headers(records, parts.page).hstack(
        one_each(times, COUNTED, parts, len(records))
    )
    data = spread(triplet(records, COUNTERS.at, "counter data", trouble, end, True))
    table = data.table(COUNTERS, parts.page)
    sets = spread(checked(data, 52, "counter set", trouble))
    basic = sets.only(sets.number(0, 2) == _BASIC)
    values = spread(checked(basic, 4, "counters", trouble))
    counters = values.table(COUNTER, parts.page).select(
        "VALUE", section=pl.Series(basic.owner[values.owner])
    )
    wide = counters.group_by("section", maintain_order=True).agg(
        cycles=pl.col("VALUE").get(0),
        instructions=pl.col("VALUE").get(1, null_on_oob=True),
    )
    rows = (
        table.hstack(heads[table["record"]])
        .with_columns(section=pl.int_range(pl.len()))
        .join(wide, on="section", how="left", maintain_order="left")
    )
    return finish(COUNTER_INTERVAL, rows, parts)


def read_requests(records: Records, parts: Parts) -> Frames:
    """``zosconnect_request`` rows: one for each request."""
    version = records.number(24, 4)
    others = records.position[(version != 1) & (version != 2)].tolist()
    pass_over(others, CONNECT.of, "has a version that is not known", parts)
    found = [
        _joined(records, *_of_first(records, version == 1, parts), FIRST, parts),
        _joined(records, *_of_second(records, version == 2, parts), SECOND, parts),
    ]
    return finish(CONNECT, pl.concat(found, how="diagonal"), parts)


def _of_first(records: Records, which: Mask, parts: Parts) -> tuple[Sections, Sections]:
    """The servers and requests of records of version 1."""
    end = np.where(which, _FIRST_END, 0)
    server, data = (
        triplet(records, at, f"{name} (1)", parts.trouble, end, wide=True)
        for at, name in ((48, SERVER.name), (60, FIRST.name))
    )
    return spread(server), spread(data)


def _of_second(
    records: Records, which: Mask, parts: Parts
) -> tuple[Sections, Sections]:
    """Those of records of version 2, which say where their triplets are."""
    index = np.flatnonzero(which)
    some = records.only(index)
    offset = some.number(29, 1)
    size = np.clip(8 * some.number(28, 1), 0, np.maximum(some.length - offset, 0))
    owners = Sections(records, index, some.start + offset, size, index)
    server, data = (
        checked(owners, at, f"{name} (2)", parts.trouble, offset + size)
        for at, name in ((0, SERVER.name), (8, SECOND.name))
    )
    return spread(server), spread(data)


def _joined(
    records: Records, server: Sections, data: Sections, section: Layout, parts: Parts
) -> pl.DataFrame:
    heads = headers(records, parts.page).hstack(
        one_each(server, SERVER, parts, len(records))
    )
    table = data.table(section, parts.page)
    return table.hstack(heads[table["record"]]).drop("record")
