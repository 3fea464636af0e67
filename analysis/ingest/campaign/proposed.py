"""What the author of a campaign is told of a proposal: what it is, and what is open."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from analysis.declared.campaign import CAMPAIGN_FILE, RUNS_FILE, Campaign
from analysis.errors import UserError
from analysis.facts.units import how_many
from analysis.ingest.campaign.check import read_checked
from analysis.ingest.campaign.propose import Proposal
from analysis.ingest.campaign.runs import declared_roles
from analysis.ingest.campaign.sides import renamed

_SHOWN = 10
CONTRACT = "docs/how-to/benchmark-contract.md"
_RESULTS = (".json", ".csv")  # what a tool that is not read may have written


def told(
    folder: Path, proposal: Proposal, zone: str, declared: Campaign | None = None
) -> Iterator[str]:
    """The lines, one for each thing that is not known, and every file by its name."""
    configurations = {run.guess.configuration for run in proposal.runs}
    workloads = {run.guess.workload for run in proposal.runs}
    wrote = f"{RUNS_FILE} alone" if declared else f"{CAMPAIGN_FILE} and {RUNS_FILE}"
    yield (
        f"{folder}: {how_many(len(proposal.runs), 'run')}, "
        f"{how_many(len(workloads), 'workload')}, "
        f"{how_many(len(configurations), 'configuration')}; wrote {wrote}"
    )
    if declared:
        yield from _unlike(proposal, declared)
    unknown = [] if declared else list(_made_up(proposal, zone))
    unknown += proposal.unknown
    unknown += [f"the runs of {split_of(log)}" for log in proposal.in_turn]
    if unknown:
        yield "not known, please correct:"
    yield from (f"  {what}" for what in unknown)
    yield from _files(proposal)
    yield from _still_wrong(folder)


def call_as_declared(proposal: Proposal, campaign: Campaign) -> None:
    """Call the sides of one machine as the declaration does, by their roles."""
    names = {role: found[0] for role, found in declared_roles(campaign).items()}
    if set(names) != set(proposal.sides):
        return
    known = {proposal.sides[role]: name for role, name in names.items()}
    proposal.sides = names
    for run in proposal.runs:
        run.cpu = [renamed(entry, known) for entry in run.cpu]


def _made_up(proposal: Proposal, zone: str) -> Iterator[str]:
    """What ``campaign.yaml`` says and no file told."""
    yield "who measured, how, the title, and what the configurations are"
    yield f"the zone of local times: {zone} was taken"
    if proposal.synthetic:
        say = f"files say SYNTHETIC, such as {proposal.synthetic[0]}"
        yield f"the origin: synthetic was taken, as {say}"
    yield from proposal.taken


def _unlike(proposal: Proposal, declared: Campaign) -> Iterator[str]:
    """What a declaration of other runs says that does not hold of these."""
    days = [day.isoformat() for day in (declared.measured.start, declared.measured.end)]
    if days != proposal.days:
        ran = " to ".join(dict.fromkeys(proposal.days))
        yield f"{CAMPAIGN_FILE}: measured from {' to '.join(days)}, but ran {ran}"


def split_of(log: str) -> str:
    """What to do with a log whose results may be one after another."""
    return f"{log}, which does not say that its results ran side by side; split it"


def days_changed(logs: Iterable[Path]) -> tuple[list[str], str]:
    """The days on which logs were last changed, and that no better ones are known."""
    times = (dt.datetime.fromtimestamp(log.stat().st_mtime, dt.UTC) for log in logs)
    ends = [time.date().isoformat() for time in times]
    said = "the days measured: those on which the logs were last changed were taken"
    return [min(ends), max(ends)], said


def _files(proposal: Proposal) -> Iterator[str]:
    """All that no run names; results among it have a way into the report."""
    told = {*proposal.unread, *proposal.lost}
    read = [file for file in proposal.unused if file not in told]
    if proposal.unread:
        yield "files that nothing reads:"
        yield from _by_folder(proposal.unread)
    if read:
        yield "files that are read, but belong to no run:"
        yield from _by_folder(read)
    if proposal.lost:
        yield "files in which nothing can be used:"
        yield from (f"  {file}: {reason}" for file, reason in proposal.lost.items())
    results = [f for f in proposal.unread if f.lower().endswith(_RESULTS)]
    if results:
        yield (
            f"if {results[0]} holds results, write them as {CONTRACT} says: "
            "then they are read"
        )


def _by_folder(files: Iterable[str]) -> Iterator[str]:
    folders: dict[str, list[str]] = {}
    for file in files:
        path = PurePosixPath(file)
        folders.setdefault(path.parent.as_posix(), []).append(path.name)
    for folder, names in folders.items():
        yield f"  {'' if folder == '.' else f'{folder}/: '}{', '.join(names)}"


def _still_wrong(folder: Path) -> Iterator[str]:
    try:
        read_checked(folder)
    except UserError as error:
        yield "still wrong:"
        yield from (f"  {issue}" for issue in error.issues[:_SHOWN])
    else:
        yield "both files pass the checks; now correct them"
