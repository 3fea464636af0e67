"""From the raw files of a campaign to its tables, step by step.

Read all → assign to runs → compare with what is declared → count once → tables.
"""

from __future__ import annotations

from pathlib import Path

import polars as pl

from analysis.errors import raise_if, user_error
from analysis.files.hashes import campaign_state
from analysis.ingest.campaign.check import NOTHING_KNOWN, CheckedCampaign, read_checked
from analysis.ingest.campaign.choose_test import choose_tests
from analysis.ingest.capture import classes_beside, with_capture
from analysis.ingest.joining.assign import (
    CampaignReading,
    Frames,
    Readings,
    assign,
    files_of,
    gather,
)
from analysis.ingest.joining.comparisons import compare
from analysis.ingest.joining.large import write_large
from analysis.ingest.joining.once import OnceCounter
from analysis.ingest.joining.runs import role_table, run_table, source_table
from analysis.ingest.joining.snapshots import (
    cgroup_cpu,
    check_snapshots,
    energy_used,
    tick_cpu,
    tick_intervals,
    with_coverage,
)
from analysis.ingest.read_all import FileReader, KeptParts, PartCache, read_all
from analysis.ingest.tables.catalog import frame
from analysis.ingest.tables.store import file_name, join_frames


def ingest(
    folder: Path, cache: PartCache | None = None, room: Path | None = None
) -> Frames:
    """All tables of a campaign; a :class:`UserError` carries all mistakes.

    What is kept in the ``cache`` is not read again. Tables that are too large for
    memory are files in ``room``, and empty here; without it there are none.
    """
    state = campaign_state(folder)
    known = state.hashes(cache.digests) if cache else NOTHING_KNOWN
    checked = read_checked(folder, known, state)
    kept = KeptParts(cache, state, checked.files) if cache else None
    tables = tables_of(read_evidence(checked, kept), room)
    if campaign_state(folder) != state:
        mend = "wait until all are copied; run it again"
        raise user_error("files changed while they were read", folder, mend=mend)
    return tables


def read_evidence(
    checked: CheckedCampaign, kept: KeptParts | None = None
) -> CampaignReading:
    """All files that runs name, read, each in the part of the first log beside it."""
    beside: dict[str, str] = {}
    for line in checked.runs:
        for entry in files_of(line):
            beside.setdefault(entry.file, line.log)
    declared = checked.campaign
    clock = (declared.zone, declared.dates, declared.codepage)
    reader = FileReader(checked.folder, *clock)
    return with_results(checked, read_all(reader, beside, beside, kept))


def with_results(checked: CheckedCampaign, readings: Readings) -> CampaignReading:
    """What was read, with the results of each run; a :class:`UserError` where a line of
    ``runs.csv`` does not say which results of a log are its own."""
    results, issues = choose_tests(checked, readings)
    raise_if(issues)
    return CampaignReading(checked, readings, results)


def tables_of(
    evidence: CampaignReading, room: Path | None = None, declared: bool = True
) -> Frames:
    """All tables of a campaign; a :class:`UserError` carries what files say against the
    declarations. What nobody ``declared`` is held against nothing.

    See :func:`ingest` for the ``room``.
    """
    checked, readings = evidence.checked, evidence.readings
    once = OnceCounter(readings, checked.files, checked.campaign.sources)

    rows, issues = gather(checked, readings)
    large = write_large(rows, once, room) if room else []
    tables = assign(rows, evidence.results, but=large)

    contradictions, hints = compare(tables, evidence) if declared else ([], [])
    raise_if([*issues, *contradictions, *check_snapshots(tables, evidence)])

    tables = {name: once.rows(name, table) for name, table in tables.items()}

    cpu, classes = tables["cpu_interval"], tables["class_interval"]
    if room and "class_interval" in large:
        file = room / file_name("class_interval")
        classes = classes_beside(cpu, pl.scan_parquet(file))
    tables["cpu_interval"], odd = with_capture(cpu, classes, readings, checked.files)

    campaign = {"campaign": checked.name, "digest": checked.digest}
    runs = run_table(evidence)
    ticks = tick_intervals(tables["cpu_counter"], runs, checked.campaign)
    groups = cgroup_cpu(tables["cgroup_counter"], checked)
    problems = [*hints, *once.problems(), *odd]
    added = {
        "campaign": [frame("campaign", [campaign])],
        "run": [with_coverage(runs, ticks)],
        "run_role": [role_table(checked)],
        "cpu_interval": [ticks],
        "run_cpu": [tick_cpu(ticks, checked), groups],
        "run_counter": [energy_used(tables["energy_counter"])],
        "source": [source_table(evidence, problems)],
    }
    joined = {n: join_frames(n, [tables[n], *more]) for n, more in added.items()}
    return tables | joined
