"""Check a campaign before any of its files is read; every mistake is named."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
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
from analysis.declared.workload import SHAPES
from analysis.errors import Issue, Place, UserError, raise_if
from analysis.files.hashes import CampaignState, campaign_state, digest_of, hash_file
from analysis.ingest.campaign.check_rows import check_rows, known_names, named_files
from analysis.ingest.campaign.labels import check_labels
from analysis.ingest.campaign.place import check_place
from analysis.ingest.campaign.runs import RunLine, RunRow, read_rows, run_line
from analysis.ingest.files import check_checksums, plain_files

NOTHING_KNOWN: Mapping[str, str] = MappingProxyType({})
_THINK = "write 'think: MILLISECONDS' in {path}, or in the configuration"


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
        of_rows = check_rows(rows, None, folder, plain)
        raise UserError([*error.issues, *issues, *of_rows]) from None
    named = {file for row in rows for file in named_files(row)}
    checksums, of_files = check_checksums(state, named, plain, known)
    origin = Place(str(path), line_of(node, ("origin",)))
    raise_if(
        [
            *check_declaration(campaign, node, path),
            *check_labels(folder, campaign.origin, plain, origin),
            *of_files,
            *issues,
            *check_rows(rows, campaign, folder, plain),
            *check_think(rows, campaign, path),
        ]
    )
    runs = tuple(run_line(row, campaign) for row in rows)
    files = checksums.files
    digest = _digest(state, {**known, **files})
    return CheckedCampaign(folder, campaign, runs, files, digest)


def check_think(rows: list[RunRow], campaign: Campaign, path: Path) -> list[Issue]:
    """Whether clients think, where nothing says for how long."""
    for row in rows:
        shape = row["workload"].partition("(")[0].strip("[]0123456789")
        told = campaign.think_in(row["configuration"]) is not None
        if shape in SHAPES and SHAPES[shape].thinks and not told:
            what = f"clients of {row['workload']} think, and nothing says how long"
            where = Place(str(path.with_name(RUNS_FILE)), row.line)
            return [Issue(what, where, _THINK.format(path=path))]
    return []


def _digest(state: CampaignState, known: Mapping[str, str]) -> str:
    """The digest of the campaign's files; those that are declared have been hashed."""
    return digest_of(
        {
            name: known.get(name) or hash_file(state.folder / name)
            for name in state.states
        }
    )


def check_declaration(campaign: Campaign, node: Any, path: Path) -> list[Issue]:
    """Entries of campaign.yaml that contradict each other."""
    issues = []

    def note(what: str, mend: str, *keys: str) -> None:
        issues.append(Issue(what, Place(str(path), line_of(node, keys)), mend))

    if campaign.measured.end < campaign.measured.start:
        note("measured ends before it starts", "mend 'from' or 'to'", "measured", "to")
    for system in campaign.cpu.idle:
        if system not in campaign.systems:
            what = f"there is no system {system!r}"
            note(what, known_names(system, campaign.systems), "cpu", "idle", system)
    for id, configuration in campaign.configurations.items():
        control_of = configuration.control_of
        if control_of is not None and control_of not in campaign.configurations:
            keys = ("configurations", id, "control_of")
            what = f"there is no configuration {control_of!r}"
            note(what, known_names(control_of, campaign.configurations), *keys)
        elif control_of is not None:
            other = campaign.configurations[control_of].details
            for name in {**configuration.details, **other}:
                said = [d.get(name, "nothing") for d in (configuration.details, other)]
                if said[0] != said[1]:
                    at = line_of(node, ("configurations", control_of, "details", name))
                    what = f"{name} is {said[0]}, but {said[1]} (line {at}) in "
                    what += f"{control_of}, which {id} repeats unchanged"
                    mend = "mend one of them, or take control_of out"
                    note(what, mend, "configurations", id, "details", name)
    return issues
