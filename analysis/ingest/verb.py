"""Read one campaign's raw files into tables, one Parquet file a table.

Checks campaign.yaml, runs.csv and the checksum of every file first. A file that
cannot be used is a row of the table 'source' with its reason; a run whose log cannot
be used is a row of the table 'run' with the status failed, truncated or empty.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType

from analysis.errors import Issue, raise_if, user_error
from analysis.facts.units import how_many
from analysis.ingest.campaign.check import (
    NOTHING_KNOWN,
    CheckedCampaign,
    read_checked,
)
from analysis.ingest.campaign.choose_test import choose_tests
from analysis.ingest.capture import with_capture
from analysis.ingest.files import states
from analysis.ingest.joining.assign import CampaignReading, Frames, assign, uses
from analysis.ingest.joining.cgroup_pairs import cgroup_cpu
from analysis.ingest.joining.choose import count_once
from analysis.ingest.joining.left_out import warnings
from analysis.ingest.joining.observed import check_observed
from analysis.ingest.joining.observed_gateways import check_gateways
from analysis.ingest.joining.observed_runs import check_runs
from analysis.ingest.joining.run_table import check_logs, role_table, run_table
from analysis.ingest.joining.source_table import source_table
from analysis.ingest.joining.tick_pairs import (
    check_boots,
    check_groups,
    check_ticks,
    tick_cpu,
    tick_intervals,
    with_coverage,
)
from analysis.ingest.parts.kept import KeptParts, States
from analysis.ingest.read_all import prepare, read_all
from analysis.ingest.reading import Problems, Reading
from analysis.ingest.tables.catalog import frame
from analysis.ingest.tables.store import join_frames, write_tables

BUILD = Path("data/build")
UNKNOWN: States = MappingProxyType({})
Stepped = tuple[Frames, Problems]


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


def run(args: argparse.Namespace) -> int:
    """Read all, print one line, and warn of what the runs leave out.

    Tables are written where ``--out`` says. Those of the build are the pipeline's.
    """
    folder = args.campaign
    if args.out and not args.for_build:
        _check_place(args.out)
    tables = ingest(folder, KeptParts(args.parts, args.read_by) if args.parts else None)
    if args.out:
        write_tables(tables, args.out)
    print(summary(folder.resolve().name, tables))
    for text in warnings(tables):
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


def ingest(folder: Path, parts: KeptParts | None = None) -> Frames:
    """All tables of a campaign; a :class:`UserError` carries all mistakes.

    Of ``parts`` that were kept, only those with new files are read.
    """
    before = states(folder)
    prepare(sum(size for size, *_ in before.values()))
    checked = read_checked(folder, parts.hashes(folder) if parts else NOTHING_KNOWN)
    tables = tables_of(read_evidence(checked, parts, before))
    if states(folder) != before:
        what = "files changed while they were read"
        raise user_error(what, folder, mend="wait until all are copied; run it again")
    return tables


def read_evidence(
    checked: CheckedCampaign, parts: KeptParts | None = None, before: States = UNKNOWN
) -> CampaignReading:
    """All files that runs name, read; a :class:`UserError` where a line of
    ``runs.csv`` does not say which results of a log are its own. ``before`` is how the
    files were when their checksums were computed, for what is kept of ``parts``."""
    files = sorted(use.entry.file for use in uses(checked.runs))
    told = checked.campaign
    clock = (told.zone, told.dates, told.codepage)

    def read(files: list[str]) -> dict[str, Reading]:
        return read_all(checked.folder, files, *clock)

    named = {file: checked.files[file] for file in files}
    readings = (
        parts.read(checked.folder, named, clock, read, before) if parts else read(files)
    )
    results, issues = choose_tests(checked, readings)
    raise_if(issues)
    return CampaignReading(checked, readings, results)


def tables_of(evidence: CampaignReading) -> Frames:
    """All tables of a campaign, step by step; a :class:`UserError` carries what
    contradicts ``runs.csv``."""
    tables, issues = assign(evidence.checked, evidence.readings, evidence.results)
    raise_if(
        [*issues, *(issue for check in CHECKS for issue in check(tables, evidence))]
    )
    problems: Problems = []
    for step in STEPS:
        tables, more = step(tables, evidence)
        problems += more
    source = source_table(evidence, problems)
    return tables | {"source": join_frames("source", [tables["source"], source])}


def _counted_once(tables: Frames, evidence: CampaignReading) -> Stepped:
    checked = evidence.checked
    sources = checked.campaign.sources
    return count_once(tables, evidence.readings, checked.files, sources)


def _captured(tables: Frames, evidence: CampaignReading) -> Stepped:
    return with_capture(tables, evidence.readings, evidence.checked.files)


def _declared(tables: Frames, evidence: CampaignReading) -> Stepped:
    """With what the declarations say: the campaign, its runs and their roles."""
    checked = evidence.checked
    told_of = {"campaign": checked.name, "digest": checked.digest}
    added = {
        "campaign": frame("campaign", [told_of]),
        "run": run_table(checked, evidence.readings, evidence.results),
        "run_role": role_table(checked),
    }
    return _joined(tables, added), []


def _ticked(tables: Frames, evidence: CampaignReading) -> Stepped:
    """With the CPU time between the snapshots of the clock ticks."""
    checked = evidence.checked
    ticks = tick_intervals(tables["cpu_counter"], tables["run"], checked.campaign)
    runs = with_coverage(tables["run"], ticks)
    added = {"cpu_interval": ticks, "run_cpu": tick_cpu(ticks, checked)}
    return _joined(tables | {"run": runs}, added), []


def _grouped(tables: Frames, evidence: CampaignReading) -> Stepped:
    """With the CPU time between the snapshots of the control groups."""
    used = cgroup_cpu(tables["cgroup_counter"], evidence.checked)
    return _joined(tables, {"run_cpu": used}), []


def _joined(tables: Frames, added: Frames) -> Frames:
    return tables | {n: join_frames(n, [tables[n], f]) for n, f in added.items()}


CHECKS: tuple[Callable[[Frames, CampaignReading], list[Issue]], ...] = (
    check_logs,
    check_runs,
    check_observed,
    check_gateways,
    check_ticks,
    check_boots,
    check_groups,
)
"""What may contradict ``runs.csv``."""
STEPS: tuple[Callable[[Frames, CampaignReading], Stepped], ...] = (
    _counted_once,
    _captured,
    _declared,
    _ticked,
    _grouped,
)
"""From rows that were read to the tables, one after another."""


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


_STATUSES = ("ok", "degraded", "failed", "truncated", "empty")
