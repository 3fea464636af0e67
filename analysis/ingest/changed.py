"""A campaign of which little changed: only the runs of changed parts are judged anew.

That gives what judging all gives where runs have nothing in common: each file is read
for the runs of one log, and says nothing of times beyond them. What runs must not share
is then looked at in the tables of all. Where files are shared, and wherever anything is
wrong, the campaign is judged as a whole, which tells each mistake with its line.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass

import polars as pl

from analysis.declared.base import line_of, load_yaml
from analysis.declared.campaign import (
    CAMPAIGN_FILE,
    RUNS_FILE,
    Campaign,
    check_campaign,
)
from analysis.errors import Place, UserError, raise_if
from analysis.files.atomic import remove_folder
from analysis.files.campaign_state import CampaignState
from analysis.files.checksums import tells_exactly
from analysis.files.digests import digest_of
from analysis.ingest.campaign.check import (
    CheckedCampaign,
    check_declaration,
    check_think,
)
from analysis.ingest.campaign.check_rows import check_across, check_rows
from analysis.ingest.campaign.labels import check_labels
from analysis.ingest.campaign.place import check_place
from analysis.ingest.campaign.runs import (
    Record,
    RunRecords,
    parse_cpu,
    read_records,
    run_line,
)
from analysis.ingest.files import OWN, plain_files
from analysis.ingest.joining.assign import CampaignReading, Frames
from analysis.ingest.joining.source_table import source_table
from analysis.ingest.judge import clock_of, reader_of, tables_of, with_results
from analysis.ingest.parts.kept import LARGE, RUNS, KeptParts, as_they_were
from analysis.ingest.parts.kept_rows import PART, Rows, read_rows, write_rows
from analysis.ingest.parts.split import CampaignPart
from analysis.ingest.read_all import prepare
from analysis.ingest.tables.catalog import TABLES, frame
from analysis.ingest.tables.store import join_frames

# Tables whose rows are of one run each, whatever other files tell.
_OF_RUNS = {"benchmark", "cpu_counter", "cgroup_counter"}
_TOOLS = "tools"  # kept beside the tables: the tool of each run
_KEY = ["configuration", "workload", "repetition"]


class _SharedError(Exception):
    """Runs have something in common: all are to be judged together."""


def changed_alone(state: CampaignState, kept: KeptParts) -> Frames | None:
    """All tables of a campaign, as :func:`analysis.ingest.judge.tables_of` gives them;
    none where it must be judged as a whole."""
    with suppress(_SharedError, UserError):
        return _Campaign.declared(state, kept).tables()
    return None


@dataclass(frozen=True)
class _Campaign:
    """A campaign whose declaration is sound, and whose files are those it tells of."""

    state: CampaignState
    kept: KeptParts
    campaign: Campaign
    origin: Place
    hashes: Mapping[str, str]
    plain: frozenset[str]
    records: RunRecords
    beside: Mapping[str, str]

    @classmethod
    def declared(cls, state: CampaignState, kept: KeptParts) -> _Campaign:
        folder = state.folder
        check_place(folder, state.states)
        records, issues = read_records(folder / RUNS_FILE)
        raise_if(issues)
        beside = _beside(records)
        path = folder / CAMPAIGN_FILE
        data, node = load_yaml(path)
        campaign = check_campaign(data, node, path)
        raise_if(check_declaration(campaign, node, path))
        origin = Place(str(path), line_of(node, ("origin",)))
        hashes, plain = state.hashes(kept.digests), plain_files(state)
        files = {name: hashes[name] for name in plain}
        if not (beside.keys() <= plain and files.keys() == hashes.keys() - OWN):
            raise _SharedError
        if not tells_exactly(folder, files):
            raise _SharedError
        return cls(state, kept, campaign, origin, hashes, plain, records, beside)

    def tables(self) -> Frames:
        """The tables; what changed is kept with the rest."""
        parts = self.kept.parts(self.state, self.beside, self.beside)
        if len(parts) < 2 or any(part.alone for part in parts):
            raise _SharedError
        records = self._records(parts)
        keys = self._keys(parts, records)
        place = self.kept.folder / RUNS
        same, rows = read_rows(place, keys)
        if new := [part for part in parts if part.name not in same]:
            rows = _joined(rows, self._judged(new, records))
        self._check_across(rows)
        files = [file for part in new for file in part.read_of(self.hashes)]
        if new and as_they_were(self.state, files):
            write_rows(place, keys, rows)
            remove_folder(self.kept.folder / LARGE)  # of files that runs shared
        more = self._of_campaign()
        return {
            name: join_frames(name, [of[name] for of in (rows, more) if name in of])
            for name in TABLES
        }

    def _records(self, parts: Iterable[CampaignPart]) -> dict[str, list[Record]]:
        """The records of the runs of each part."""
        of = {file: part.name for part in parts for file in part.files}
        found: dict[str, list[Record]] = {part.name: [] for part in parts}
        logs = self.records.cells("log")
        for log, record in zip(logs, self.records.body, strict=True):
            found[of[log]].append(record)
        return found

    def _keys(
        self, parts: Iterable[CampaignPart], records: Mapping[str, list[Record]]
    ) -> dict[str, str]:
        """What changes with the rows of each part: all that they come from."""
        told = {"code": self.kept.read_by, "campaign": self.state.folder.resolve().name}
        told |= {"declared": self.hashes[CAMPAIGN_FILE]}
        by = digest_of(told | {"columns": repr(self.records.header)})
        lines = {
            name: hashlib.sha256(repr([cells for _, cells in own]).encode()).hexdigest()
            for name, own in records.items()
        }
        return {
            part.name: digest_of({lines[part.name]: part.key(self.hashes, by)})
            for part in parts
        }

    def _judged(
        self, parts: list[CampaignPart], records: Mapping[str, list[Record]]
    ) -> Rows:
        """The rows of the runs of some parts, which are checked and read first."""
        of = {file: part.name for part in parts for file in part.files}
        prepare(sum(map(self.state.size_of, of)))
        checked = self._checked(
            {file: self.hashes[file] for file in of},
            sorted(one for part in parts for one in records[part.name]),
        )
        clock, read = clock_of(checked), reader_of(checked)
        readings = self.kept.read(self.state, parts, self.hashes, clock, read, True)
        for reading in readings.values():
            if any(of.height and n not in _OF_RUNS for n, of in reading.tables.items()):
                raise _SharedError
        tables = tables_of(with_results(checked, readings)) | {
            _TOOLS: pl.DataFrame(
                [(line.run, readings[line.log].tool_name) for line in checked.runs],
                {"run": pl.String, "tool": pl.String},
                orient="row",
            )
        }
        part_of = {"run": {line.run: of[line.log] for line in checked.runs}, "file": of}
        columns = {n: "file" if n == "source" else "run" for n in tables}
        return {
            name: tables[name].with_columns(
                pl.col(column).replace_strict(part_of[column]).alias(PART)
            )
            for name, column in columns.items()
            if tables[name].height and name != "campaign"
        }

    def _checked(
        self, files: Mapping[str, str], records: Iterable[Record]
    ) -> CheckedCampaign:
        """Some runs with their files; a :class:`UserError` where one is not sound."""
        folder, campaign = self.state.folder, self.campaign
        rows = [self.records.row(record) for record in records]
        raise_if(
            [
                *check_labels(folder, campaign.origin, files, self.origin),
                *check_rows(rows, campaign, folder, self.plain),
                *check_think(rows, campaign, folder / CAMPAIGN_FILE),
            ]
        )
        runs = tuple(run_line(row, campaign) for row in rows)
        return CheckedCampaign(folder, campaign, runs, files, "")

    def _check_across(self, rows: Rows) -> None:
        """Whether runs have what they must not share; their order is told by time."""
        runs, tools = rows["run"], rows[_TOOLS].filter(pl.col("tool") != "")
        made = tools.join(runs, on="run").group_by("configuration", "workload")
        if (
            runs["run"].is_duplicated().any()
            or runs.select(_KEY).is_duplicated().any()
            or (made.agg(pl.col("tool").n_unique())["tool"] > 1).any()
        ):
            raise _SharedError
        in_order = any(self.records.cells("order"))
        if in_order and check_across([*map(self.records.row, self.records.body)]):
            raise _SharedError

    def _of_campaign(self) -> Frames:
        """The rows that are of no run: the campaign, and files that no run names."""
        others = {n: self.hashes[n] for n in self.plain - self.beside.keys()}
        checked = self._checked(others, ())
        told = {"campaign": checked.name, "digest": digest_of(self.hashes)}
        unread = CampaignReading(checked, {}, {})
        return {
            "campaign": frame("campaign", [told]),
            "source": source_table(unread, [], self.beside),
        }


def _beside(records: RunRecords) -> dict[str, str]:
    """The files of all runs, each with the log of the runs that it is of."""
    found: dict[str, str] = {}
    for log, cpu in zip(records.cells("log"), records.cells("cpu"), strict=True):
        for file in (log, *(entry.file for entry in parse_cpu(cpu))):
            if found.setdefault(file, log) != log:
                raise _SharedError
    return found


def _joined(kept: Rows, new: Rows) -> Rows:
    names = dict.fromkeys((*kept, *new))
    return {n: pl.concat([of[n] for of in (kept, new) if n in of]) for n in names}
