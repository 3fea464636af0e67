"""Runs, systems and CPU evidence proposed from the files of a folder."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any

from analysis.facts.units import how_many
from analysis.ingest.campaign.choose_test import is_untold, one_after_another
from analysis.ingest.campaign.guess import Guess, guess
from analysis.ingest.campaign.propose_logs import Readings, logs_of, of_test
from analysis.ingest.campaign.run_path import as_id
from analysis.ingest.campaign.sides import (
    plain_file,
    propose_systems,
    with_side,
    without_odd_snapshots,
)
from analysis.ingest.campaign.uperf_profile import Profile
from analysis.ingest.reading import Reading

_LOST = ("failed", "empty", "truncated")
_OF_RUN = ("run_cpu", "cpu_counter", "cgroup_counter")
_EVIDENCE = (*_OF_RUN, "cpu_interval", "process_interval", "address_space_interval")


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
    in_turn: bool = False  # its log has several results that are no instances

    @property
    def id(self) -> str:
        """Its name: configuration, workload and repetition."""
        told = self.guess
        load = told.workload.replace("~", "mean")  # which no id may have
        return f"{told.configuration}-{load}-{self.repetition:02d}"


@dataclass
class Proposal:
    """All that is proposed, and what the author has to say: what was ``taken`` of the
    systems, and what is ``unknown`` of the runs.

    ``synthetic`` are the files that say of themselves that nobody measured them,
    ``in_turn`` the logs with results one after another, or that may be, which make
    no run. No run names the ``unused``, and nothing reads the ``unread`` of them; of
    ``lost`` ones, which are read, it is said why nothing in them can be used.
    ``sides`` are the roles of the systems in every run, ``evidence`` all files with CPU
    time; of the systems ``unknown_cps`` no file tells the CPs.
    """

    runs: list[Run]
    systems: dict[str, dict[str, Any]]
    source: str
    taken: list[str]
    unknown: list[str]
    unused: list[str]
    unread: list[str]
    sides: dict[str, str]
    evidence: list[str]
    unknown_cps: list[str] = field(default_factory=list)
    synthetic: list[str] = field(default_factory=list)
    in_turn: list[str] = field(default_factory=list)
    lost: dict[str, str] = field(default_factory=dict)


def propose(
    readings: Readings, commands: Mapping[str, str], profiles: Sequence[Profile] = ()
) -> Proposal:
    """What the files of a folder seem to be.

    ``commands`` are texts of these files in which a benchmark is called, ``profiles``
    those that uperf may have run.
    """
    logs = logs_of(readings)
    runs = [
        run
        for log in logs
        for run in _runs(log, readings[log], _calls_of(log, logs, commands), profiles)
    ]
    others = sorted(set(readings) - set(logs))
    evidence = [file for file in others if is_evidence(readings[file])]
    in_turn = [run.log for run in runs if run.in_turn]
    runs = [run for run in runs if not run.in_turn]
    for run in runs:
        run.cpu = _evidence_of(run.log, logs, evidence)
        _add_window(run, readings)
    _share_by_time(runs, evidence, readings)
    _part_tools(runs, readings)
    _number(runs)
    runs.sort(key=lambda run: (run.start or "~", run.log))
    systems, sides, taken = propose_systems(readings, evidence)
    unknown = _made_up(runs)
    for run in runs:
        named = [with_side(file, readings[file], systems) for file in run.cpu]
        run.cpu = without_odd_snapshots(named, readings)
    used = {plain_file(entry) for run in runs for entry in run.cpu}
    used |= {profile.file for profile in profiles}
    unused = sorted(set(readings) - used - {run.log for run in runs})
    unread = [file for file in unused if readings[file].format == "unknown"]
    source = _source_of(readings, evidence)
    return Proposal(
        runs, systems, source, taken, unknown, unused, unread, sides, evidence,
        in_turn=in_turn, lost=_lost(unused, readings),
    )  # fmt: skip


def _lost(files: Sequence[str], readings: Readings) -> dict[str, str]:
    """Files of a known format of which nothing can be used, each with the reason."""
    known = [(file, readings[file]) for file in files]
    lost = [(file, r) for file, r in known if r.status in _LOST]
    return {file: r.reason or "" for file, r in lost if r.format != "unknown"}


def _runs(
    log: str, reading: Reading, commands: str, profiles: Sequence[Profile]
) -> list[Run]:
    """One run, or one for each test of the log, where it holds several."""
    tests = sorted({row["test"] or "" for row in reading.results})
    if len(tests) < 2:
        return [_run(log, reading, guess(log, reading, commands, profiles))]
    parts = {test: of_test(reading, test) for test in tests}
    runs = [_run(log, own, guess(log, own, commands), of) for of, own in parts.items()]
    taken = Counter((run.guess.configuration, run.guess.workload) for run in runs)
    for run in runs:
        if taken[run.guess.configuration, run.guess.workload] > 1:
            _tell_apart(run)
    return runs


def _run(log: str, reading: Reading, told: Guess, test: str = "") -> Run:
    run, results = Run(log, told, test), len(reading.results)
    in_turn = one_after_another(reading.results) is not None
    run.in_turn = in_turn or is_untold(reading.results)
    if told.named:
        run.notes.append(f"its path names {told.named}, which it denies")
    if results > 1:
        run.notes.append(f"{results} results, taken for instances side by side")
    return run


def _tell_apart(run: Run) -> None:
    """Two tests of one log are no repetitions of one another."""
    configuration = as_id(f"{run.guess.configuration}-{run.test}")
    run.guess = replace(run.guess, configuration=configuration)
    run.notes.append("the test is in the name of the configuration")


def _add_window(run: Run, readings: Readings) -> None:
    for file in run.cpu:
        if window := readings[file].circumstances.window:
            run.start, run.end = window


def _share_by_time(runs: list[Run], evidence: list[str], readings: Readings) -> None:
    """Give files of folders without a log to all runs within their times."""
    folders = {PurePosixPath(run.log).parent for run in runs}
    taken = {file for run in runs for file in run.cpu}
    for file in evidence:
        of_run = any(name in readings[file].tables for name in _OF_RUN)
        if file in taken or of_run or _is_beside(file, folders):
            continue
        span = _span_of(readings[file])
        for run in runs:
            if not (run.start and span) or _overlaps(run, span):
                run.cpu.append(file)


def _overlaps(run: Run, span: tuple[str, str]) -> bool:
    times = [dt.datetime.fromisoformat(text) for text in (run.start, run.end, *span)]
    return times[0] < times[3] and times[2] < times[1]


def _part_tools(runs: list[Run], readings: Readings) -> None:
    """Logs of different tools are no repetitions of one another.

    Where they would be, the name of each configuration has the tool.
    """
    tools = defaultdict[tuple[str, str], set[str]](set)
    named = [(run, _tool(readings[run.log])) for run in runs]
    for run, tool in (one for one in named if one[1]):
        tools[run.guess.configuration, run.guess.workload].add(tool)
    if all(len(of_workload) == 1 for of_workload in tools.values()):
        return
    for run, tool in named:
        if tool:
            of = run.guess.configuration
            run.guess = replace(run.guess, configuration=as_id(f"{of}-{tool}"))
            run.notes.append("the tool is in the name of the configuration")


def _tool(reading: Reading) -> str:
    """The tool of a log, or its format where the log broke off before it named one."""
    return reading.tool_name or reading.format.removeprefix("unknown")


def _number(runs: list[Run]) -> None:
    """Repetitions as the paths number them, else in the order of time and path."""
    groups: dict[tuple[str, str], list[Run]] = {}
    for run in sorted(runs, key=lambda r: (r.start or "~", r.log)):
        groups.setdefault((run.guess.configuration, run.guess.workload), []).append(run)
    for group in groups.values():
        told = [run.guess.repetition for run in group]
        sound = None not in told and len(set(told)) == len(told)
        for index, run in enumerate(group, 1):
            run.repetition = (run.guess.repetition or index) if sound else index
            if not sound and len(group) > 1:
                run.notes.append("repetition counted")


def _made_up(runs: list[Run]) -> list[str]:
    """What is not known of runs; those of which something was made up are noted."""
    unknown = []
    made_up = [run for run in runs if run.guess.unknown]
    if made_up:
        for run in made_up:
            run.notes.append(f"made up: {', '.join(run.guess.unknown)}")
        first = made_up[0]
        unknown.append(
            f"{', '.join(first.guess.unknown)} of {how_many(len(made_up), 'run')}, "
            f"such as {first.log}: the column note says what was made up"
        )
    without = [run for run in runs if not run.start]
    if without:
        unknown.append(
            f"start and end of {how_many(len(without), 'run')}, such as "
            f"{without[0].log}: left "
            "empty, which is right only where the log tells its time"
        )
    return unknown


# CPU evidence beside logs


def is_evidence(reading: Reading) -> bool:
    """Whether a reading tells of CPU time."""
    return any(name in reading.tables for name in _EVIDENCE)


def _evidence_of(log: str, logs: list[str], evidence: list[str]) -> list[str]:
    """Files beside or below a log; of several logs in a folder, by the names."""
    path = PurePosixPath(log)
    below = [f for f in evidence if PurePosixPath(f).is_relative_to(path.parent)]
    others = [o for o in logs if o != log and PurePosixPath(o).parent == path.parent]
    if path.parent == PurePosixPath(".") or others:
        stem = path.name.split(".")[0]
        return [f for f in below if _belongs(PurePosixPath(f).name, stem)]
    return below


def _belongs(name: str, stem: str) -> bool:
    rest = name.removeprefix(stem)
    return rest != name and rest[:1] in ("", ".", "-", "_")


def _is_beside(file: str, folders: set[PurePosixPath]) -> bool:
    """Whether a file lies in a run's own folder, or below it."""
    return any(
        parent in folders and parent != PurePosixPath(".")
        for parent in PurePosixPath(file).parents
    )


def _calls_of(log: str, logs: list[str], commands: Mapping[str, str]) -> str:
    """The text that calls the tool of a log: its own head, or a file of its run."""
    path = PurePosixPath(log)
    beside = [f for f in commands if f not in logs]
    own = [f for f in beside if PurePosixPath(f).parent == path.parent]
    named = [f for f in [log, *_evidence_of(log, logs, own)] if f in commands]
    return "\n".join(commands[file] for file in named)


def days_of(evidence: Iterable[str], readings: Readings) -> list[str]:
    """The days at the ends of what CPU files tell of."""
    spans = (_span_of(readings[file]) or () for file in evidence)
    return [moment[:10] for span in spans for moment in span]


def _span_of(reading: Reading) -> tuple[str, str] | None:
    """The first and last moment of which a reading tells, UTC; None without a time."""
    timed = [(row["start_utc"], row["seconds"]) for row in reading.results]
    for table in reading.tables.values():
        if {"start_utc", "seconds"} <= set(table.columns):
            timed += table.select("start_utc", "seconds").rows()
    known = [
        (start, seconds) for start, seconds in timed if start and seconds is not None
    ]
    ends = [
        (dt.datetime.fromisoformat(start) + dt.timedelta(seconds=seconds)).isoformat()
        for start, seconds in known
    ]
    return (min(start for start, _ in known), max(ends)) if known else None


def _source_of(readings: Readings, evidence: list[str]) -> str:
    """Whose CPU time a campaign of these files counts."""
    tables = {name for file in evidence for name in readings[file].tables}
    methods = {
        method
        for file in evidence
        if "run_cpu" in readings[file].tables
        for method in readings[file].tables["run_cpu"]["method"].to_list()
    }
    if "cgroup" in methods or "cgroup_counter" in tables:
        return "cgroup"
    bases = {
        basis
        for file in evidence
        if "cpu_interval" in readings[file].tables
        for basis in readings[file].tables["cpu_interval"]["basis"].to_list()
    }
    return "lpar_busy" if bases & {"lpar_busy", "dispatch"} else "procstat"
