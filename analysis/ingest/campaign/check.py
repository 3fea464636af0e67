"""Check a campaign before any of its files is read; every mistake is named."""

from __future__ import annotations

import datetime as dt
import functools
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Any

from analysis.declared.base import line_of, load_yaml
from analysis.declared.campaign import (
    CAMPAIGN_FILE,
    MISSING,
    RUNS_FILE,
    Campaign,
    check_campaign,
)
from analysis.declared.mistakes import nearest
from analysis.declared.names import ID, RUN, WORDS, fits
from analysis.declared.vocabulary import SYSTEM_ROLES
from analysis.declared.workload import SHAPES, parse_workload
from analysis.errors import Issue, Place, UserError, raise_if, user_error
from analysis.files.hashes import CampaignState, campaign_state, digest_of, hash_file
from analysis.files.inputs import campaign_files
from analysis.ingest.campaign.runs import (
    RunLine,
    RunRow,
    declared_roles,
    named_roles,
    parse_count,
    parse_cpu,
    read_rows,
    run_line,
)
from analysis.ingest.clock import parse_time
from analysis.ingest.compressed.packed import ArchiveError
from analysis.ingest.files import (
    BACK,
    INSIDE,
    check_checksums,
    misplaced,
    plain_files,
)
from analysis.ingest.raw_file import RawFile

NOTHING_KNOWN: Mapping[str, str] = MappingProxyType({})
RAW = Path("raw")
Found = Iterator[tuple[str, str]]  # what is wrong, how to mend it
FoundInLine = Iterator[tuple[int, str, str]]
# In ASCII and in EBCDIC, as generators of test data write it at the head of a file.
_LABEL = re.compile(
    b"|".join(
        rb"(?<![%b])%b(?![%b])" % (letters, re.escape(label), letters)
        for letters, label in (
            (b"A-Za-z_", b"SYNTHETIC"),
            (rb"\xc1-\xc9\xd1-\xd9\xe2-\xe9", "SYNTHETIC".encode("cp037")),
        )
    )
)
_SHOWN = 3
_PROSE = (".md", ".rst")  # what people say about files


@dataclass(frozen=True)
class CheckedCampaign:
    """A campaign whose declaration, runs and files have passed all checks.

    ``digest`` is that of all its files.
    """

    folder: Path
    campaign: Campaign
    runs: tuple[RunLine, ...]
    files: Mapping[str, str]  # the sha256 of each
    digest: str

    @functools.cached_property
    def name(self) -> str:
        """The campaign's name, which is that of its folder."""
        return self.folder.resolve().name


def read_checked(
    folder: Path,
    known: Mapping[str, str] = NOTHING_KNOWN,
    state: CampaignState | None = None,
) -> CheckedCampaign:
    """The campaign in ``folder``; a :class:`UserError` carries all mistakes.

    ``known`` has the sha256 of files that need not be read for theirs, ``state`` that
    of the folder where it was looked at already.
    """
    state = state or campaign_state(folder)
    check_place(folder, state.states)
    path = folder / CAMPAIGN_FILE
    rows, issues = read_rows(folder / RUNS_FILE)
    plain = plain_files(state)
    try:
        data, node = load_yaml(path, MISSING.format(folder))
        campaign = check_campaign(data, node, path)
    except UserError as error:
        of_rows = _check_rows(rows, None, folder, plain)
        raise UserError([*error.issues, *issues, *of_rows]) from None
    named = {file for row in rows for file in _named_files(row)}
    checksums, of_files = check_checksums(state, named, plain, known)
    origin = Place(str(path), line_of(node, ("origin",)))
    raise_if(
        [
            *_check_declaration(campaign, node, path),
            *check_labels(folder, campaign.origin, plain, origin),
            *of_files,
            *issues,
            *_check_rows(rows, campaign, folder, plain),
            *_check_think(rows, campaign, path),
        ]
    )
    runs = tuple(run_line(row, campaign) for row in rows)
    hashes = {**known, **checksums.files}
    every = {n: hashes.get(n) or hash_file(folder / n) for n in state.states}
    return CheckedCampaign(folder, campaign, runs, checksums.files, digest_of(every))


def check_place(folder: Path, files: Iterable[str] | None = None) -> None:
    """A :class:`UserError` where the folder is absent, or has campaigns in it, whose
    files would count twice; ``files`` are those below it, where they are known."""
    if not folder.is_dir():
        if (RAW / folder).is_dir():
            meant = [RAW / folder]
        else:
            others = [path.name for path in folder.parent.glob("*") if path.is_dir()]
            meant = [folder.with_name(name) for name in nearest(folder.name, others)]
        hint = "".join(f"did you mean {path}? " for path in meant)
        mend = f"{hint}copy the files there, then run 'campaign init {folder}'"
        raise user_error("there is no such campaign", folder, mend=mend)
    known = campaign_files(folder) if files is None else files
    for name in sorted(name for name in known if name.endswith(f"/{CAMPAIGN_FILE}")):
        inner = folder / name
        mend = (
            f"name the folder of one: {inner.parent}; if both were measured, move "
            "one out, to a folder of its own below raw/"
        )
        raise user_error(f"a campaign inside of {folder}", inner, mend=mend)


# The declaration


def _check_declaration(campaign: Campaign, node: Any, path: Path) -> list[Issue]:
    """Entries of campaign.yaml that contradict each other."""
    issues = []

    def note(what: str, mend: str, *keys: str) -> None:
        issues.append(Issue(what, Place(str(path), line_of(node, keys)), mend))

    if campaign.measured.end < campaign.measured.start:
        note("measured ends before it starts", "mend 'from' or 'to'", "measured", "to")
    for system in campaign.cpu.idle:
        if system not in campaign.systems:
            what = f"there is no system {system!r}"
            note(what, _known_names(system, campaign.systems), "cpu", "idle", system)
    for id, configuration in campaign.configurations.items():
        repeats, keys = configuration.control_of, ("configurations", id)
        if repeats is None:
            continue
        if repeats not in campaign.configurations:
            mend = _known_names(repeats, campaign.configurations)
            note(f"there is no configuration {repeats!r}", mend, *keys, "control_of")
            continue
        details, other = configuration.details, campaign.configurations[repeats].details
        for name in {**details, **other}:
            here, there = details.get(name, "nothing"), other.get(name, "nothing")
            if here != there:
                at = line_of(node, ("configurations", repeats, "details", name))
                what = f"{name} is {here}, but {there} (line {at}) in {repeats}, which "
                mend = "mend one of them, or take control_of out"
                note(f"{what}{id} repeats unchanged", mend, *keys, "details", name)
    return issues


def _check_think(rows: list[RunRow], campaign: Campaign, path: Path) -> list[Issue]:
    """Whether clients think, where nothing says for how long."""
    for row in rows:
        shape = row["workload"].partition("(")[0].strip("[]0123456789")
        declared = campaign.think_in(row["configuration"]) is not None
        if shape in SHAPES and SHAPES[shape].thinks and not declared:
            what = f"clients of {row['workload']} think, and nothing says how long"
            where = Place(str(path.with_name(RUNS_FILE)), row.line)
            mend = f"write 'think: MILLISECONDS' in {path}, or in the configuration"
            return [Issue(what, where, mend)]
    return []


def is_labelled(path: Path) -> bool:
    """Whether a file says at its beginning that it is SYNTHETIC."""
    return _label(path) is not None


def _label(path: Path) -> Place | None:
    """Where a file says so: the line of a text, the byte of any other file; nowhere in
    an archive that is not read, which its reading tells."""
    try:
        with RawFile(path) as raw:
            match, head = _LABEL.search(raw.head), raw.head
    except ArchiveError:
        return None
    if not match:
        return None
    if b"\0" in head:
        return Place(str(path), offset=match.start())
    return Place(str(path), head.count(b"\n", 0, match.start()) + 1)


def check_labels(
    folder: Path, origin: str, files: Iterable[str], where: Place
) -> list[Issue]:
    """Files that say SYNTHETIC in a campaign that is declared to be anything else."""
    places: list[Place] = []
    for file in sorted(files) if origin != "synthetic" else ():
        with suppress(OSError, UserError):  # of which whoever reads the file tells
            place = None if file.endswith(_PROSE) else _label(folder / file)
            places += [place] if place else []
    if not places:
        return []
    more = len(places) - _SHOWN
    shown = ", ".join(map(str, places[:_SHOWN])) + (f" and {more} more" * (more > 0))
    what = f"origin is {origin}, but files say that they are SYNTHETIC: {shown}"
    mend = "write 'origin: synthetic', or put measured files in their place"
    return [Issue(what, where, mend)]


# The lines of runs.csv


def _check_rows(
    rows: list[RunRow], campaign: Campaign | None, folder: Path, plain: Collection[str]
) -> list[Issue]:
    """Mistakes in the lines of runs.csv, in the order of the lines.

    ``plain`` are the files that need no further look at their names and places.
    Without a campaign, because its declaration is not sound, names of configurations
    and systems are not looked at.
    """
    issues = [
        (row.line, what, mend)
        for row in rows
        for what, mend in (
            *_check_cells(row, campaign),
            *_check_paths(row, folder, plain),
            *(_check_names(row, campaign) if campaign else ()),
        )
    ]
    issues += [*_check_unique(rows), *_check_order(rows), *_check_sessions(rows)]
    issues.sort(key=lambda item: item[0])
    where = str(folder / RUNS_FILE)
    return [Issue(what, Place(where, line), mend) for line, what, mend in issues]


def _check_cells(row: RunRow, campaign: Campaign | None) -> Found:
    """Cells that cannot be read as what they should be."""
    if not row["run"]:
        yield "the run has no id", "give it one, for example A-RR1(100B)-01"
    elif not fits(row["run"], RUN):
        mend = f"write {WORDS[RUN]} ({RUN})"
        yield f"the run's id {row['run']!r} will not do here", mend
    if row["session"] and not fits(row["session"], ID):
        mend = f"write {WORDS[ID]}"
        yield f"the session {row['session']!r} will not do here", mend
    units, zone = (
        (campaign.payload_units, campaign.zone) if campaign else ("binary", "")
    )
    readers: dict[str, Callable[[str], Any]] = {
        "workload": lambda text: parse_workload(text, units),
        "repetition": parse_count,
        "start": lambda text: parse_time(text, zone),
        "end": lambda text: parse_time(text, zone),
        "order": lambda text: parse_count(text) if text else None,
    }
    values = {}
    for column, read in readers.items():
        try:
            values[column] = read(row[column])
        except ValueError as error:
            what, _, mend = str(error).partition("; ")
            yield f"{column}: {what}", mend
    if {"start", "end"} <= values.keys():
        start, end = values["start"], values["end"]
        if start and end and end <= start:
            what = f"the run ends at {row['end']}, before it starts"
            yield what, "mend start or end"
        if (start is None) != (end is None):
            yield "only one of start and end is given", "give both, or leave both empty"


def _check_paths(row: RunRow, folder: Path, plain: Collection[str]) -> Found:
    if not row["log"]:
        yield "the run has no log", "name the benchmark's log below the folder"
    for file in (name for name in _named_files(row) if name not in plain):
        if reason := misplaced(folder, file):
            yield f"the file {file!r} {reason}", INSIDE
        elif not (folder / file).is_file():
            yield f"the file {file!r} does not exist", BACK
    files = [entry.file for entry in parse_cpu(row["cpu"])]
    for file in sorted({file for file in files if files.count(file) > 1}):
        yield f"cpu: the file {file!r} is named twice", "name it once"


def _check_names(row: RunRow, campaign: Campaign) -> Found:
    """Configurations and systems that are not declared, or not in this role."""
    name, systems = row["configuration"], campaign.systems
    if name not in campaign.configurations:
        mend = _known_names(name, campaign.configurations)
        yield f"there is no configuration {name!r}", mend
    if named := named_roles(row):
        yield from _check_roles(named, campaign)
    else:  # the roles are those that are declared: one system each
        columns = f"name one in a column of {', '.join(SYSTEM_ROLES)}"
        declared = declared_roles(campaign)
        if not declared:
            yield "no system took part", columns
        for role, names in declared.items():
            if len(names) > 1:
                yield f"which {role} took part, {' or '.join(names)}?", columns
    for entry in parse_cpu(row["cpu"]):
        if entry.system is not None and entry.system not in systems:
            what = f"cpu: there is no system {entry.system!r}"
            yield what, _known_names(entry.system, systems)


def _check_roles(named: Mapping[str, str], campaign: Campaign) -> Found:
    of_system: dict[str, str] = {}
    for role, name in named.items():
        system = campaign.systems.get(name)
        if system is None:
            mend = _known_names(name, campaign.systems)
            yield f"{role}: there is no system {name!r}", mend
        elif system.role not in (None, role):
            mend = f"name another system, or take the role off it in {CAMPAIGN_FILE}"
            yield f"{role}: the system {name!r} is a {system.role}", mend
        elif (first := of_system.setdefault(name, role)) != role:
            mend = "declare each side as a system, both with the same 'host'"
            yield f"the system {name!r} is {first} and {role} of one run", mend


def _check_unique(rows: list[RunRow]) -> FoundInLine:
    """Lines that name again what belongs to one run alone, or take all of a log of
    which another line takes one test."""
    keys: list[tuple[str, Callable[[RunRow], str], str]] = [
        ("the run", lambda r: r["run"], "give each run its own id"),
        ("the repetition", _repetition, "count the repetitions 1, 2, 3 …"),
        ("the log", _log, "each run has its own log, or its own test in the log"),
        ("the order", lambda r: r["order"], "number the runs as they were made"),
    ]
    for name, key, mend in keys:
        first: dict[str, int] = {}
        for row in rows:
            value = key(row)
            line = first.setdefault(value, row.line)
            if value and line != row.line:
                yield row.line, f"{name} {value!r} is already in line {line}", mend
    split = {row["log"] for row in rows if row["test"]}
    mend = "name a test in the column test of each run of this log"
    for row in rows:
        if row["log"] in split and not row["test"]:
            yield row.line, f"another run has one test of the log {row['log']!r}", mend


def _log(row: RunRow) -> str:
    """The log with the test; without a test all of the log is the run's."""
    return " ".join(filter(None, (row["log"], row["test"])))


def _repetition(row: RunRow) -> str:
    try:
        workload = parse_workload(row["workload"]).name
        number = parse_count(row["repetition"])
    except ValueError:
        return ""
    return f"{row['configuration']} {workload} {number}"


def _check_order(rows: list[RunRow]) -> FoundInLine:
    """Lines whose run was over when one of an earlier order began."""
    known = []
    for row in rows:
        with suppress(ValueError):
            start, end = parse_time(row["start"]), parse_time(row["end"])
            # That a run ends before it starts is told already.
            if row["order"] and start and (end is None or end >= start):
                known.append((parse_count(row["order"]), start, end or start, row))
    known.sort(key=lambda run: run[0])
    for (_, begun, _, first), (order, _, end, row) in pairwise(known):
        if end < begun:
            what = f"order {order} ended before order {first['order']} began"
            mend = "number the runs as they were made, or mend the start of one"
            yield row.line, f"{what}, line {first.line}", mend


def _check_sessions(rows: list[RunRow]) -> FoundInLine:
    """A line without a session where others have one, and runs of a session that go on
    after their systems were in another one."""
    named = [row for row in rows if row["session"]]
    if named and len(named) < len(rows):
        first = next(row for row in rows if not row["session"])
        what = f"the run has no session, and that in line {named[0].line} has one"
        yield first.line, what, "name the session of each run, or of none"
    by_system = defaultdict[str, list[tuple[dt.datetime, RunRow]]](list)
    for row in named:
        with suppress(ValueError):
            if start := parse_time(row["start"]):
                for system in named_roles(row).values() or ("",):
                    by_system[system].append((start, row))
    again: dict[int, str] = {}
    for runs in by_system.values():
        runs.sort(key=lambda run: run[0])
        over: dict[str, int] = {}
        for (_, before), (_, row) in pairwise(runs):
            if row["session"] != before["session"]:
                over[before["session"]] = row.line
            if row["session"] in over:
                line = over[row["session"]]
                what = f"session {row['session']!r} was over when line {line} began"
                again.setdefault(row.line, what)
    mend = "give runs without a restart between them one session, and others another"
    yield from ((line, what, mend) for line, what in again.items())


def _named_files(row: RunRow) -> list[str]:
    """The files that a line names, each once."""
    files = [row["log"], *(entry.file for entry in parse_cpu(row["cpu"]))]
    return sorted({file for file in files if file})


def _known_names(name: str, known: Iterable[str]) -> str:
    """How to mend a name that the campaign does not declare."""
    names = list(known)
    hint = "".join(f"did you mean {near!r}? " for near in nearest(name, names))
    return f"{hint}{CAMPAIGN_FILE} declares {', '.join(names) or 'none'}"
