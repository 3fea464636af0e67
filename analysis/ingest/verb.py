"""Read one campaign's raw files into tables, one Parquet file a table.

Checks campaign.yaml, runs.csv and the checksum of every file first. A file that
cannot be used is a row of the table 'source' with its reason; a run whose log cannot
be used is a row of the table 'run' with the status failed, truncated or empty.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from analysis.declared.campaign import (
    CAMPAIGN_FILE,
    RUNS_FILE,
    Measured,
    read_campaign,
)
from analysis.facts.units import gaps, how_many
from analysis.ingest.joining.assign import Frames
from analysis.ingest.joining.comparisons import OTHERWISE
from analysis.ingest.joining.runs import DOCUMENT, NOT_NAMED
from analysis.ingest.read_all import PartCache
from analysis.ingest.reading import LOST
from analysis.ingest.store import ingest
from analysis.ingest.tables.store import write_tables
from analysis.programs.fingerprint import fingerprint

_NAMED = 10  # files and runs that cannot be used, or are in doubt
_SHOWN = 3
_DAY = dt.timedelta(days=1)  # which it may be in the campaign's zone
_STATUSES = ("ok", "degraded", *LOST)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The campaign's folder and the folder of its tables."""
    parser.add_argument("--campaign", type=Path, required=True, help="raw/<campaign>")
    parser.add_argument(
        "--out", type=Path, help="folder of the tables; without it nothing is written"
    )
    parser.add_argument("--cache", type=Path, help="where what was read is kept")


def run(args: argparse.Namespace) -> int:
    """Read all, print one line, and warn of what is in doubt and of what the runs leave
    out.

    Tables are written where ``--out`` says.
    """
    folder = args.campaign
    cache = PartCache(args.cache, fingerprint("ingest")) if args.cache else None
    with TemporaryDirectory(prefix="tables-") as name:
        room = Path(name)
        tables = ingest(folder, cache, room)
        if args.out:
            write_tables(tables, args.out, room)
    print(summary(folder.resolve().name, tables))
    for text in (*degraded(tables), *warnings(tables, read_campaign(folder).measured)):
        print(f"warning: {folder}: {text}", file=sys.stderr)
    return 0


def summary(campaign: str, tables: Frames) -> str:
    """``linux-veth: 150 runs, 148 ok, 2 failed; 756 files``, and unusable files."""
    runs = Counter(tables["run"]["status"].to_list())
    files = Counter(tables["source"]["status"].to_list())
    counts = [f"{runs[status]} {status}" for status in _STATUSES if runs[status]]
    lost = [f"{n} {status}" for status, n in sorted(files.items()) if status != "ok"]
    of_runs = ", ".join([how_many(tables["run"].height, "run"), *counts])
    of_files = ", ".join([how_many(tables["source"].height, "file"), *lost])
    return f"{campaign}: {of_runs}; {of_files}"


def degraded(tables: Frames) -> Iterator[str]:
    """Each file that is used and in doubt, with the reason, and each such run whose log
    is not among them; of many the first ones."""
    in_doubt = pl.col("status") == "degraded"
    files = tables["source"].filter(in_doubt).sort("file")
    runs = tables["run"].filter(in_doubt, ~pl.col("log").is_in(files["file"].implode()))
    said = [f"{f} is degraded: {why}" for f, why in files["file", "reason"].iter_rows()]
    alike = runs.sort("log").group_by("reason", maintain_order=True)
    for why, count, log, run in alike.agg(
        pl.len(), pl.col("log", "run").first()
    ).iter_rows():
        others = f" and {how_many(count - 1, 'other')}" * (count > 1)
        verb = "are" if count > 1 else "is"
        said.append(f"{log}: the run {run}{others} {verb} degraded: {why}")
    yield from said[:_NAMED]
    if len(said) > _NAMED:
        yield f"{len(said) - _NAMED} more are degraded; the report lists all"


def warnings(tables: Frames, measured: Measured) -> Iterator[str]:
    """Runs that cannot be used, by their logs, and what their reader must know: what
    files hint at against the declaration, days without a run, evidence that no run
    names, and repetitions that are missing, as a run that is taken out changes a
    result."""
    runs, sources = tables["run"], tables["source"]
    lost = runs.filter(pl.col("status").is_in(LOST)).sort("log")
    for row in lost.head(_NAMED).iter_rows(named=True):
        state = "is empty" if row["status"] == "empty" else row["status"]
        yield f"{row['log']}: the run {row['run']} {state}: {row['reason']}"
    if lost.height > _NAMED:
        yield f"{lost.height - _NAMED} more runs cannot be used; the report lists all"
    yield from _hints(sources)
    yield from _idle_days(runs["start_utc"], measured)
    is_unused = (pl.col("reason") == NOT_NAMED) & (pl.col("format") != DOCUMENT)
    if unused := sources.filter(is_unused)["file"].to_list():
        yield (
            f"no run in {RUNS_FILE} names {how_many(len(unused), 'file')} with "
            f"evidence: {_some(unused)}; name each there, or say why it is left out "
            "(inspect says whether it can be used)"
        )
    groups = runs.group_by("configuration", "workload", maintain_order=True)
    lacking = [
        f"{_some(missing, ' and ')} of {configuration} {workload}"
        for configuration, workload, numbers in groups.agg("repetition").iter_rows()
        if (missing := list(gaps(numbers)))
    ]
    if lacking:
        yield (
            f"{RUNS_FILE} lacks repetitions: {_some(lacking)}; add the lines, or say "
            "why they are left out"
        )


def _hints(sources: pl.DataFrame) -> Iterator[str]:
    """What files say that is unlike the declaration, once for each entry."""
    hints: dict[str, list[str]] = {}
    for file, text in sources.select("file", "problems").iter_rows():
        for problem in json.loads(text) if OTHERWISE in text else ():
            if problem["kind"] == OTHERWISE:
                at = f":{problem['line']}" if "line" in problem else ""
                hints.setdefault(problem["message"], []).append(f"{file}{at}")
    for message, files in hints.items():
        yield f"{message} ({_some(files)})"


def _idle_days(starts: pl.Series, measured: Measured) -> Iterator[str]:
    """The first and last day that are declared, where no run began within a day."""
    days = sorted(starts.drop_nulls().str.slice(0, 10).str.to_date())
    ends = (("from", measured.start, "first"), ("to", measured.end, "last"))
    for (name, declared, which), day in zip(ends, days[:1] + days[-1:], strict=False):
        if abs(declared - day) > _DAY:
            yield (
                f"{CAMPAIGN_FILE}: measured {name} {declared}, but the {which} run is "
                f"of {day}"
            )


def _some(names: list[str], last: str = ", ") -> str:
    more = len(names) - _SHOWN
    if more > 0:
        return f"{', '.join(names[:_SHOWN])} and {more} more"
    return last.join(names)
