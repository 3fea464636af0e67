"""What of types 74-4 and 74-9 of RMF is more than their declaration."""

from __future__ import annotations

import polars as pl

from analysis.facts.remark import remark
from analysis.ingest.smf.decode import (
    Frames,
    Parts,
    finish,
    interval_times,
    one_each,
    sections,
)
from analysis.ingest.smf.records import Records
from analysis.ingest.smf.types.rmf import (
    CF,
    CF_PROCESSOR,
    CF_STRUCTURE,
    FACILITY,
    FUNCTION,
    PCIE,
    PROCESSOR,
    REQUEST,
    STORAGE,
    STRUCTURE,
    TRAFFIC,
)


def read_facilities(records: Records, parts: Parts) -> Frames:
    """``cf_interval`` rows, one a facility, ``cf_structure_interval`` rows, one a
    structure that the system was connected to, and ``cf_processor_interval`` rows."""
    count, page = len(records), parts.page
    facility = sections(records, FACILITY, parts, needed=True)
    one = one_each(facility, FACILITY, parts, count)
    storage = one_each(sections(records, STORAGE, parts), STORAGE, parts, count)
    times = interval_times(records, parts)
    frames = finish(CF, times.hstack(one).hstack(storage), parts)
    heads = times.hstack(one.select("facility"))
    requests = sections(records, REQUEST, parts).table(REQUEST, page)
    sizes = sections(records, STRUCTURE, parts).table(STRUCTURE, page)
    key = ["record", "structure", "version"]
    table = requests.join(
        sizes.unique(key, keep="first"), on=key, how="left", maintain_order="left"
    )
    frames |= finish(CF_STRUCTURE, table.hstack(heads[table["record"]]), parts)
    table = sections(records, PROCESSOR, parts).table(PROCESSOR, page)
    return frames | finish(CF_PROCESSOR, table.hstack(heads[table["record"]]), parts)


def read_functions(records: Records, parts: Parts) -> Frames:
    """``pcie_interval`` rows: bytes by direct memory access, or of the Ethernet side
    (``counts`` says which), of each PCIe function."""
    table = sections(records, FUNCTION, parts, needed=True).table(FUNCTION, parts.page)
    table = table.hstack(interval_times(records, parts)[table["record"]])
    data = sections(records, TRAFFIC, parts)
    traffic = data.table(TRAFFIC, parts.page)
    _tell_errors(table, parts)
    nth = pl.int_range(pl.len()).over("record")
    table = table.with_columns(nth=nth).join(
        traffic.with_columns(nth=nth), on=["record", "nth"], how="left"
    )
    return finish(PCIE, table, parts)


def _tell_errors(table: pl.DataFrame, parts: Parts) -> None:
    """Tell of functions without valid data for some time."""
    some = table.filter(pl.col("ERRT") > 0)
    where, names, millis = (
        some[name].to_list() for name in ("position", "function", "ERRT")
    )
    parts.trouble.damage_each(
        where,
        lambda nth: remark(
            "function_without_data",
            f"the 74-9 record at byte offset {where[nth]} has no valid data of "
            f"function {names[nth]} for {millis[nth] / 1000:g} s of its "
            "interval: bytes and packets null",
        ),
        "PCIe functions without valid data for some time",
    )
