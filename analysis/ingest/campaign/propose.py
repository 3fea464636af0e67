"""Runs, systems and CPU evidence proposed from the files of a folder."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any, get_args

from analysis.declared.campaign import RUNS_FILE, Evidence
from analysis.facts.units import how_many
from analysis.ingest.campaign.calls import Profile
from analysis.ingest.campaign.choose_test import is_untold, one_after_another
from analysis.ingest.campaign.guess import Guess, as_id, guess, role_of
from analysis.ingest.detect import FORMATS, kind_of
from analysis.ingest.reading import LOST, Reading

Readings = Mapping[str, Reading]
SIDES = ("client", "server")
_RANK = ("ok", "degraded", "truncated", "failed", "empty")
_NO_LOGS = ("linux", "rmf", "smf", "campaign")  # kinds of formats
_COUNTERS = ("cpu_counter", "cgroup_counter", "energy_counter")
_OF_RUN = ("run_cpu", *_COUNTERS)
_EVIDENCE = (*_OF_RUN, "cpu_interval", "process_interval", "address_space_interval")
_PAIR = 2  # snapshots: one before and one after


@dataclass
class Run:
    """One line of ``runs.csv``; times are as a file of the run tells them."""

    log: str
    guess: Guess
    test: str = ""
    repetition: int = 0
    cpu: list[str] = field(default_factory=list)
    start: str = ""
    end: str = ""
    notes: list[str] = field(default_factory=list)
    session: str = ""
    in_turn: bool = False  # its log has several results that are no instances

    @property
    def id(self) -> str:
        """Its name: configuration, workload and repetition."""
        load = self.guess.workload.replace("~", "mean")  # which no id may have
        return f"{self.guess.configuration}-{load}-{self.repetition:02d}"

    @property
    def labels(self) -> tuple[str, str]:
        """What its repetitions have in common: configuration and workload."""
        return self.guess.configuration, self.guess.workload

    def tell_apart(self, word: str, what: str) -> None:
        """Put a word into the name of the configuration: no repetition of another."""
        configuration = as_id(f"{self.guess.configuration}-{word}")
        self.guess = replace(self.guess, configuration=configuration)
        self.notes.append(f"the {what} is in the name of the configuration")


@dataclass
class Proposal:
    """All that is proposed, and what the author has to say: what was ``taken`` of the
    systems, and what is ``unknown`` of the runs.

    ``synthetic`` are the files that say of themselves that nobody measured them,
    ``in_turn`` the logs with results one after another, or that may be, which make
    no run. No run names the ``unused``, and nothing reads the ``unread`` of them; of
    ``lost`` ones, which are read, it is said why nothing in them can be used.
    ``sides`` are the roles of the systems in every run, ``evidence`` all files with CPU
    time; of the systems ``unknown_cps`` no file tells the CPs. ``sessions`` says
    how many the runs have, and by what.
    """

    runs: list[Run]
    systems: dict[str, dict[str, Any]]
    source: str
    taken: list[str]
    unknown: list[str]
    unused: list[str]
    sides: dict[str, str]
    evidence: list[str]
    unread: list[str] = field(default_factory=list)
    lost: dict[str, str] = field(default_factory=dict)
    in_turn: list[str] = field(default_factory=list)
    unknown_cps: list[str] = field(default_factory=list)
    synthetic: list[str] = field(default_factory=list)
    sessions: str = ""


def propose(
    readings: Readings, commands: Mapping[str, str], profiles: Sequence[Profile] = ()
) -> Proposal:
    """What the files of a folder seem to be.

    ``commands`` are texts of these files in which a benchmark is called, ``profiles``
    those that uperf may have run.
    """
    logs = logs_of(readings)
    evidence = [f for f in sorted({*readings} - {*logs}) if is_evidence(readings[f])]
    every = [
        run
        for log in logs
        for run in _runs(log, readings[log], _calls_of(log, logs, commands), profiles)
    ]
    runs = [run for run in every if not run.in_turn]
    for run in runs:
        run.cpu = _beside(run.log, logs, evidence)
        for file in run.cpu:
            if window := readings[file].circumstances.window:
                run.start, run.end = window
    _share_by_time(runs, evidence, readings)
    _part_tools(runs, readings)
    _number(runs)
    runs.sort(key=lambda run: (run.start or "~", run.log))
    systems, sides, taken = _propose_systems(readings, evidence)
    unknown = _made_up(runs, readings)
    for run in runs:
        named = [_with_side(file, readings[file], systems) for file in run.cpu]
        run.cpu = _without_odd_snapshots(named, readings)
    used = {plain_file(entry) for run in runs for entry in run.cpu}
    used |= {profile.file for profile in profiles} | {run.log for run in runs}
    unused = {file: readings[file] for file in sorted({*readings} - used)}
    return Proposal(
        runs,
        systems,
        _source_of(readings, evidence or logs),
        taken,
        unknown,
        [*unused],
        sides,
        evidence,
        unread=[file for file, read in unused.items() if not _is_told(read)],
        lost={
            file: read.reason
            for file, read in unused.items()
            if read.status in LOST and _is_told(read)
        },
        in_turn=[run.log for run in every if run.in_turn],
    )


def _is_told(reading: Reading) -> bool:
    """Whether a reading says what a file is, or how it can be opened, as an archive."""
    opens = reading.cause is not None and reading.cause.kind == "together"
    return reading.format != "unknown" or opens


# Logs


def of_test(reading: Reading, test: str) -> Reading:
    """A reading with the results of one test alone."""
    results = [row for row in reading.results if (row["test"] or "") == test]
    return replace(reading, results=results)


def logs_of(readings: Readings) -> list[str]:
    """One file a run: of those with a result, not the server's where the client's
    is there; and unreadable ones that are named as the logs of other folders.

    Of files such as ``client.txt`` and ``client.stderr`` it is the better one.
    """
    sure = [
        file
        for file, reading in sorted(readings.items())
        if reading.results or _is_lost_log(reading)
    ]
    clients = [file for file in sure if role_of(PurePosixPath(file).name) != "server"]
    names = Counter(PurePosixPath(file).name for file in clients)
    done = {PurePosixPath(file).parent for file in clients}
    lost = [
        file
        for file, reading in sorted(readings.items())
        if reading.format == "unknown"
        and names[PurePosixPath(file).name] > 1
        and PurePosixPath(file).parent not in done
    ]
    done |= {PurePosixPath(file).parent for file in lost}
    servers = [file for file in sure if PurePosixPath(file).parent not in done]
    best: dict[PurePosixPath, tuple[int, bool, str]] = {}
    for file in (*clients, *lost, *servers):
        path = PurePosixPath(file)
        rank = _RANK.index(readings[file].status)
        mine = (rank, path.suffix in (".stderr", ".err"), file)
        stem = path.parent / path.name.split(".")[0]
        best[stem] = min(best.get(stem, mine), mine)
    return sorted(file for _, _, file in best.values())


def _is_lost_log(reading: Reading) -> bool:
    """A log of a known tool that failed before it had any result; an empty reply of
    RMF or a broken file of mpstat is none."""
    lost = reading.status in ("failed", "truncated") and reading.format in FORMATS
    if not lost or reading.tables or reading.results:
        return False
    return kind_of(reading.format) not in _NO_LOGS


def _runs(
    log: str, reading: Reading, commands: str, profiles: Sequence[Profile]
) -> list[Run]:
    """One run, or one for each test of the log, where it holds several."""
    tests = sorted({row["test"] or "" for row in reading.results})
    parts = {test: of_test(reading, test) for test in tests}
    runs = []
    for test, part in parts.items() if len(parts) > 1 else [("", reading)]:
        run = Run(log, guess(log, part, commands, profiles), test)
        run.in_turn = bool(one_after_another(part.results)) or is_untold(part.results)
        if run.guess.named:
            run.notes.append(f"its path names {run.guess.named}, which it denies")
        if (count := len(part.results)) > 1:
            run.notes.append(f"{count} results, taken for instances side by side")
        runs.append(run)
    taken = Counter(run.labels for run in runs)
    for run in [run for run in runs if taken[run.labels] > 1]:
        run.tell_apart(run.test, "test")
    return runs


def _share_by_time(runs: list[Run], evidence: list[str], readings: Readings) -> None:
    """Give files of folders without a log to all runs within their times."""
    folders = {PurePosixPath(run.log).parent for run in runs} - {PurePosixPath(".")}
    taken = {file for run in runs for file in run.cpu}
    for file in evidence:
        of_run = any(name in readings[file].tables for name in _OF_RUN)
        beside = not folders.isdisjoint(PurePosixPath(file).parents)
        if file in taken or of_run or beside:
            continue
        span = span_of(readings[file])
        for run in runs:
            if not (run.start and span) or _overlaps(run, span):
                run.cpu.append(file)


def _overlaps(run: Run, span: tuple[str, str]) -> bool:
    times = [dt.datetime.fromisoformat(text) for text in (run.start, run.end, *span)]
    return times[0] < times[3] and times[2] < times[1]


def _part_tools(runs: list[Run], readings: Readings) -> None:
    """Logs of different tools are no repetitions of one another.

    Where they would be, the name of each configuration has the tool. It is the format
    of a log that broke off before it named one.
    """
    tools = defaultdict[tuple[str, str], set[str]](set)
    named = []
    for run in runs:
        log = readings[run.log]
        if tool := log.tool_name or log.format.removeprefix("unknown"):
            tools[run.labels].add(tool)
            named.append((run, tool))
    if any(len(of_workload) > 1 for of_workload in tools.values()):
        for run, tool in named:
            run.tell_apart(tool, "tool")


def _number(runs: list[Run]) -> None:
    """Repetitions as the paths number them, else in the order of time and path."""
    groups = defaultdict[tuple[str, str], list[Run]](list)
    for run in sorted(runs, key=lambda r: (r.start or "~", r.log)):
        groups[run.labels].append(run)
    for group in groups.values():
        numbers = [run.guess.repetition for run in group]
        sound = None not in numbers and len(set(numbers)) == len(numbers)
        for index, run in enumerate(group, 1):
            run.repetition = (run.guess.repetition or index) if sound else index
            if not sound and len(group) > 1:
                run.notes.append("repetition counted")


def _made_up(runs: list[Run], readings: Readings) -> list[str]:
    """What is not known of runs; those of which something was made up are noted."""
    unknown = []
    made_up = [run for run in runs if run.guess.unknown]
    for run in made_up:
        run.notes.append(f"made up: {', '.join(run.guess.unknown)}")
    if made_up:
        unknown.append(
            f"{', '.join(made_up[0].guess.unknown)} of {how_many(len(made_up), 'run')},"
            f" such as {made_up[0].log}: the column note says what was made up"
        )
    untimed = [r for r in runs if not (r.start or _tells_time(readings[r.log]))]
    if untimed:
        unknown.append(
            f"start and end of {how_many(len(untimed), 'run')}, which no file tells, "
            f"such as {untimed[0].log}: write them into {RUNS_FILE}"
        )
    return unknown


def _tells_time(reading: Reading) -> bool:
    """Whether a log tells when its run was."""
    told = any(row["start_utc"] and row["seconds"] for row in reading.results)
    return told or reading.circumstances.window is not None


# CPU evidence beside logs


def is_evidence(reading: Reading) -> bool:
    """Whether a reading tells of CPU time."""
    return any(name in reading.tables for name in _EVIDENCE)


def _beside(log: str, logs: list[str], files: list[str]) -> list[str]:
    """Files beside or below a log; of several logs in a folder, by the names."""
    path = PurePosixPath(log)
    below = [f for f in files if PurePosixPath(f).is_relative_to(path.parent)]
    others = [o for o in logs if o != log and PurePosixPath(o).parent == path.parent]
    if path.parent != PurePosixPath(".") and not others:
        return below
    named = re.compile(rf"{re.escape(path.name.split('.')[0]) or '(?!)'}(?:[._-]|$)")
    return [file for file in below if named.match(PurePosixPath(file).name)]


def _calls_of(log: str, logs: list[str], commands: Mapping[str, str]) -> str:
    """The text that calls the tool of a log: its own head, or a file of its run."""
    folder = PurePosixPath(log).parent
    beside = [
        f for f in commands if f not in logs and PurePosixPath(f).parent == folder
    ]
    named = [f for f in (log, *_beside(log, logs, beside)) if f in commands]
    return "\n".join(commands[file] for file in named)


def days_of(evidence: Iterable[str], readings: Readings) -> list[str]:
    """The days at the ends of what CPU files tell of."""
    spans = (span_of(readings[file]) or () for file in evidence)
    return [moment[:10] for span in spans for moment in span]


def span_of(reading: Reading) -> tuple[str, str] | None:
    """The first and last moment of which a reading tells, UTC; None without a time."""
    timed = [(row["start_utc"], row["seconds"]) for row in reading.results]
    for table in reading.tables.values():
        if {"start_utc", "seconds"} <= set(table.columns):
            timed += table.select("start_utc", "seconds").rows()
    known = [(start, s) for start, s in timed if start and s is not None]
    ends = [
        (dt.datetime.fromisoformat(start) + dt.timedelta(seconds=seconds)).isoformat()
        for start, seconds in known
    ]
    return (min(start for start, _ in known), max(ends)) if known else None


def _source_of(readings: Readings, evidence: list[str]) -> str:
    """Whose CPU time a campaign of these files counts."""

    def values(table: str, column: str) -> set[Any]:
        frames = [tables[table] for tables in all_tables if table in tables]
        return {value for frame in frames for value in frame[column].to_list()}

    all_tables = [readings[file].tables for file in evidence]
    if "cgroup" in values("run_cpu", "method") or any(
        "cgroup_counter" in tables for tables in all_tables
    ):
        return "cgroup"
    if "process" in values("run_cpu", "method"):
        return "process"
    bases = values("cpu_interval", "basis")
    return "lpar_busy" if bases & {"lpar_busy", "dispatch"} else "procstat"


# The systems: machines, or two sides of one machine


def _propose_systems(
    readings: Readings, evidence: list[str]
) -> tuple[dict[str, dict[str, Any]], dict[str, str], list[str]]:
    """Two sides of one Linux machine, or each machine that CPU files speak of, with one
    CP each until more is known.

    One LPAR alone is what was measured, whoever sent requests to it. Beside the systems
    stand their roles in every run, and what was made up.
    """
    machines = sorted({name for file in evidence for name in readings[file].systems})
    formats = {readings[file].format for file in evidence if readings[file].systems}
    of_zos = bool(formats) and formats <= set(get_args(Evidence))
    if len(machines) >= len(SIDES) or of_zos:
        served = _served(readings, evidence)
        machines.sort(key=lambda name: served.get(name, 0))
        sides = SIDES[-len(machines) :]
        if len(machines) == 1 and served.get(machines[0], 0) < 0:
            sides = SIDES[:1]
        roles = dict(zip(sides, (machines[0], machines[-1]), strict=False))
        guesses = ", ".join(
            f"{name} was taken for the {of}" for of, name in roles.items()
        )
        guesses += ", as its connections in records 119-2 say" * any(served.values())
        systems: dict[str, dict[str, Any]] = {
            name: {"cps": 1} for name in sorted(machines)
        }
        return systems, roles, [f"the roles of the systems: {guesses}"]
    if not machines and _on_one_machine(readings, evidence):
        machines = ["host"]
    host = {"host": machines[0]} if machines else {}
    systems = {side: {"role": side, "cps": 1, **host} for side in SIDES}
    unknown = "the systems: which machine was the client, which the server"
    return systems, {side: side for side in SIDES}, [unknown]


def _served(readings: Readings, evidence: list[str]) -> dict[str, int]:
    """Of how many more TCP connections each system was the server than the client."""
    counts = Counter[str]()
    for file in evidence:
        if "tcp_connection" in (tables := readings[file].tables):
            for row in tables["tcp_connection"].select("system", "role").iter_rows():
                counts[row[0]] += {"server": 1, "client": -1}.get(row[1], 0)
    return counts


def _on_one_machine(readings: Readings, evidence: list[str]) -> bool:
    """Whether one file tells the control groups of both sides, and ticks of a machine
    that no file's name gives to one of them."""
    both = any(
        {*SIDES} <= {*readings[file].tables["run_cpu"]["role"]}
        for file in evidence
        if "run_cpu" in readings[file].tables
    )
    ticks = (file for file in evidence if "cpu_counter" in readings[file].tables)
    return both and any(role_of(file) is None for file in ticks)


def _with_side(file: str, reading: Reading, systems: Collection[str]) -> str:
    """``SYSTEM=FILE`` for counters of a side, whose files name no system; ``./FILE``
    where the path would look like that."""
    side = role_of(file)
    names = (*_COUNTERS, "run_counter")
    if any(name in reading.tables for name in names) and side in systems:
        return f"{side}={file}"
    return f"./{file}" if "=" in file.split("/")[0] else file


def plain_file(entry: str) -> str:
    """The file of an entry of a run's ``cpu``."""
    system, named, file = entry.partition("=")
    return file if named and "/" not in system else entry.removeprefix("./")


def renamed(entry: str, names: Mapping[str, str]) -> str:
    """An entry of a run's ``cpu`` with the name that its system has now."""
    file = plain_file(entry)
    system = entry.removesuffix(file).removesuffix("=")
    return f"{names[system]}={file}" if system in names else entry


def _without_odd_snapshots(entries: list[str], readings: Readings) -> list[str]:
    """The entries of a run without counters that are not one before and one after."""

    def kind(entry: str) -> tuple[str, str] | None:
        file = plain_file(entry)
        counters = [name for name in _COUNTERS if name in readings[file].tables]
        return (counters[0], entry.removesuffix(file)) if counters else None

    many = Counter(map(kind, entries))
    return [e for e in entries if (of := kind(e)) is None or many[of] == _PAIR]
