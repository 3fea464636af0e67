"""Which files are logs of runs, and of which systems the others tell CPU time."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import polars as pl

from analysis.declared.vocabulary import SYSTEM_ROLES, SystemSource
from analysis.derive.cpu_cost import cpu_seconds_from_busy
from analysis.errors import user_error
from analysis.ingest.campaign.guess import role_of
from analysis.ingest.campaign.propose import is_evidence, logs_of
from analysis.ingest.reading import Reading
from analysis.ingest.tables.catalog import frame
from analysis.ingest.tables.store import join_frames

AT_MOST = 2  # runs beside each other
SIDES = ("client", "server")
Readings = Mapping[str, Reading]
_WHOLE = "system"  # the scope of intervals that Linux tells of a whole machine
_SLACK = dt.timedelta(seconds=1)  # starts are cut to whole seconds
_LONGER = 1.25  # times as long as the run, from which on it is said


@dataclass(frozen=True)
class CpuEvidence:
    """A file with CPU time; ``side`` is empty where nobody tells it, ``system`` where
    the file speaks of one alone."""

    file: str
    side: str = ""
    system: str = ""


@dataclass
class Chosen:
    """A run: its log, and the files that tell its CPU time.

    Of a folder of repetitions it has a configuration, a number, and in ``within`` the
    path of its log in that folder, as folders may name workloads.
    """

    log: str
    evidence: list[CpuEvidence] = field(default_factory=list)
    configuration: str = ""
    repetition: int = 1
    within: str = "log"


def key_of(path: Path) -> str:
    """What a file is called here: its path from the root, without the first ``/``."""
    return path.absolute().as_posix().lstrip("/")


def listed(paths: Sequence[Path]) -> list[list[Path]]:
    """The files of each path: of a folder all in it and below it but hidden ones."""
    return [
        sorted(
            file
            for file in path.rglob("*")
            if file.is_file()
            and not any(part[0] == "." for part in file.relative_to(path).parts)
        )
        if path.is_dir()
        else [path]
        for path in paths
    ]


def split_name(given: str) -> tuple[str, Path]:
    """System and path of ``SYSTEM=FILE``; no system of a path alone."""
    system, named, path = given.partition("=")
    if named and "/" not in system and not Path(given).exists():
        return system, Path(path)
    return "", Path(given)


def choose(
    readings: Readings,
    groups: Sequence[Sequence[Path]],
    sides: Sequence[tuple[int, CpuEvidence]],
) -> list[Chosen]:
    """One run or two; a :class:`UserError` where the files are of none or of more.

    What a group with one log has is of that log, else of all. ``sides`` are what is
    named for a side, with the number of the option that names it: the first one is of
    the first run and the second of the second, while a single one is of all.
    """
    keys = [[key_of(path) for path in group] for group in groups]
    named = [key for group in keys for key in group]
    logs = logs_of({key: readings[key] for key in named})
    runs = [Chosen(log) for log in sorted(logs, key=named.index)]
    if not 0 < len(runs) <= AT_MOST:
        raise _wrong_number(logs, named, readings)
    for group in keys:
        for key in group:
            if key not in logs and is_evidence(readings[key]):
                evidence = CpuEvidence(key, role_of(Path(key).name) or "")
                for run in [run for run in runs if run.log in group] or runs:
                    run.evidence.append(evidence)
    for side in SIDES:
        _add_side(runs, side, [pair for pair in sides if pair[1].side == side])
    return runs


def _add_side(
    runs: Sequence[Chosen], side: str, named: Sequence[tuple[int, CpuEvidence]]
) -> None:
    """Give the evidence of a side to the runs; what is named for it counts alone."""
    many = {number for number, _ in named}
    if len(many) > len(runs):
        what = f"--{side} is given {len(many)} times for {len(runs)} runs"
        raise user_error(what, mend=f"write --{side} once for each run, or for all")
    for place, run in enumerate(runs if named else ()):
        kept = [one for one in run.evidence if one.side not in (side, "")]
        chosen = [one for number, one in named if len(many) == 1 or number == place]
        run.evidence = kept + chosen


def _wrong_number(
    logs: Sequence[str], named: Sequence[str], readings: Readings
) -> Exception:
    if logs:
        what = f"{len(logs)} runs: {', '.join('/' + log for log in logs[:4])}"
        mend = "name the files of one run or of two; of more, make a campaign"
        return user_error(what, mend=mend)
    formats = "; ".join(
        f"/{key} is {readings[key].format}: {readings[key].reason or 'no log'}"
        for key in named[:4]
    )
    mend = "name the log of a benchmark; 'inspect FILE' says what a file is"
    return user_error(f"there is no log of a run: {formats or 'no file'}", mend=mend)


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
        files = [one for one in run.evidence if one.side] or run.evidence
        with_roles = [one for one in files if self._has_roles(one)]
        if with_roles and not any(one.side for one in files):
            return self._by_roles(with_roles)
        return {
            role: id
            for side in ("", *SIDES)
            for role, id in self._side(
                side, [one for one in files if one.side == side], run, window
            )
        }

    def _has_roles(self, one: CpuEvidence) -> bool:
        cpu = self.as_read[one.file].tables.get("run_cpu")
        return cpu is not None and bool(cpu["role"].drop_nulls().len())

    def _by_roles(self, files: list[CpuEvidence]) -> dict[str, str]:
        """Systems as a file tells them itself, each by its control group."""
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
        named = ([f.system] if f.system else self.as_read[f.file].systems for f in used)
        machines = sorted({machine for some in named for machine in some}) or [""]
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
        systems = [id if name == machine else name for name in reading.systems] or [id]
        tables = {**reading.tables, **tables}
        self.readings[file] = replace(reading, tables=tables, systems=systems)

    def _count(
        self, file: str, id: str, run: Chosen, window: tuple[str, str] | None
    ) -> None:
        """CPU seconds of a whole machine, from its busy share, as a row of the run."""
        tables = self.readings[file].tables
        intervals = tables["cpu_interval"].filter(system=id, cpu_type="CP")
        rows = intervals.drop_nulls("seconds")
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
        parts = [tables["run_cpu"]] if "run_cpu" in tables else []
        parts.append(frame("run_cpu", [row] if span else []))
        tables["run_cpu"] = join_frames("run_cpu", parts)


def _best(
    files: list[CpuEvidence], readings: Readings
) -> tuple[SystemSource | None, list[CpuEvidence]]:
    """The best source that files have, and those of them that have it."""
    for source, tells in _SOURCES:
        if used := [one for one in files if tells(readings[one.file])]:
            if source in ("lpar_busy", "dispatch"):
                return source, used
            if not _is_linux(readings[used[0].file]):  # a file before, another after
                return source, used
            sound = min(
                used, key=lambda one: (readings[one.file].status != "ok", one.file)
            )
            return source, [sound]
    return None, []


def _of_intervals(reading: Reading, column: str) -> list[str]:
    table = reading.tables.get("cpu_interval")
    return [] if table is None else table[column].to_list()


def _is_linux(reading: Reading) -> bool:
    return _WHOLE in _of_intervals(reading, "scope")


# From the best on: what counts one side alone, then what counts the whole machine.
_SOURCES: tuple[tuple[SystemSource, Callable[[Reading], bool]], ...] = (
    ("cgroup", lambda reading: "cgroup_counter" in reading.tables),
    ("procstat", lambda reading: "cpu_counter" in reading.tables),
    ("lpar_busy", lambda reading: "lpar_busy" in _of_intervals(reading, "basis")),
    ("dispatch", lambda reading: "dispatch" in _of_intervals(reading, "basis")),
    ("procstat", _is_linux),
)


def _cpus(reading: Reading, machine: str) -> int | None:
    """How many CPs a machine has, where the file tells it."""
    count = reading.circumstances.cpus
    table = reading.tables.get("cpu_interval")
    if count or table is None:
        return count
    rows = table.filter(cpu_type="CP").drop_nulls("online_cpus")
    rows = rows.filter(system=machine) if machine else rows
    return round(max(rows["online_cpus"], default=0)) or None


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
    return max((r["seconds"] for r in log.results if r["seconds"]), default=None)
