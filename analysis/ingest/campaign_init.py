"""Start a campaign from a folder of logs.

'campaign init DIR' looks at every file below DIR, proposes systems, workloads,
repetitions and time windows, and writes campaign.yaml and runs.csv, to be corrected by
hand, and SHA256SUMS. It says what it could not know. Files that exist are never
overwritten: where campaign.yaml is there, it writes runs.csv to it, as of new runs of
what was declared once, and sets the days on which they ran.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import math
from collections import defaultdict
from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from analysis.declared.base import declared_text, load_yaml, span_of
from analysis.declared.campaign import (
    CAMPAIGN_FILE,
    RUNS_FILE,
    Campaign,
    read_campaign,
)
from analysis.declared.schema import schema_line
from analysis.declared.workload import SHAPES, parse_workload
from analysis.errors import Issue, UserError, user_error
from analysis.facts.units import how_many
from analysis.files.atomic import write_text
from analysis.files.checksums import SUMS_FILE, checksums_text
from analysis.files.csv_text import csv_text
from analysis.ingest.campaign.calls import commands_of, profiles_of
from analysis.ingest.campaign.check import check_place, is_labelled, read_checked
from analysis.ingest.campaign.choose_test import choose_tests
from analysis.ingest.campaign.propose import (
    Proposal,
    days_of,
    plain_file,
    propose,
    renamed,
)
from analysis.ingest.campaign.runs import cpu_cell, declared_roles
from analysis.ingest.campaign.sessions import propose_sessions
from analysis.ingest.files import hash_files, list_files
from analysis.ingest.joining import statements
from analysis.ingest.joining.assign import CampaignReading, Readings, assign, gather
from analysis.ingest.joining.comparisons import COPY, cpc_of, mtu_of, time_shifts
from analysis.ingest.joining.statements import RawEvidence
from analysis.ingest.read_all import FileReader, read_all
from analysis.ingest.store import tables_of, with_results
from analysis.usage import as_called

_ZONE = "UTC"
_SHOWN = 10
_PARTLY = 0.05  # of a CP: an average of an interval is rarely whole
CONTRACT = "docs/how-to/benchmark-contract.md"
_RESULTS = (".json", ".csv")  # what a tool that is not read may have written
_ATTEMPTS = 3  # at leaving out files that contradict their runs
Details = dict[str, str | int]


@dataclass
class CampaignDraft:
    """What is proposed for the files of a folder: runs and systems, the zone, the days
    (none where no file tells any), and what files say of software and configurations.

    ``declared`` is a declaration that is there, ``hashes`` are of the files.
    """

    folder: Path
    declared: Campaign | None
    zone: str
    hashes: Mapping[str, str]
    readings: Readings
    proposal: Proposal
    days: list[str] = field(default_factory=list)
    tools: list[str] = field(default_factory=list)
    software: Details = field(default_factory=dict)
    details: dict[str, Details] = field(default_factory=lambda: defaultdict(dict))

    @classmethod
    def of(
        cls,
        folder: Path,
        zone: str,
        declared: Campaign | None,
        hashes: Mapping[str, str],
    ) -> CampaignDraft:
        """The draft by the names and logs alone, written."""
        readings = read_all(FileReader(folder, zone), hashes)
        proposal = _proposal(folder, readings, declared)
        draft = cls(folder, declared, zone, hashes, readings, proposal)
        draft.write()
        return draft

    def write(self) -> None:
        """Write ``runs.csv``, and ``campaign.yaml`` or the days in it."""
        write_text(self.folder / RUNS_FILE, runs_csv(self.proposal))
        path = self.folder / CAMPAIGN_FILE
        if self.declared is None:
            text = campaign_yaml(self.folder.resolve().name, self)
            write_text(path, schema_line("campaign", path) + text)
        elif self.days:
            text, node = declared_text(path), load_yaml(path)[1]
            for name, day in (("to", self.days[1]), ("from", self.days[0])):
                start, end = span_of(node, ("measured", name))
                text = text[:start] + day + text[end:]
            write_text(path, text)

    def evidence(self) -> RawEvidence:
        """What the files say, as the comparisons hold it against what was written."""
        checked = read_checked(self.folder, self.hashes)
        results, _ = choose_tests(checked, self.readings)
        tables = assign(gather(checked, self.readings)[0], results)
        return RawEvidence(tables, CampaignReading(checked, self.readings, results))

    def contradictions(self) -> list[Issue]:
        """What they say against it."""
        checked = read_checked(self.folder, self.hashes)
        try:
            tables_of(with_results(checked, self.readings))
        except UserError as error:
            return error.issues
        return []


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The sub-command and the folder."""
    parser.add_argument("action", choices=["init"], help="write the two files")
    parser.add_argument("folder", type=Path, help="the campaign, raw/<campaign>")
    parser.add_argument(
        "--zone", help="time zone of local times (default: of campaign.yaml, or UTC)"
    )


def run(args: argparse.Namespace) -> int:
    """Write the three files, say what was made up and what is still wrong."""
    folder: Path = args.folder
    check_place(folder)
    if (folder / RUNS_FILE).exists():
        mend = "correct it by hand, or move it away and run this again"
        raise user_error("this file exists already", folder / RUNS_FILE, mend=mend)
    declared = read_campaign(folder) if (folder / CAMPAIGN_FILE).exists() else None
    if not (files := list_files(folder)):
        raise user_error("there is no file in it", folder, mend="copy the logs into it")
    zone = args.zone or (declared.zone if declared else _ZONE)
    hashes = hash_files(folder, files)
    draft = CampaignDraft.of(folder, zone, declared, hashes)
    if not (folder / SUMS_FILE).exists():  # which may have come with the files
        write_text(folder / SUMS_FILE, checksums_text(hashes))
    try:
        evidence = draft.evidence()
        if not (args.zone or declared) and (better := _zone_of(evidence)) != zone:
            draft = CampaignDraft.of(folder, better, declared, hashes)
            evidence = draft.evidence()
        _take_what_files_say(evidence, draft)
        draft.write()
        wrong = _without_contradictions(draft)
    except UserError as error:
        wrong = error.issues
    print(as_called("\n".join(_told(draft, wrong))))
    return 0


def _proposal(folder: Path, readings: Readings, declared: Campaign | None) -> Proposal:
    files = list(readings)
    commands, profiles = commands_of(folder, files), profiles_of(folder, files)
    proposal = propose(readings, commands, profiles)
    proposal.sessions = propose_sessions(proposal.runs, readings)
    if declared:
        _call_as_declared(proposal, declared)
    if not proposal.runs:
        mend = (
            "python -m analysis inspect FILE says what a file is; results of a tool "
            f"that is not read are written as {CONTRACT} says"
        )
        lost = [_split_of(log) for log in proposal.in_turn]
        what = lost[0] if lost else "no benchmark log was recognised"
        raise user_error(what, folder, mend=mend)
    proposal.synthetic = [file for file in files if is_labelled(folder / file)]
    return proposal


def _call_as_declared(proposal: Proposal, campaign: Campaign) -> None:
    """Call the sides of one machine as the declaration does, by their roles."""
    names = {role: systems[0] for role, systems in declared_roles(campaign).items()}
    if set(names) != set(proposal.sides):
        return
    known = {proposal.sides[role]: name for role, name in names.items()}
    proposal.sides = names
    for run in proposal.runs:
        run.cpu = [renamed(entry, known) for entry in run.cpu]


# What the files say


def _zone_of(evidence: RawEvidence) -> str:
    """The zone in which the clocks of the files and the runs agree, in whole hours."""
    offsets = {one.value for one in statements.utc_offsets(evidence)}
    shifts = offsets or set(time_shifts(evidence))
    hours = shifts.pop() if len(shifts) == 1 else 0.0
    if not hours or hours != int(hours) or abs(hours) > 12:
        return evidence.campaign.zone
    return f"Etc/GMT{-int(hours):+d}"  # whose sign is that of times west of Greenwich


def _take_what_files_say(evidence: RawEvidence, draft: CampaignDraft) -> None:
    counts, used = defaultdict[str, int](int), defaultdict[str, int](int)
    for one in statements.cpu_counts(evidence):
        most = math.ceil(one.value.most - _PARTLY)
        counts[one.about] = max(most, counts[one.about])
    for said in (statements.cpus_used, statements.implied_cpus):
        for one in said(evidence):
            used[one.about] = max(one.value, used[one.about])
    dedicated = defaultdict[str, set[bool]](set)
    for one in statements.dedication(evidence):
        dedicated[one.about].add(one.value)
    for id, system in draft.proposal.systems.items():
        if len(alike := dedicated[system.get("host", id)]) == 1:
            system["dedicated"] = next(iter(alike))
        known = counts[system.get("host", id)] or used[id]
        system["cps"] = known or 1
        draft.proposal.unknown_cps += [] if known else [id]
    _set_days(draft, evidence)
    draft.tools = sorted({one.value for one in statements.tools(evidence)})
    if len(kernels := {one.value for one in statements.kernels(evidence)}) == 1:
        draft.software["Kernel"] = kernels.pop()
    for name, said, detail in (
        ("CPC", statements.machine_types, cpc_of),
        ("z/OS release", statements.releases, lambda told: ".".join(map(str, told))),
        ("MTU", statements.interfaces, lambda row: row["mtu"]),
        ("MTU", statements.segment_sizes, mtu_of),
    ):
        values = defaultdict[str, set[Any]](set)
        for one in said(evidence):
            values[one.about].add(detail(one.value))
        for configuration, alike in values.items():  # where all say the same
            if len(alike) == 1 and (value := alike.pop()):
                draft.details[configuration].setdefault(name, value)


def _set_days(draft: CampaignDraft, evidence: RawEvidence) -> None:
    days = [one.value[:10] for one in statements.starts(evidence)]
    days = days or days_of(draft.proposal.evidence, draft.readings)
    draft.days = [min(days), max(days)] if days else []


def _without_contradictions(draft: CampaignDraft) -> list[Issue]:
    """Leave out CPU files and times that contradict their run, and say so in its note;
    what is wrong beyond that."""
    runs = dict(enumerate(draft.proposal.runs, 2))
    for _ in range(_ATTEMPTS):
        issues = draft.contradictions()
        # A log that is there twice stays so, whatever else is left out.
        places = [(i.where, i) for i in issues if i.where and i.mend != COPY]
        lines = {at.line: i for at, i in places if at.file.endswith(RUNS_FILE)}
        wrong = {
            n: run for n, run in runs.items() if n in lines and (run.cpu or run.start)
        }
        if not wrong:
            break
        odd = {entry for run in wrong.values() for entry in run.cpu}
        for number, run in wrong.items():
            run.notes.append(f"cpu, start and end left out: {lines[number].what}")
            run.start = run.end = ""
        for run in runs.values():
            run.cpu = [entry for entry in run.cpu if entry not in odd]
        draft.write()
        _set_days(draft, draft.evidence())
        draft.write()
    return issues


# The files


def runs_csv(proposal: Proposal) -> str:
    """The text of ``runs.csv``."""
    timed = all(run.start for run in proposal.runs)
    header = ["run", *(["order"] if timed else []), "configuration", "workload"]
    header += ["repetition", *(["session"] if proposal.sessions else [])]
    header += ["start", "end", *proposal.sides, "log"]
    header += ["test"] if any(run.test for run in proposal.runs) else []
    header += ["cpu", "note"]
    rows = [
        {
            "run": run.id,
            "order": order,
            "configuration": run.guess.configuration,
            "workload": run.guess.workload,
            "repetition": run.repetition,
            "session": run.session,
            "start": run.start,
            "end": run.end,
            "log": run.log,
            "test": run.test,
            "cpu": cpu_cell(run.cpu),
            "note": "; ".join(run.notes),
            **proposal.sides,
        }
        for order, run in enumerate(proposal.runs, 1)
    ]
    return csv_text(header, rows)


def campaign_yaml(name: str, draft: CampaignDraft) -> str:
    """The text of ``campaign.yaml``; a comment marks what was made up."""
    proposal = draft.proposal
    first, last = draft.days or _days_changed(draft)
    origin = "synthetic" if proposal.synthetic else "measured"
    tool = " and ".join(draft.tools) or "which tool"
    how = f"with {tool}, how long, in which order"
    shapes = {parse_workload(run.guess.workload).shape for run in proposal.runs}
    think = ["think: 0 # check: ms that a client waits between"]  # which no log tells
    lines = [
        f"# Proposed by 'campaign init {name}'.",
        "# Correct all that says 'check'; docs/reference/campaign.md explains it.",
        f"title: {json.dumps(name)} # check",
        f"origin: {origin} # check",
        "measured:",
        '  by: "who measured" # check',
        f"  from: {first} # check",
        f"  to: {last} # check",
        f"  how: {json.dumps(how)} # check",
        f"zone: {draft.zone} # check: of local times",
        *([f"# check: {RUNS_FILE} has {told}"] if (told := proposal.sessions) else []),
        *(think if any(SHAPES[shape].thinks for shape in shapes) else []),
        "",
        "systems: # check",
        *(f"  {key}: {_flow(value)}" for key, value in proposal.systems.items()),
        "",
        "configurations: # check: what is compared",
    ]
    for key in sorted({run.guess.configuration for run in proposal.runs}):
        details = _flow(draft.details.get(key, {}))
        lines += [
            f"  {json.dumps(key)}:",
            f"    label: {json.dumps(key)} # check",
            f"    details: {details} # check: such as {{MTU: 1500}}",
        ]
    source = f"{{source: {proposal.source}, minimum_coverage: 0.8}}"
    lines += ["", f"cpu: {source} # check"]
    if draft.software:
        lines.append(f"software: {_flow(draft.software)} # check")
    return "\n".join(lines) + "\n"


def _flow(value: Mapping[str, Any]) -> str:
    return "{" + ", ".join(f"{k}: {json.dumps(v)}" for k, v in value.items()) + "}"


def _days_changed(draft: CampaignDraft) -> list[str]:
    """The first and last day on which logs were changed."""
    logs = (draft.folder / run.log for run in draft.proposal.runs)
    times = [dt.datetime.fromtimestamp(log.stat().st_mtime, dt.UTC) for log in logs]
    return [time.date().isoformat() for time in (min(times), max(times))]


# What the author is told


def _told(draft: CampaignDraft, wrong: Collection[Issue]) -> Iterator[str]:
    """The lines, one for each thing that is not known, and every file by its name."""
    proposal, declared = draft.proposal, draft.declared
    configurations = {run.guess.configuration for run in proposal.runs}
    workloads = {run.guess.workload for run in proposal.runs}
    wrote = f"{RUNS_FILE} alone" if declared else f"{CAMPAIGN_FILE} and {RUNS_FILE}"
    yield (
        f"{draft.folder}: {how_many(len(proposal.runs), 'run')}, "
        f"{how_many(len(workloads), 'workload')}, "
        f"{how_many(len(configurations), 'configuration')}; wrote {wrote}"
    )
    if declared and draft.days:
        days = [str(day) for day in (declared.measured.start, declared.measured.end)]
        if draft.days != days:
            yield f"{CAMPAIGN_FILE}: measured is now from {' to '.join(draft.days)}"
    if proposal.sessions:
        yield f"{proposal.sessions}; please check the column session of {RUNS_FILE}"
    unknown = [] if declared else list(_made_up(draft))
    unknown += proposal.unknown
    unknown += [f"the runs of {_split_of(log)}" for log in proposal.in_turn]
    if unknown:
        yield "not known, please correct:"
    yield from (f"  {what}" for what in unknown)
    yield from _files(proposal)
    if wrong:
        yield "still wrong:"
        yield from (f"  {issue}" for issue in list(wrong)[:_SHOWN])
    else:
        yield "both files pass the checks; now correct them"
        if not declared:
            command = f"python -m analysis plan --campaign {draft.folder}"
            yield f"how many runs show a change of 5%? {command}"


def _made_up(draft: CampaignDraft) -> Iterator[str]:
    """What ``campaign.yaml`` says and no file told."""
    proposal = draft.proposal
    yield "who measured, how, the title, and what the configurations are"
    yield f"the zone of local times: {draft.zone} was taken"
    if proposal.synthetic:
        say = f"files say SYNTHETIC, such as {proposal.synthetic[0]}"
        yield f"the origin: synthetic was taken, as {say}"
    yield from proposal.taken
    if unknown := proposal.unknown_cps:
        yield f"the number of processors of {', '.join(unknown)}: 1 is made up"
    if not proposal.sessions:
        yield "after which runs the systems were restarted or set up anew (session)"
    if not draft.days:
        yield "the days measured: those on which the logs were last changed were taken"


def _split_of(log: str) -> str:
    """What to do with a log whose results may be one after another."""
    return f"{log}, which does not say that its results ran side by side; split it"


def _files(proposal: Proposal) -> Iterator[str]:
    """All that no run names; results among it have a way into the report."""
    named = {plain_file(entry) for run in proposal.runs for entry in run.cpu}
    known = {*proposal.unread, *proposal.lost, *named}
    for title, files in (
        ("files that nothing reads:", proposal.unread),
        (
            "files that are read, but belong to no run:",
            [file for file in proposal.unused if file not in known],
        ),
    ):
        if files:
            yield title
            yield from _by_folder(files)
    if proposal.lost:
        yield "files in which nothing can be used:"
        why = proposal.lost
        for files in _alike(why, lambda file: (PurePosixPath(file).name, why[file])):
            yield f"  {_some(files)}: {why[files[0]]}"
    results = [f for f in proposal.unread if f.lower().endswith(_RESULTS)]
    if results:
        yield (
            f"if {results[0]} holds results, write them as {CONTRACT} says: "
            "then they are read"
        )


def _by_folder(files: Iterable[str]) -> Iterator[str]:
    """The files of each folder; those of one name in many folders in one line."""
    folders = defaultdict[str, list[str]](list)
    for alike in _alike(files, lambda file: PurePosixPath(file).name):
        if len(alike) > _SHOWN:
            yield f"  {_some(alike)}"
            continue
        for path in map(PurePosixPath, alike):
            folders[path.parent.as_posix()].append(path.name)
    for folder, names in folders.items():
        yield f"  {'' if folder == '.' else f'{folder}/: '}{', '.join(names)}"


def _alike(files: Iterable[str], key: Callable[[str], Hashable]) -> list[list[str]]:
    groups = defaultdict[Hashable, list[str]](list)
    for file in files:
        groups[key(file)].append(file)
    return [*groups.values()]


def _some(files: Sequence[str]) -> str:
    """A file, or how many of its name there are, and the first."""
    more = f"{len(files)} files {PurePosixPath(files[0]).name}, such as "
    return f"{more if len(files) > 1 else ''}{files[0]}"
