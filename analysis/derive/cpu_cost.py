"""CPU cost per transaction and per MB, and utilisation, per run and role.

The rule is that of the published reports: CPU seconds used in a window, divided by the
transactions in the same window. 25% busy over 4 CPs for 10 s are 10 CPU seconds; with
1,000,000 transactions in them a transaction costs 10 µs. CP and zIIP time are metrics
of their own; they are only added in the CP-equivalent cost, where the zIIP time counts
by the machine's normalisation factor (SMF70NRM or R723NFFS ÷ 256).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

import polars as pl

from analysis.declared.campaign import Campaign, Rates
from analysis.declared.metrics import Metric
from analysis.declared.vocabulary import OF_PARTS, PART_ROLES
from analysis.declared.workload import parse_workload
from analysis.derive.values import with_metrics

Number = TypeVar("Number", float, pl.Expr)
_OF = ["id", "role"]
# What is told of a system beside its CP time, and the column of its seconds.
_BESIDE_CP = {
    "zIIP": "ziip_seconds",
    "zAAP": "zaap_seconds",
    "zIIP on CP": "ziip_on_cp_seconds",
    "zAAP on CP": "zaap_on_cp_seconds",
}
_OF_LOADS = ("transactions", "rate")
_DECLARED: dict[str, type[pl.DataType] | pl.DataType] = {
    "campaign": pl.String,
    "system": pl.String,
    "machine": pl.String,
    "declared": pl.Float64,
    "of_role": pl.String,
    "idle": pl.Float64,
    "wanted": pl.List(pl.String),
    **dict.fromkeys(Rates.model_fields, pl.Float64),
}
_MIXES: dict[str, type[pl.DataType]] = {
    "id": pl.String,
    "role": pl.String,
    "lead": pl.Boolean,
    "transactions_of_all": pl.Int64,
    "rate_of_all": pl.Float64,
}


def cpu_seconds_from_busy(
    busy_pct: Number, online_cpus: Number, seconds: Number
) -> Number:
    """CPU seconds that a busy percentage (mean over the online CPs) stands for."""
    return busy_pct / 100 * online_cpus * seconds


def derive_cpu_cost(
    runs: pl.DataFrame,
    cpu: pl.DataFrame,
    campaigns: Mapping[str, Campaign],
    metrics: Mapping[str, Metric],
    beside: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """One row per run and role, with the metrics of CPU time in their declared units.

    ``runs`` and ``cpu`` are as ``read_runs`` and ``read_cpu`` give them. Evidence that
    spans another time than the run (RMF intervals) meets as many transactions as the
    run had in that time. What has zIIP time in it is null where a system never used a
    zIIP. Where runs used a machine at the same time (``beside``), its CPU time is told
    once, with the first of their workloads, and is of a transaction of any of them.
    """
    wide = _with_loads(_with_cps(_one_type(cpu), campaigns), runs, beside)
    share = pl.col("seconds") / pl.col("window_seconds")
    counted = pl.col("transactions") * share.fill_null(1)
    # logs of streams may count bytes alone
    loaded = pl.when(pl.col("rate") > 0).then(pl.col("transactions") / pl.col("rate"))
    by_bytes = pl.col("bytes_per_second") > 0
    by_bytes = pl.when(by_bytes).then(
        pl.col("bytes_moved") / pl.col("bytes_per_second")
    )
    under_load = pl.coalesce(loaded, by_bytes) * share.fill_null(1)
    moved = pl.col("bytes_moved") * share.fill_null(1)
    spans = wide.with_columns(
        counted=pl.when(counted > 0).then(counted),
        moved_bytes=pl.when(moved > 0).then(moved),
        # what was used counts against the time of the load, not against the rest of
        # an interval in which the load had not begun or was over
        under_load=under_load,
        under_load_resolution=under_load * pl.col("rate_resolution") / pl.col("rate"),
        net_seconds=pl.col("cpu_seconds") - _idle_seconds(),
        net_seconds_resolution="cpu_seconds_resolution",
        of_part=pl.col("method").is_in(OF_PARTS) | (pl.col("of_role") != ""),
    )
    busy = pl.col("net_seconds") * 100 / (pl.col("cps") * pl.col("seconds"))
    return with_metrics(spans, metrics, "cpu").with_columns(
        busy_pct=pl.when(~pl.col("of_part")).then(busy),
    )


def _with_loads(
    cpu: pl.DataFrame, runs: pl.DataFrame, beside: pl.DataFrame | None
) -> pl.DataFrame:
    """CPU time with the transactions that it was used for."""
    columns = ["id", "window_seconds", "transactions", "tran_bytes", "rate"]
    columns += ["rate_resolution", "bytes_moved", "bytes_per_second"]
    alone = cpu.join(runs.select(columns), on="id", how="inner")
    if beside is None or beside.is_empty():
        return alone
    return (
        alone.join(_mixes(runs, beside), on=["id", "role"], how="left")
        .filter(pl.col("lead").fill_null(True))
        .with_columns(
            transactions=pl.coalesce("transactions_of_all", "transactions"),
            rate=pl.coalesce("rate_of_all", "rate"),
            tran_bytes=pl.when(pl.col("lead").is_null()).then("tran_bytes"),
            bytes_moved=pl.when(pl.col("lead").is_null()).then("bytes_moved"),
        )
        .drop("lead", "transactions_of_all", "rate_of_all")
    )


def _mixes(runs: pl.DataFrame, beside: pl.DataFrame) -> pl.DataFrame:
    """For each run and role whose machine others used: whether it tells of all of them
    (``lead``), and the transactions and rate of all."""
    known = {
        row["id"]: (parse_workload(row["workload"]).order, row)
        for row in runs.iter_rows(named=True)
    }
    rows = []
    for one in beside.filter(pl.col("method") != "cgroup").iter_rows(named=True):
        ids = [id for id in (one["id"], *one["others"]) if id in known]
        if one["id"] not in known:
            continue
        first = min(ids, key=lambda id: (known[id][0], id))
        mixes = [known[id][1] for id in ids]
        sums = (sum(row[name] or 0 for row in mixes) for name in _OF_LOADS)
        rows.append((one["id"], one["role"], one["id"] == first, *sums))
    return pl.DataFrame(rows, schema=_MIXES, orient="row")


def _idle_seconds() -> pl.Expr:
    """CPU seconds of the declared idle load; 0 where none is declared."""
    span = pl.coalesce("seconds", "window_seconds")
    return pl.when(pl.col("idle") > 0).then(pl.col("idle") * span).otherwise(0)


def _one_type(cpu: pl.DataFrame) -> pl.DataFrame:
    """The CP rows; ``other_types`` names what else was used beside them. Seconds of
    zIIPs and zAAPs, with the ``factor`` of zIIPs, are of a system that used them;
    those of eligible work on CPs are in the CP time."""
    engines = ~pl.col("cpu_type").str.starts_with("CP") & (pl.col("cpu_seconds") > 0)
    other = (
        cpu.filter(engines, ~pl.col("cpu_type").str.ends_with(" on CP"))
        .group_by("id", "role")
        .agg(other_types=pl.col("cpu_type").unique().sort().str.join(" and "))
    )
    wide = cpu.filter(cpu_type="CP").drop("factor").join(other, on=_OF, how="left")
    of_system = pl.col("cpu_seconds").max().over("campaign", "system")
    for type, seconds in _BESIDE_CP.items():
        of_type = cpu.filter(cpu_type=type).filter(of_system > 0)
        factor = ["factor"] if type == "zIIP" else []
        steps = pl.col("cpu_seconds_resolution").alias(f"{seconds}_resolution")
        shares = of_type.select(
            *_OF, *factor, pl.col("cpu_seconds").alias(seconds), steps
        )
        wide = wide.join(shares, on=_OF, how="left")
    return wide


def _with_cps(cpu: pl.DataFrame, campaigns: Mapping[str, Campaign]) -> pl.DataFrame:
    """Adds ``cps``, measured or else declared, the ``machine``, assumed rates, and
    what is declared of the source: ``idle`` CPs, of all of a system, and the ``wanted``
    classes or jobs, for the rest those of all other parts."""
    declared = pl.DataFrame(
        [
            (
                *(name, id, of.host or id, float(of.cps), role, idle, list(names)),
                *of.assumed.model_dump().values(),
            )
            for name, campaign in campaigns.items()
            for id, of in campaign.systems.items()
            for role, idle, names in _wanted(campaign, id)
        ],
        schema=_DECLARED,
        orient="row",
    )
    joined = cpu.join(declared, on=["campaign", "system", "of_role"], how="left")
    return joined.with_columns(cps=pl.coalesce("online_cpus", "declared"))


def _wanted(campaign: Campaign, id: str) -> Iterator[tuple[str, float, Sequence[str]]]:
    """A system and its parts: the part's role, what is idle, the names that count."""
    cpu = campaign.cpu_of(id)
    yield "", campaign.cpu.idle.get(id, 0.0), cpu.counted
    named = [name for names in cpu.parts.values() for name in names]
    for role in PART_ROLES if cpu.parts else ():
        yield role, 0.0, cpu.parts.get(role, named)
