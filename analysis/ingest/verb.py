"""Read one campaign's raw files into tables, one Parquet file a table.

Checks campaign.yaml, runs.csv and the checksum of every file first. A file that
cannot be used is a row of the table 'source' with its reason; a run whose log cannot
be used is a row of the table 'run' with the status failed, truncated or empty.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from analysis.declared.campaign import read_campaign
from analysis.errors import user_error
from analysis.facts.units import how_many
from analysis.files.campaign_state import CampaignState, campaign_state
from analysis.ingest.campaign.check import NOTHING_KNOWN, read_checked
from analysis.ingest.joining.assign import Frames
from analysis.ingest.joining.left_out import warnings
from analysis.ingest.judge import read_evidence, tables_of
from analysis.ingest.parts.kept import KeptParts
from analysis.ingest.read_all import prepare
from analysis.ingest.tables.store import write_tables
from analysis.programs.fingerprint import fingerprint


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The campaign's folder and the folder of its tables."""
    parser.add_argument("--campaign", type=Path, required=True, help="raw/<campaign>")
    parser.add_argument(
        "--out", type=Path, help="folder of the tables; without it nothing is written"
    )
    parser.add_argument("--cache", type=Path, help="where what was read is kept")


def run(args: argparse.Namespace) -> int:
    """Read all, print one line, and warn of what the runs leave out.

    Tables are written where ``--out`` says.
    """
    folder = args.campaign
    parts = KeptParts(args.cache, fingerprint("ingest")) if args.cache else None
    with TemporaryDirectory(prefix="tables-") as name:
        room = Path(name)
        tables = ingest(folder, parts, room)
        if args.out:
            write_tables(tables, args.out, room)
    print(summary(folder.resolve().name, tables))
    told = warnings(tables, read_campaign(folder).measured)
    for text in (*degraded(tables), *told):
        print(f"warning: {folder}: {text}", file=sys.stderr)
    return 0


def ingest(
    folder: Path, parts: KeptParts | None = None, room: Path | None = None
) -> Frames:
    """All tables of a campaign; a :class:`UserError` carries all mistakes.

    What is kept of its ``parts`` is not read again. What is too large for memory is a
    file in ``room``; see :func:`analysis.ingest.judge.tables_of`.
    """
    state = campaign_state(folder)
    prepare(state.bytes)
    checked = read_checked(
        folder, state.hashes(parts.digests) if parts else NOTHING_KNOWN, state
    )
    evidence = read_evidence(checked, parts, state)
    tables = tables_of(evidence, room)
    _check_unchanged(state)
    return tables


def _check_unchanged(state: CampaignState) -> None:
    if campaign_state(state.folder) != state:
        mend = "wait until all are copied; run it again"
        raise user_error("files changed while they were read", state.folder, mend=mend)


def degraded(tables: Frames) -> Iterator[str]:
    """Each file that is used and in doubt, with the reason, and each such run whose log
    is not among them; of many the first ones."""
    in_doubt = pl.col("status") == "degraded"
    files = tables["source"].filter(in_doubt).sort("file")
    runs = tables["run"].filter(in_doubt, ~pl.col("log").is_in(files["file"].implode()))
    said = [f"{f} is degraded: {why}" for f, why in files["file", "reason"].iter_rows()]
    for log, run, why in runs.sort("log")["log", "run", "reason"].iter_rows():
        said.append(f"{log}: the run {run} is degraded: {why}")
    yield from said[:_NAMED]
    if len(said) > _NAMED:
        yield f"{len(said) - _NAMED} more are degraded; the report lists all"


def summary(campaign: str, tables: Frames) -> str:
    """``linux-veth: 150 runs, 148 ok, 2 failed; 756 files``, and unusable files."""
    runs = Counter(tables["run"]["status"].to_list())
    files = Counter(tables["source"]["status"].to_list())
    lost = [f"{n} {status}" for status, n in sorted(files.items()) if status != "ok"]
    told = [f"{runs[status]} {status}" for status in _STATUSES if runs[status]]
    parts = [how_many(tables["run"].height, "run"), *told]
    return f"{campaign}: {', '.join(parts)}; " + ", ".join(
        [how_many(tables["source"].height, "file"), *lost]
    )


_NAMED = 10
_STATUSES = ("ok", "degraded", "failed", "truncated", "empty")
