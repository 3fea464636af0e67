"""The systems of a run, from the files that tell its CPU time."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

import polars as pl

from analysis.declared.vocabulary import SYSTEM_ROLES, SystemSource
from analysis.derive.cpu_cost import cpu_seconds_from_busy
from analysis.ingest.reading import Reading
from analysis.ingest.tables.catalog import frame
from analysis.ingest.tables.store import join_frames
from analysis.summary.sides import SIDES, Chosen, CpuEvidence, Readings

_WHOLE = "system"  # the scope of intervals that Linux tells of a whole machine
_SLACK = dt.timedelta(seconds=1)  # starts are cut to whole seconds
Tells = Callable[[Reading], bool]
_LONGER = 1.25  # times as long as the run, from which on it is said


@dataclass(frozen=True)
class SystemSide:
    """A system of a run: its role, its name, and where its CPU time is from."""

    role: str
    label: str
    source: SystemSource
    cps: int | None
    files: tuple[str, ...]


@dataclass
class SystemSides:
    """The systems of all runs by their ids, with the readings that speak of them."""

    as_read: Readings
    systems: dict[str, SystemSide] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    readings: dict[str, Reading] = field(init=False)

    def __post_init__(self) -> None:
        self.readings = dict(self.as_read)

    def add(self, run: Chosen, window: tuple[str, str] | None) -> dict[str, str]:
        """The systems of a run by their roles."""
        told = [one for one in run.evidence if one.side] or run.evidence
        of_roles = [one for one in told if self._has_roles(one)]
        if of_roles and not any(one.side for one in told):
            return self._of_roles(of_roles)
        sides = {
            side: [one for one in told if one.side == side] for side in ("", *SIDES)
        }
        return {
            role: id
            for side, files in sides.items()
            for role, id in self._side(side, files, run, window)
        }

    def _has_roles(self, one: CpuEvidence) -> bool:
        cpu = self.as_read[one.file].tables.get("run_cpu")
        return cpu is not None and bool(cpu["role"].drop_nulls().len())

    def _of_roles(self, files: list[CpuEvidence]) -> dict[str, str]:
        """SystemSides as a file tells them itself, each by its control group."""
        [first, *rest] = files
        self._unused(rest, first)
        cpu = self.readings[first.file].tables["run_cpu"].drop_nulls("role")
        roles = cpu["role"].unique(maintain_order=True).to_list()
        return {
            role: self._id(SystemSide(role, role, "cgroup", None, (first.file,)))
            for role in roles
        }

    def _side(
        self,
        side: str,
        files: list[CpuEvidence],
        run: Chosen,
        window: tuple[str, str] | None,
    ) -> Iterable[tuple[str, str]]:
        """Role and id of each system that files of a side speak of."""
        if not files:
            return
        source, used = _best(files, self.as_read)
        if source is None:
            kinds = ", ".join(f"/{one.file}" for one in files)
            self.notes.append(f"CPU time of this kind is not used: {kinds}")
            return
        self._unused([one for one in files if one not in used], used[0])
        machines = sorted({m for one in used for m in self._machines(one)}) or [""]
        roles = [side] if side else list(SYSTEM_ROLES[: len(machines)])
        for role, machine in zip(roles, machines, strict=False):
            label = side or machine or "machine"
            names = tuple(one.file for one in used)
            counts = (_cpus(self.as_read[name], machine) for name in names)
            cps = max(filter(None, counts), default=None)
            id = self._id(SystemSide(role, label, source, cps, names))
            for name in names:
                self._speak_of(name, machine, id)
                if _is_linux(self.as_read[name]):
                    self._count(name, id, run, window)
            yield role, id

    def _machines(self, one: CpuEvidence) -> list[str]:
        return [one.system] if one.system else self.as_read[one.file].systems

    def _id(self, side: SystemSide) -> str:
        for id, known in self.systems.items():
            if known == side:
                return id
        id = f"{side.role}{len(self.systems)}"
        self.systems[id] = side
        return id

    def _unused(self, files: Iterable[CpuEvidence], better: CpuEvidence) -> None:
        for one in files:
            self.notes.append(f"/{one.file} is not counted beside /{better.file}")

    def _speak_of(self, file: str, machine: str, id: str) -> None:
        """Let the rows of a machine be of the system with that id."""
        reading = self.readings[file]
        named = pl.col("system") == machine if machine else pl.lit(True)
        tables = {
            name: table.with_columns(
                system=pl.when(named).then(pl.lit(id)).otherwise("system")
            )
            for name, table in reading.tables.items()
            if "system" in table.columns
        }
        found = replace(reading, tables={**reading.tables, **tables})
        found.systems = [id if name == machine else name for name in reading.systems]
        found.systems = found.systems or [id]
        self.readings[file] = found

    def _count(
        self, file: str, id: str, run: Chosen, window: tuple[str, str] | None
    ) -> None:
        """CPU seconds of a whole machine, from its busy share, as a row of the run."""
        tables = self.readings[file].tables
        told = tables["cpu_interval"].filter(system=id, cpu_type="CP")
        rows = told.drop_nulls("seconds")
        timed = rows.drop_nulls("start_utc")
        rows = _within(timed, window) if window and timed.height else rows
        span = float(rows["seconds"].sum())
        lasted = _seconds(self.readings[run.log], window)
        if lasted and span > _LONGER * lasted:
            self.notes.append(
                f"/{file} tells of {span:g} s, the run lasted {lasted:g} s: which part "
                "is the run's is not told"
            )
        busy = cpu_seconds_from_busy(
            pl.col("busy_pct"), pl.col("online_cpus"), pl.col("seconds")
        )
        used = rows.select(pl.coalesce("busy_seconds", busy).sum()).item()
        row = {
            "run": run.log,
            "role": self.systems[id].role,
            "system": id,
            "cpu_type": "CP",
            "cpu_seconds": used,
            "coverage": min(1.0, span / lasted) if lasted else 1.0,
            "method": "procstat",
            "scope": _WHOLE,
            "position": rows["position"].min(),
        }
        own = [frame("run_cpu", [row] if span else [])]
        before = [tables["run_cpu"]] if "run_cpu" in tables else []
        tables["run_cpu"] = join_frames("run_cpu", before + own)


def _best(
    files: list[CpuEvidence], readings: Readings
) -> tuple[SystemSource | None, list[CpuEvidence]]:
    """The best source that files have, and those of them that have it."""
    for source, tells in _SOURCES:
        used = [one for one in files if tells(readings[one.file])]
        if used:
            pair = source in ("cgroup", "procstat") and not _is_linux(
                readings[used[0].file]
            )
            many = source in ("lpar_busy", "dispatch") or pair
            return source, used if many else [min(used, key=_doubt(readings))]
    return None, []


def _doubt(readings: Readings) -> Callable[[CpuEvidence], tuple[bool, str]]:
    def of(one: CpuEvidence) -> tuple[bool, str]:
        return readings[one.file].status != "ok", one.file

    return of


def _is_linux(reading: Reading) -> bool:
    table = reading.tables.get("cpu_interval")
    return table is not None and _WHOLE in table["scope"].to_list()


def _has(table: str) -> Tells:
    return lambda reading: table in reading.tables


def _has_basis(basis: str) -> Tells:
    def tells(reading: Reading) -> bool:
        table = reading.tables.get("cpu_interval")
        return table is not None and basis in table["basis"].to_list()

    return tells


# From the best on: what counts one side alone, then what counts the whole machine.
_SOURCES: tuple[tuple[SystemSource, Tells], ...] = (
    ("cgroup", _has("cgroup_counter")),
    ("procstat", _has("cpu_counter")),
    ("lpar_busy", _has_basis("lpar_busy")),
    ("dispatch", _has_basis("dispatch")),
    ("procstat", _is_linux),
)


def _cpus(reading: Reading, machine: str) -> int | None:
    """How many CPs a machine has, where the file tells it."""
    told = reading.circumstances.cpus
    table = reading.tables.get("cpu_interval")
    if told or table is None:
        return told
    mine = table.filter(cpu_type="CP").drop_nulls("online_cpus")
    mine = mine.filter(system=machine) if machine else mine
    return round(max(mine["online_cpus"], default=0)) or None


def _within(rows: pl.DataFrame, window: tuple[str, str]) -> pl.DataFrame:
    """The intervals that lie within a window, to a second."""
    start, end = (dt.datetime.fromisoformat(text) for text in window)
    begun = pl.col("start_utc").str.to_datetime(time_zone="UTC")
    over = begun + pl.duration(microseconds=pl.col("seconds") * 1e6)
    return rows.filter(begun >= start - _SLACK, over <= end + _SLACK)


def _seconds(log: Reading, window: tuple[str, str] | None) -> float | None:
    """How long a run lasted, as its window or its log tells."""
    if window:
        start, end = (dt.datetime.fromisoformat(text) for text in window)
        return (end - start).total_seconds()
    told = [row["seconds"] for row in log.results if row["seconds"]]
    return max(told, default=None)
