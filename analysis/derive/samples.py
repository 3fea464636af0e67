"""Every run's values, gathered into one sample per configuration, workload and role."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import duckdb
import numpy as np
import polars as pl

from analysis.declared.campaign import Campaign
from analysis.declared.metrics import Metric
from analysis.declared.vocabulary import Origin
from analysis.derive.counters import counter_values, energy_values
from analysis.derive.cpu_cost import derive_cpu_cost
from analysis.derive.cpu_time import (
    declared_systems,
    read_counted,
    read_cpu,
    read_roles,
    reasons_without,
    with_rest,
    without_cpu,
)
from analysis.derive.gates import (
    Flag,
    describe_flags,
    flag_beside,
    flag_conditions,
    flag_cpu,
    flag_runs,
    runs_beside,
)
from analysis.derive.inside import Inside, leave_out, look_inside
from analysis.derive.runs import USABLE, read_runs
from analysis.derive.values import run_values
from analysis.facts.remark import Remark
from analysis.statistics import median
from analysis.statistics.counts import count_warnings
from analysis.statistics.sessions import SEVERAL, Medians, session_medians
from analysis.statistics.statistic import STATISTICS, SampleRuns, Values

RUN_ORDER = ("campaign", "repetition", "run")  # of the runs of a sample
# In which order warnings stand; those of other statistics follow.
_WARNINGS = ("median", "modes", "variation", "outliers", "drift")


class Cell(NamedTuple):
    """What one sample is of."""

    configuration: str
    workload: str
    metric: str
    role: str | None


@dataclass(frozen=True)
class Sample:
    """One value a run, with the runs, their files (sha256) and what is to be said.

    Runs of several campaigns are ``campaign/run``.

    ``evidence`` says where CPU time comes from; it is empty for other metrics.
    ``started`` are the starts of the runs in seconds; empty where one is not known.
    ``tools`` made the load. ``of_part`` where the CPU time is of a part of a system.
    ``resolution`` is the largest step in which a source tells one of the values, None
    where it is negligible or not known. ``sessions`` has the session of each run; it is
    empty where one is not recorded. ``per`` is what a count of each run is counted per,
    None of other metrics.
    """

    values: Values
    runs: tuple[str, ...]
    files: tuple[str, ...]
    origins: tuple[Origin, ...]
    warnings: tuple[Remark, ...]
    evidence: tuple[str, ...] = ()
    started: tuple[float, ...] = ()
    tools: tuple[str, ...] = ()
    of_part: bool = False
    resolution: float | None = None
    sessions: tuple[str, ...] = ()
    per: Values | None = None

    @property
    def counted(self) -> tuple[Values, Values]:
        """Of a count: events, and what they are counted per, of each unit of
        repetition, session or run."""
        per = np.zeros(0) if self.per is None else self.per
        events = self.values * per
        if not self.in_sessions:
            return events, per
        names = np.array(self.sessions)
        each = [names == name for name in dict.fromkeys(self.sessions)]
        totals = [np.array([side[of].sum() for of in each]) for side in (events, per)]
        return totals[0], totals[1]

    @property
    def session_count(self) -> int | None:
        """In how many sessions the runs were made; None where it is not recorded."""
        return len({*self.sessions}) or None

    @cached_property
    def medians(self) -> Medians:
        """The median of the runs of each session, where these are recorded."""
        return session_medians(self.values, self.sessions) if self.sessions else {}

    @property
    def in_sessions(self) -> bool:
        """Whether there are sessions enough to count as the unit of repetition."""
        return len(self.medians) >= SEVERAL

    @property
    def by_session(self) -> Sample:
        """The medians of sessions as a sample, each with the start of its first run."""
        first: dict[str, float] = {}
        for session, at in zip(self.sessions, self.started, strict=False):
            first[session] = min(at, first.get(session, at))
        values, started = np.array([*self.medians.values()]), tuple(first.values())
        return replace(self, values=values, runs=(*self.medians,), started=started)

    @property
    def in_order(self) -> Values:
        """The values in the order in which the runs were made, where it is known."""
        if not self.started:
            return self.values
        return self.values[np.argsort(self.started, kind="stable")]


@dataclass(frozen=True)
class RunEvidence:
    """All that derive knows of the runs of some campaigns.

    ``runs`` has one row a run; ``values`` one row per usable run, metric and role;
    ``stopped`` says in words for which runs no CPU cost could be had, ``beyond`` of
    which ones the parts of a system used how many times the CPU time of all of it.
    ``inside`` is what their logs tell by interval.
    """

    runs: pl.DataFrame
    values: pl.DataFrame
    flags: Mapping[str, list[Flag]]
    stopped: tuple[str, ...]
    metrics: Mapping[str, Metric]
    inside: Inside
    beyond: tuple[tuple[str, float], ...] = ()
    gathered: dict[tuple[str, ...], Samples] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )  # by campaigns: all studies of an edition ask for the same


def read_evidence(
    con: duckdb.DuckDBPyConnection,
    campaigns: Mapping[str, Campaign],
    metrics: Mapping[str, Metric],
) -> RunEvidence:
    """The runs of the campaigns, and the values and flags of the usable ones."""
    runs = read_runs(con).filter(pl.col("campaign").is_in(list(campaigns)))
    runs = runs.with_columns(
        used=pl.col("status").is_in(USABLE) & pl.col("source").is_not_null()
    )
    used = runs.filter("used")
    cpu = read_cpu(con, campaigns).join(used.select("id"), on="id", how="semi")
    cpu, apart, beyond = with_rest(cpu, campaigns)
    cpu, thin = _split_thin(cpu, campaigns)
    roles = read_roles(con, campaigns)
    beside, counted = runs_beside(roles), read_counted(con)
    inside, of_levels = look_inside(con, used, campaigns)
    steady, of_left_out = leave_out(used, inside, campaigns)
    costs = derive_cpu_cost(used, cpu, campaigns, metrics, beside)
    flags = [
        *apart,
        *flag_runs(used, campaigns),
        *of_levels,
        *of_left_out,
        *flag_cpu(costs, _alone(counted, beside), campaigns),
        *flag_conditions(con, used, declared_systems(campaigns)),
        *flag_beside(beside, counted),
    ]
    by_run: dict[str, list[Flag]] = {}
    for flag in flags:
        by_run.setdefault(flag.id, []).append(flag)
    counters, uncounted = counter_values(con, costs, roles, metrics)
    energy, unmetered = energy_values(con, used, roles, beside, campaigns, metrics)
    values = run_values(con, steady, costs, campaigns, metrics, (counters, energy))
    counted_some = used.filter(pl.col("transactions").is_not_null()).select("id")
    known = roles.join(counted_some, on="id", how="semi")
    elsewhere = reasons_without(con, campaigns)
    stopped = (
        *_stopped(thin, campaigns),
        *without_cpu(known, pl.concat([cpu, thin]), campaigns, elsewhere),
        *_uncounted(used, cpu),
        *uncounted,
        *unmetered,
    )
    return RunEvidence(runs, values, by_run, stopped, metrics, inside, tuple(beyond))


def _alone(
    counted: Mapping[tuple[str, str], float], beside: pl.DataFrame
) -> dict[tuple[str, str], float]:
    """Clock ticks of the runs that had their machine to themselves."""
    shared = set(beside.select("id", "machine").iter_rows())
    return {key: seconds for key, seconds in counted.items() if key not in shared}


class Samples(Mapping[Cell, Sample]):
    """Samples, each made by ``make`` when it is first asked for: of those of a campaign
    a study asks for few, and to judge one takes time."""

    def __init__(self, cells: Iterable[Cell], make: Callable[[Cell], Sample]) -> None:
        self.made: dict[Cell, Sample | None] = dict.fromkeys(cells)
        self.make = make

    def __getitem__(self, cell: Cell) -> Sample:
        """The sample of a cell; a KeyError where there is none."""
        sample = self.made[cell]
        if sample is None:
            self.made[cell] = sample = self.make(cell)
        return sample

    def __contains__(self, cell: object) -> bool:
        """Whether there is a sample; none is made for that."""
        return cell in self.made

    def __iter__(self) -> Iterator[Cell]:
        """All cells, in the order of their first runs."""
        return iter(self.made)

    def __len__(self) -> int:
        """How many cells have a sample."""
        return len(self.made)


def gather_samples(evidence: RunEvidence, campaigns: Collection[str]) -> Samples:
    """All samples of the given campaigns, their runs in order of repetition."""
    key = tuple(sorted(campaigns))
    if key not in evidence.gathered:
        evidence.gathered[key] = _gathered(evidence, campaigns)
    return evidence.gathered[key]


def _gathered(evidence: RunEvidence, campaigns: Collection[str]) -> Samples:
    wanted = evidence.values.filter(pl.col("campaign").is_in(list(campaigns)))
    keys = wanted.select(*Cell._fields, *RUN_ORDER).with_row_index("row")
    rows = pl.col("row").sort_by(RUN_ORDER)
    cells = keys.group_by(Cell._fields, maintain_order=True).agg(
        rows, first=pl.struct(RUN_ORDER).sort().first()
    )
    in_order = cells.sort("first", maintain_order=True).drop("first")
    at, rows_of = in_order.select(Cell._fields), in_order["row"]
    places = {Cell(*key): nth for nth, key in enumerate(at.iter_rows())}

    name = "id" if len(campaigns) > 1 else "run"

    def made(cell: Cell) -> Sample:
        return _sample(cell, wanted[rows_of[places[cell]]].to_dicts(), evidence, name)

    return Samples(places, made)


def _sample(cell: Cell, rows: list[dict], evidence: RunEvidence, name: str) -> Sample:
    values = np.array([row["value"] for row in rows])
    runs = tuple(row[name] for row in rows)
    metric, started = evidence.metrics[cell.metric], _starts(rows)
    resolution = max(row["resolution"] or 0.0 for row in rows) or None
    sessions = _sessions(rows)
    per = np.array([row["per"] for row in rows]) if metric.per else None
    relevant = [
        flag
        for row in rows
        for flag in evidence.flags.get(row["id"], ())
        if flag.concerns(metric) and flag.role in (None, cell.role)
    ]
    return Sample(
        values,
        runs,
        tuple(sorted({file for row in rows for file in row["files"]})),
        tuple(sorted({row["origin"] for row in rows})),
        _with_sessions(
            sample_warnings(values, runs, started, resolution)
            if per is None
            else count_warnings(values),
            sessions,
        )
        + describe_flags(relevant, len(rows)),
        tuple(sorted({row["evidence"] for row in rows if row["evidence"]})),
        started,
        tuple(sorted({tool for row in rows for tool in row["tools"] or ()})),
        any(row["of_part"] for row in rows),
        None if metric.per else resolution,
        sessions,
        per,
    )


def sample_warnings(
    values: Values,
    runs: tuple[str, ...],
    started: tuple[float, ...] = (),
    resolution: float | None = None,
) -> tuple[Remark, ...]:
    """What a reader must know of a sample, as each statistic has it; and that all runs
    are equal although no resolution tells why."""
    sample = SampleRuns(values, runs, started)
    others = [id for id in STATISTICS if id not in _WARNINGS]
    asked = [STATISTICS[id] for id in (*_WARNINGS, *others)]
    warnings = [of.warn(sample) for of in asked if of.warn]
    if not resolution and median.STATISTIC.enough(values) and np.ptp(values) == 0:
        warnings.insert(0, Remark("equal"))
    return tuple(remark for remark in warnings if remark)


def _starts(rows: list[dict]) -> tuple[float, ...]:
    known = [row["started"] for row in rows if row["started"] is not None]
    return tuple(known) if len(known) == len(rows) else ()


def _sessions(rows: list[dict]) -> tuple[str, ...]:
    known = [row["session"] for row in rows if row["session"] is not None]
    return tuple(known) if len(known) == len(rows) else ()


def _with_sessions(
    warnings: tuple[Remark, ...], sessions: tuple[str, ...]
) -> tuple[Remark, ...]:
    """Without that runs are too few for an interval where sessions give it."""
    several = len({*sessions}) >= SEVERAL
    return tuple(one for one in warnings if not (several and one.kind == "few"))


def _split_thin(
    cpu: pl.DataFrame, campaigns: Mapping[str, Campaign]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """CPU evidence that covers enough of its run, and that which does not."""
    least = {name: c.cpu.minimum_coverage for name, c in campaigns.items()}
    enough = pl.col("coverage").fill_null(0) >= pl.col("campaign").replace_strict(
        least, default=None, return_dtype=pl.Float64
    )
    return cpu.filter(enough), cpu.filter(~enough)


def _uncounted(used: pl.DataFrame, cpu: pl.DataFrame) -> tuple[str, ...]:
    """Says of which runs CPU time is known and transactions are not, by their tool."""
    bare = used.filter(pl.col("transactions").is_null())
    bare = bare.join(cpu, on="id", how="semi")
    of_tool = bare.group_by("campaign", pl.col("tools").list.join(" and "))
    uncounted = of_tool.agg(pl.col("id").min(), runs=pl.len()).sort("campaign", "tools")
    return tuple(
        f"{row['runs']} run{'s' * (row['runs'] > 1)} such as {row['id']}: the log of "
        f"{row['tools']} counts no transactions: no CPU cost per transaction"
        for row in uncounted.iter_rows(named=True)
    )


def _stopped(thin: pl.DataFrame, campaigns: Mapping[str, Campaign]) -> tuple[str, ...]:
    return tuple(
        f"run {row['id']}: the CPU evidence of its {row['role']} covers "
        f"{row['coverage'] or 0:.2f} of it, less than the declared "
        f"{campaigns[row['campaign']].cpu.minimum_coverage:g}: no CPU cost from it"
        for row in thin.sort("id", "role").iter_rows(named=True)
        if row["cpu_type"] == "CP"
    )
