"""What facts rest on, out of the database: roles, files and what was read of them.

A file that serves many runs, such as an SMF dump, has no run in its rows: those of a
system's CPU belong to each run of the system that their time overlaps.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from analysis.declared.campaign import CAMPAIGN_FILE, Campaign, campaign_folder
from analysis.derive.excerpts import PLACED, excerpts
from analysis.derive.overlaps import overlaps
from analysis.facts.evidence import CampaignEvidence, FileState, Passage, SystemRole
from analysis.files.hashes import hash_file
from analysis.files.text_file import marks_of
from analysis.ingest.joining.runs import DOCUMENT, NOT_NAMED

_ROLES = """
SELECT DISTINCT r.campaign, r.configuration, r.workload, o.role, o.system
FROM run r JOIN run_role o USING (campaign, run)
"""
_FILES = "SELECT campaign, file, sha256, bytes, coalesce(format, '') FROM source"
_TIMED = "SELECT DISTINCT campaign, format, timed FROM source WHERE timed IS NOT NULL"
_UNNAMED = """
SELECT campaign, file FROM source WHERE reason = $1 AND format IS DISTINCT FROM $2
"""
# The name of one file of several of the same bytes: the last.
_PASSAGES = """
WITH place AS ({places}),
named AS (SELECT campaign, sha256, max(file) AS file FROM source GROUP BY ALL)
SELECT p.campaign, p.run, n.file, list_sort(list_distinct(list(p.position)))
FROM place p JOIN named n ON n.campaign = p.campaign AND n.sha256 = p.source
WHERE p.run IS NOT NULL AND p.position IS NOT NULL
GROUP BY ALL
"""
_PLACE = 'SELECT campaign, run, source, position FROM "{table}"'
_PLACES = " UNION ALL ".join(_PLACE.format(table=name) for name in sorted(PLACED))
_SHARED = " UNION ALL SELECT campaign, run, source, position FROM shared_place"
_BY_SYSTEM = ("campaign", "system")
_SPAN = """
SELECT campaign, system, epoch(start_utc::TIMESTAMP) AS start,
    epoch({end}) AS stop, {more} FROM {table} WHERE {where}
"""
_RUN_SPANS = _SPAN.format(
    end="end_utc::TIMESTAMP",
    more="run",
    table="run JOIN run_role USING (campaign, run)",
    where="true",
)
_SHARED_SPANS = _SPAN.format(
    end="start_utc::TIMESTAMP + to_microseconds((seconds * 1e6)::BIGINT)",
    more="source, position",
    table="cpu_interval",
    where="run IS NULL",
)


def gather_evidence(
    con: duckdb.DuckDBPyConnection,
    campaigns: Mapping[str, Campaign],
    digests: Mapping[str, str],
    tables: Path,
    raw: Path,
    show: bool = False,
) -> dict[str, CampaignEvidence]:
    """The evidence of each campaign; its tables are files below ``tables``.

    ``show`` is whether a report may show what stands in its raw files.
    """
    roles, files = _by_campaign(con, _ROLES), _by_campaign(con, _FILES)
    timed = _by_campaign(con, _TIMED)
    unnamed = _by_campaign(con, _UNNAMED, NOT_NAMED, DOCUMENT)
    con.register("shared_place", _shared_places(con))
    passages = _by_campaign(con, _PASSAGES.format(places=_PLACES + _SHARED))
    states = {n: {file: FileState(*of) for file, *of in files[n]} for n in campaigns}
    read = {n: tuple(Passage(*row) for row in passages[n]) for n in campaigns}
    return {
        name: CampaignEvidence(
            digest=digests[name],
            declared=campaign,
            roles=tuple(SystemRole(*row) for row in roles[name]),
            files=states[name],
            timed=dict(timed[name]),
            tables=_tables(tables / name),
            passages=read[name],
            excerpts=excerpts(
                con, name, states[name], read[name], campaign_folder(raw, name)
            )
            if show
            else (),
            unnamed=tuple(file for (file,) in unnamed[name]),
            marks=tuple(marks_of(_declaration(raw, name))),
        )
        for name, campaign in campaigns.items()
    }


def _shared_places(con: duckdb.DuckDBPyConnection) -> pl.DataFrame:
    """``campaign``, ``run``, ``source`` and ``position`` of what overlaps a run."""
    runs, rows = con.sql(_RUN_SPANS).pl(), con.sql(_SHARED_SPANS).pl()
    pairs = overlaps(runs, rows, _BY_SYSTEM)
    places = rows[pairs["second"]].select("source", "position")
    return pl.concat(
        [runs[pairs["first"]].select("campaign", "run"), places], how="horizontal"
    )


def _declaration(raw: Path, name: str) -> str:
    path = campaign_folder(raw, name) / CAMPAIGN_FILE
    return path.read_text(encoding="utf-8")


def _by_campaign(
    con: duckdb.DuckDBPyConnection, query: str, *params: str
) -> dict[str, list[tuple[Any, ...]]]:
    """The rows of a query by its first column, the campaign."""
    rows: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for campaign, *row in con.execute(query, params).fetchall():
        rows[campaign].append(tuple(row))
    return rows


def _tables(folder: Path) -> dict[str, FileState]:
    """The tables of a campaign, which derive does not read but hands on."""
    paths = sorted(folder.glob("[!.]*.parquet"))
    return {
        path.name: FileState(hash_file(path), path.stat().st_size) for path in paths
    }
