"""The runs of one campaign straight from its raw files, without a build."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from analysis.declared.campaign import read_campaign
from analysis.declared.metrics import METRICS_FILE, read_metrics
from analysis.derive.runs import open_database
from analysis.derive.samples import RunEvidence
from analysis.derive.verb import load_evidence
from analysis.ingest.read_all import PartCache
from analysis.ingest.store import ingest
from analysis.ingest.tables.load import load
from analysis.ingest.tables.store import write_tables
from analysis.programs.fingerprint import fingerprint

_PARTS = Path("data/build/cache")  # what a build has read is not read again


def read_raw(folder: Path) -> tuple[RunEvidence, dict[str, str]]:
    """What the raw files of a campaign tell, and the session of each run that has one.

    A :class:`analysis.errors.UserError` with all that is wrong in the campaign.
    """
    campaign, name = read_campaign(folder), folder.resolve().name
    metrics = read_metrics(METRICS_FILE)
    cache = PartCache(_PARTS, fingerprint("ingest")) if _PARTS.is_dir() else None
    with TemporaryDirectory(prefix="runs-") as place:
        room, tables = Path(place), Path(place) / name
        write_tables(ingest(folder, cache, room), tables, room)
        load([tables], database := room / "perf.duckdb")
        with open_database(database) as con:
            evidence = load_evidence(con, database, {name: campaign}, metrics)
            named = con.sql("SELECT run, session FROM run WHERE session IS NOT NULL")
            return evidence, dict(named.fetchall())
