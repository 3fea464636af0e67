"""Type 113 subtype 1: hardware counters of CPUs. Layout: IBM's SMF113Formatter (D).

The extended set begins with counter 128. What its counters are is told for each machine
by ``lscpumf`` of IBM's s390-tools; which of them make up the share of a cache level, by
IBM's metrics of perf in Linux (``pmu-events/arch/s390``, files ``transaction.json``).
The relative nest intensity weighs these shares. Public weights were to be had of z13
alone (LongEx Mainframe Quarterly, November 2015): of other machines it is null.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import polars as pl

from analysis.facts.remark import Remark, remark
from analysis.ingest.smf.columns import (
    PLAIN,
    START,
    F,
    Family,
    Field,
    Frames,
    I,
    Layout,
    RecordType,
    S,
    col,
    column,
    ends_at,
    fields,
    flags,
    table,
)

if TYPE_CHECKING:
    from analysis.ingest.smf.batch import RecordBatch
    from analysis.ingest.smf.records import Sections

_BASIC, _EXTENDED = 1, 4  # counter sets
_FIRST = 128  # number of the first extended counter
_NONE = "counters and ratios null"
FLAGS = flags("Flags", 50, 1, "SMF113_1_Flags", "113-1", {
    0: ("counter data were lost", _NONE, "degrades"),
    1: ("data were lost", _NONE, "degrades"),
    2: ("MT counter data were lost", "nothing: it is not read"),
})  # fmt: skip
_KEPT = ~FLAGS.speaks(0, 1)
_Z14 = {
    "l2": (133, 136), "l3": (144, 146, 162, 164),
    "l4_local": (147, 149, 150, 152, 156, 158, 165, 167, 168, 170, 174),
    "l4_remote": (153, 155, 157, 171, 173, 175),
    "memory": (145, 148, 151, 154, 163, 166, 169, 172),
}  # fmt: skip
_Z16 = {
    "l2": (145, 146, 169, 170), "l3": (147, 149, 150, 151, 171, 173, 174, 175),
    "l4_local": (148, 152, 153, 154, *range(160, 166), 172, 176, 177, 178),
    "l4_remote": (155, 166, 167, 168, 179),
    "memory": (*range(156, 160), *range(180, 184)),
}  # fmt: skip
_Z13 = {
    "l2": (133, 136), "l3": (144, 145, 162, 163),
    "l4_local": (146, 147, 148, 164, 165, 166),
    "l4_remote": (*range(149, 158), *range(167, 176)),
    "memory": (*range(158, 162), *range(176, 180)),
}  # fmt: skip
_Z17 = _Z16 | {"memory": tuple(range(156, 160))}
SOURCES = {
    "2964": _Z13, "2965": _Z13, "3906": _Z14, "3907": _Z14, "8561": _Z14,
    "8562": _Z14, "3931": _Z16, "3932": _Z16, "9175": _Z17, "9176": _Z17,
}  # fmt: skip
"""By machine type the extended counters of lines that came from each level."""
_LEVELS = {
    "l2": "the level 2 cache",
    "l3": "a level 3 cache of the same chip",
    "l4_local": "other caches that are near: of the same node, or of the same drawer",
    "l4_remote": "caches that are far, such as those of other drawers",
    "memory": "memory",
}
_WEIGHTS = {"l3": 0.4, "l4_local": 1.6, "l4_remote": 3.5, "memory": 7.5}  # of z13
_Z13_FACTOR = 2.6
_INSTRUCTIONS = pl.when(pl.col("instructions") > 0).then("instructions")
_MISSES = pl.when(pl.col("l1_misses") > 0).then("l1_misses")
_NEST = sum((pl.col(level) * weight for level, weight in _WEIGHTS.items()), pl.lit(0.0))
INTERVAL = Layout(
    "identification",
    "D",
    fields(("start", 24, 8, "stck"), ("end", 32, 8, "stck")),
    shortest=40,
    at=36,
)
COUNTERS = Layout("data", "D", (
    col("cpu", 16, 2, comment="number of the CPU"),
    col("cpu_class", 18, 1,
        comment="class of the CPU as it is in the record: 0 CP, 2 zAAP, 4 zIIP"),
    START,
    column("seconds", "", F, value=(pl.col("end") - pl.col("start")) / 1e6),
    column("cycles", "cycles in the interval", when=_KEPT),
    column("instructions", "instructions in the interval", when=_KEPT),
    col("cycles_per_us", 20, comment="speed of the CPU [1/µs]"),
    FLAGS,
    col("machine_type", 24, 4, "text"),
    column("l1_misses", "lines that were brought into the level 1 caches", when=_KEPT),
    column("l1_penalty_cycles", "cycles that level 1 misses cost", when=_KEPT),
    column("cycles_per_instruction", "cycles / instructions", F,
           value=pl.col("cycles") / _INSTRUCTIONS, when=_KEPT),
    column("l1_miss_pct", "level 1 misses of a hundred instructions", F,
           value=100 * pl.col("l1_misses") / _INSTRUCTIONS, when=_KEPT),
    *(
        column(f"{level}_pct", f"level 1 misses that were served by {source}; null of "
               "machines whose counters are not known [%]", F,
               value=100 * pl.col(level) / _MISSES, when=_KEPT)
        for level, source in _LEVELS.items()
    ),
    column("nest_intensity", "relative nest intensity (RNI): how far beyond level 2 "
           "level 1 misses had to go; null but of z13, as the weights of other "
           "machines are not known", F,
           value=_Z13_FACTOR * _NEST / _MISSES,
           when=_KEPT & pl.col("machine_type").is_in(["2964", "2965"])),
), shortest=60, at=44)  # fmt: skip
COUNTER = Layout("counter", "D", (Field("VALUE", 0, 8),))


def _read(batch: RecordBatch) -> Frames:
    """A row a CPU and interval."""
    heads = batch.headers().hstack(batch.first(INTERVAL, needed=True))
    data = batch.triplets(COUNTERS.at, "counter data", needed=True).sections()
    table = batch.rows(data, COUNTERS)
    rows = table.hstack(heads[table["record"]])
    rows = rows.with_columns(section=pl.int_range(pl.len()))
    sets = batch.inner(data, 52, "counter set").sections()
    kind = sets.number(0, 2)
    basic = _counters(batch, sets.only(kind == _BASIC), "counters")
    extended = _counters(batch, sets.only(kind == _EXTENDED), "extended counters")
    for more in (_basic(basic), _levels(batch, extended, rows)):
        rows = rows.join(more, on="section", how="left", maintain_order="left")
    return batch.finish(rows)


def _counters(batch: RecordBatch, sets: Sections, name: str) -> pl.DataFrame:
    """``section`` (of counter data), ``nth`` and ``VALUE`` of the counters of sets."""
    values = batch.inner(sets, 4, name).sections()
    section = pl.Series(sets.owner[values.owner], dtype=I)
    table = batch.rows(values, COUNTER).select("VALUE", section=section)
    return table.with_columns(nth=pl.int_range(pl.len()).over("section"))


def _basic(counters: pl.DataFrame) -> pl.DataFrame:
    """Cycles, instructions, and for instructions and data misses and their penalty."""
    value = [pl.col("VALUE").get(nth, null_on_oob=True) for nth in range(6)]
    return counters.group_by("section", maintain_order=True).agg(
        cycles=value[0],
        instructions=value[1],
        l1_misses=value[2] + value[4],
        l1_penalty_cycles=value[3] + value[5],
    )


@cache
def _sums() -> pl.DataFrame:
    """By machine type the level and ``number`` of each counter, and how many it has."""
    each = [
        (machine, level, number, sum(map(len, levels.values())))
        for machine, levels in SOURCES.items()
        for level, numbers in levels.items()
        for number in numbers
    ]
    schema = {"machine_type": S, "level": S, "number": I, "all": I}
    return pl.DataFrame(each, schema, orient="row")


def _levels(
    batch: RecordBatch, counters: pl.DataFrame, rows: pl.DataFrame
) -> pl.DataFrame:
    """By ``section`` the lines from each level, null where a counter is missing."""
    of = rows.select("section", "machine_type", "position")
    unknown = of.join(counters, on="section", how="semi").join(
        _sums(), on="machine_type", how="anti"
    )
    batch.trouble.tell_together(unknown["position"].to_list(), _unknown_machine)
    numbered = counters.with_columns(number=pl.col("nth") + _FIRST)
    sums = (
        numbered.join(of, on="section")
        .join(_sums(), on=["machine_type", "number"])
        .group_by("section")
    )
    whole = pl.len() == pl.col("all").first()
    return sums.agg(
        pl.when(whole).then(pl.col("VALUE").filter(level=level).sum()).alias(level)
        for level in _LEVELS
    )


def _unknown_machine(count: int) -> Remark:
    return remark(
        "unknown_counters",
        f"{count} counter data of 113-1 records are of a machine type whose extended "
        "counters are not known: no shares of cache levels, cycles and instructions "
        "are used",
    )


COUNTER_INTERVAL = RecordType("113-1", table(
    "counter_interval",
    "Cycles, instructions and cache misses of a CPU (113-1)", COUNTERS,
), COUNTERS, family=Family(PLAIN.head, ends_at(52)), read=_read)  # fmt: skip
RECORDS = (COUNTER_INTERVAL,)
COUNTED = {
    (113, 2): "counters since they were started; those of each interval are in 113-1",
}
