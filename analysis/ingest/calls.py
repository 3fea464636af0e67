"""How the tool of a run was called, and on how many CPUs, held against declarations.

The command stands in ``meta.json`` of the driver. The number of CPUs is the one that
netperf's service demand implies: its log proves its rate with it, and tells no other.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from analysis.declared.campaign import CAMPAIGN_FILE, RUNS_FILE
from analysis.errors import Issue, Place
from analysis.ingest.campaign.check import CheckedCampaign
from analysis.ingest.campaign.command import CommandLoad, load_of_command
from analysis.ingest.campaign.runs import RunLine
from analysis.ingest.campaign.uperf_profile import (
    Profile,
    profiles_of,
    sizes_of,
    used_by,
)
from analysis.ingest.joining.assign import CampaignReading, Frames, readings_of
from analysis.ingest.reading import Reading

_TRANSACTIONS = ("RR", "CRR")  # of a stream, tools are told the size of a write
_SOME = 0.03  # of the CPUs, which rounded figures leave open


def check_calls(_tables: Frames, evidence: CampaignReading) -> list[Issue]:
    """Runs whose tool was called for another workload than the line of runs.csv has."""
    checked, issues = evidence.checked, []
    profiles = cache(lambda file: profiles_of(checked.folder, [file]))
    for line in checked.runs:
        log = evidence.readings[line.log]
        for file, reading in readings_of(line, evidence.readings):
            command = reading.circumstances.command or ""
            files = [word for word in command.split() if word in checked.files]
            told = _told(log, command, [p for each in files for p in profiles(each)])
            for name, value in told.items():
                if value == getattr(line.workload, name):
                    continue
                where = checked.folder / file
                called = f"{where} calls for {name.replace('_', ' ')} {value}"
                what = f"the workload is {line.workload.name}, but {called}"
                mend = "name the files of this run, or mend the line"
                issues.append(Issue(what, _line(checked, line), mend))
    return issues


def _told(log: Reading, command: str, profiles: list[Profile]) -> CommandLoad:
    if profile := used_by(profiles, log.details.get("profile"), command):
        return sizes_of(profile, log.details.get("main_transaction"), command)
    told = load_of_command(command, log.tool_name) if command else {}
    if told.get("shape") not in _TRANSACTIONS:
        return {}
    return {name: v for name, v in told.items() if name.endswith("_bytes")}


def _line(checked: CheckedCampaign, line: RunLine) -> Place:
    return Place(str(checked.folder / RUNS_FILE), line.line)


def implied_cpus(evidence: CampaignReading) -> Iterator[tuple[RunLine, str, int]]:
    """The CPUs that a system has by the log of a run."""
    for line in evidence.checked.runs:
        implied = evidence.readings[line.log].circumstances.role_cpus or {}
        for role, cpus in implied.items():
            if role in line.roles:
                yield line, line.roles[role], cpus


def check_implied_cpus(_tables: Frames, evidence: CampaignReading) -> list[Issue]:
    """Systems that have another number of CPUs by a log: the first log of each."""
    checked, issues = evidence.checked, dict[str, Issue]()
    for line, name, cpus in implied_cpus(evidence):
        system = checked.campaign.systems[name]
        is_part = system.host is not None and cpus > system.cps
        if is_part or abs(cpus - system.cps) <= _SOME * system.cps:
            continue
        what = (
            f"{checked.folder / line.log} has a rate and a service demand that imply "
            f"{cpus} CPUs of {name}, but cps is {system.cps} in {CAMPAIGN_FILE}"
        )
        mend = "mend cps, or name the log of this run"
        issues.setdefault(name, Issue(what, _line(checked, line), mend))
    return list(issues.values())
