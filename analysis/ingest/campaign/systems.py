"""Which system a file with CPU evidence speaks of."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.declared.campaign import Campaign
from analysis.ingest.campaign.runs import CpuFile, RunLine
from analysis.ingest.reading import Reading


@dataclass(frozen=True)
class NamedMachine:
    """What to write in the column ``system`` of a file's rows.

    ``name`` is none where the rows keep the names that the file gives; ``doubt``
    says why no system can be told.
    """

    name: str | None = None
    doubt: str = ""


def machine_of(
    entry: CpuFile, line: RunLine, what: Reading, of: Campaign
) -> NamedMachine:
    """The machine of a CPU file: as named in runs.csv, else as the file names it,
    else the machine on which all systems of the run are.
    """
    own = set(what.systems)
    if entry.system is not None:
        machine = _host(entry.system, of)
        if machine in own:
            return NamedMachine()
        if len(own) > 1:
            return NamedMachine(doubt=f"it speaks of {_list(own)}, not of {machine!r}")
        return NamedMachine(machine)
    if own & {*of.systems, *(_host(name, of) for name in of.systems)}:
        return NamedMachine()
    if own:
        return NamedMachine(doubt=f"it speaks of {_list(own)}, which is not declared")
    hosts = {_host(name, of) for name in line.roles.values()}
    if len(hosts) > 1:
        return NamedMachine(doubt=f"it may speak of {_list(hosts)}")
    return NamedMachine(hosts.pop())


def _host(system: str, campaign: Campaign) -> str:
    return campaign.systems[system].host or system


def _list(names: set[str]) -> str:
    return ", ".join(map(repr, sorted(names)))
