"""What facts rest on, out of the database: roles, files and what was read of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb

from analysis.declared.campaign import CAMPAIGN_FILE, Campaign, campaign_folder
from analysis.facts.evidence import CampaignEvidence, FileState, Passage, SystemRole
from analysis.files.hashes import hash_file
from analysis.files.text_file import marks_of
from analysis.ingest.joining.runs import DOCUMENT, NOT_NAMED
from analysis.ingest.tables.catalog import TABLES

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
_PLACED = [
    name for name, of in TABLES.items() if {"run", "source", "position"} <= {*of}
]
_PLACE = 'SELECT campaign, run, source, position FROM "{table}"'
_PLACES = " UNION ALL ".join(_PLACE.format(table=name) for name in sorted(_PLACED))


def gather_evidence(
    con: duckdb.DuckDBPyConnection,
    campaigns: Mapping[str, Campaign],
    digests: Mapping[str, str],
    tables: Path,
    raw: Path,
) -> dict[str, CampaignEvidence]:
    """The evidence of each campaign; its tables are files below ``tables``."""
    roles, files = _by_campaign(con, _ROLES), _by_campaign(con, _FILES)
    timed = _by_campaign(con, _TIMED)
    unnamed = _by_campaign(con, _UNNAMED, NOT_NAMED, DOCUMENT)
    passages = _by_campaign(con, _PASSAGES.format(places=_PLACES))
    return {
        name: CampaignEvidence(
            digest=digests[name],
            declared=campaign,
            roles=tuple(SystemRole(*row) for row in roles[name]),
            files={file: FileState(*of) for file, *of in files[name]},
            timed=dict(timed[name]),
            tables=_tables(tables / name),
            passages=tuple(Passage(*row) for row in passages[name]),
            unnamed=tuple(file for (file,) in unnamed[name]),
            marks=tuple(marks_of(_declaration(raw, name))),
        )
        for name, campaign in campaigns.items()
    }


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
