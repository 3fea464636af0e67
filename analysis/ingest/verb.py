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
from analysis.files.campaign_state import CampaignState, campaign_state, kept_state
from analysis.ingest.campaign.check import NOTHING_KNOWN, read_checked
from analysis.ingest.changed import changed_alone
from analysis.ingest.joining.assign import Frames
from analysis.ingest.joining.left_out import warnings
from analysis.ingest.judge import clock_of, read_evidence, tables_of
from analysis.ingest.part_jobs import jobs_for, read_parts, told_job
from analysis.ingest.parts.kept import KeptParts
from analysis.ingest.read_all import prepare
from analysis.ingest.tables.store import write_tables

BUILD = Path("data/build")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The campaign's folder and the folder of its tables."""
    parser.add_argument("--campaign", type=Path, required=True, help="raw/<campaign>")
    parser.add_argument(
        "--out", type=Path, help="folder of the tables; without it nothing is written"
    )
    told = "said by the pipeline, not by hand"
    parser.add_argument("--for-build", action="store_true", help=told)
    parser.add_argument("--parts", type=Path, help=f"where parts are kept; {told}")
    parser.add_argument("--read-by", default="", help=f"hash of the code; {told}")
    deal = f"print the files that tell jobs which parts to read; {told}"
    parser.add_argument("--deal", type=int, nargs=2, metavar=("FILES", "MB"), help=deal)
    only = f"read the parts that this file tells, for a later job; {told}"
    parser.add_argument("--only", type=Path, help=only)


def run(args: argparse.Namespace) -> int:
    """Read all, print one line, and warn of what the runs leave out.

    Tables are written where ``--out`` says. Those of the build are the pipeline's.
    """
    folder = args.campaign
    if args.out and not args.for_build:
        _check_place(args.out)
    parts = KeptParts(args.parts, args.read_by) if args.parts else None
    if parts and args.deal:
        files, megabytes = args.deal
        print(*jobs_for(folder, parts, files, megabytes * 10**6), sep="\n")
        return 0
    if parts and args.only:
        print(read_parts(folder, parts, told_job(args.only).parts))
        return 0
    with parts.room() if parts else TemporaryDirectory(prefix="tables-") as name:
        room = Path(name)
        tables = ingest(folder, parts, room)
        if args.out:
            write_tables(tables, args.out, room)
    print(summary(folder.resolve().name, tables))
    told = warnings(tables, read_campaign(folder).measured)
    for text in (*degraded(tables), *told):
        print(f"warning: {folder}: {text}", file=sys.stderr)
    return 0


def _check_place(out: Path) -> None:
    if out.resolve().is_relative_to(BUILD.resolve()):
        raise user_error(
            "what is in this folder is made by the pipeline alone",
            out,
            mend="run 'make report', or name another folder; without --out nothing "
            "is written",
        )


def ingest(
    folder: Path, parts: KeptParts | None = None, room: Path | None = None
) -> Frames:
    """All tables of a campaign; a :class:`UserError` carries all mistakes.

    Of ``parts`` that were kept, only those with new files are read. What is too large
    for memory is a file in ``room``; see :func:`analysis.ingest.judge.tables_of`.
    """
    kept = kept_state(folder, parts.digests) if parts else None
    tables = changed_alone(kept, parts) if parts and kept else None
    before = campaign_state(folder)
    if tables is not None and before == kept:
        return tables
    tables = changed_alone(before, parts) if parts and before != kept else None
    if tables is None:
        return _judged(folder, parts, before, room)
    _check_unchanged(before)
    return tables


def _judged(
    folder: Path, parts: KeptParts | None, state: CampaignState, room: Path | None
) -> Frames:
    """All tables of a campaign, which is judged as a whole."""
    if not (parts and parts.has_some()):
        prepare(state.bytes)
    known = state.hashes(parts.digests) if parts else NOTHING_KNOWN
    checked = read_checked(folder, known, state)
    evidence = read_evidence(checked, parts, state)
    large = parts.tables(clock_of(checked)) if parts else None
    tables = tables_of(evidence, room, large)
    _check_unchanged(state)
    if room and large:
        large.keep()
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
