"""From a campaign that was checked to its tables: its files are read and judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from analysis.errors import Issue, raise_if
from analysis.files.campaign_state import CampaignState
from analysis.ingest.calls import check_calls, check_implied_cpus
from analysis.ingest.campaign.check import CheckedCampaign
from analysis.ingest.campaign.choose_test import choose_tests
from analysis.ingest.campaign.runs import RunLine
from analysis.ingest.capture import classes_beside, with_capture
from analysis.ingest.joining.assign import (
    CampaignReading,
    Frames,
    Readings,
    assign,
    files_of,
    gather,
)
from analysis.ingest.joining.cgroup_pairs import cgroup_cpu
from analysis.ingest.joining.choose import count_once
from analysis.ingest.joining.comparisons import compare
from analysis.ingest.joining.large import LargeTable, told_of, write_large
from analysis.ingest.joining.run_table import role_table, run_table
from analysis.ingest.joining.source_table import source_table
from analysis.ingest.joining.tick_pairs import (
    check_boots,
    check_groups,
    check_ticks,
    tick_cpu,
    tick_intervals,
    with_coverage,
)
from analysis.ingest.parts.kept import KeptParts, Read
from analysis.ingest.read_all import read_all
from analysis.ingest.reading import Problems, Reading
from analysis.ingest.tables.catalog import frame
from analysis.ingest.tables.store import join_frames

Stepped = tuple[Frames, Problems]
LargeTables = Mapping[str, LargeTable]


def read_evidence(
    checked: CheckedCampaign,
    parts: KeptParts | None = None,
    state: CampaignState | None = None,
) -> CampaignReading:
    """All files that runs name, read; a :class:`UserError` where a line of
    ``runs.csv`` does not say which results of a log are its own. ``state`` is how the
    files were when their checksums were computed, for what is kept of ``parts``."""
    beside = files_beside(checked.runs)
    files = sorted(beside)
    read, clock = reader_of(checked), clock_of(checked)
    if parts and state:
        readings = parts.read(state, beside, checked.files, clock, read)
        return with_results(checked, readings)
    return with_results(checked, read(files))


def files_beside(runs: Iterable[RunLine]) -> dict[str, str]:
    """The files that runs name, each with the log of the first run that does: in whose
    part it is read."""
    found: dict[str, str] = {}
    for line in runs:
        for entry in files_of(line):
            found.setdefault(entry.file, line.log)
    return found


def clock_of(checked: CheckedCampaign) -> tuple[str, str | None, str | None]:
    """What readers are told of the files: a zone, the order of dates, a code page."""
    return checked.campaign.zone, checked.campaign.dates, checked.campaign.codepage


def reader_of(checked: CheckedCampaign) -> Read:
    """Reads files of a campaign by their names."""

    def read(files: list[str]) -> dict[str, Reading]:
        return read_all(checked.folder, files, *clock_of(checked))

    return read


def with_results(checked: CheckedCampaign, readings: Readings) -> CampaignReading:
    """What was read, with the results of each run; see :func:`read_evidence`."""
    results, issues = choose_tests(checked, readings)
    raise_if(issues)
    return CampaignReading(checked, readings, results)


def tables_of(
    evidence: CampaignReading, room: Path | None = None, declared: bool = True
) -> Frames:
    """All tables of a campaign, step by step; a :class:`UserError` carries what files
    say against the declarations.

    Large tables are files in ``room``, and empty here; without it there are none. What
    nobody ``declared`` is held against nothing.
    """
    found = gather(evidence.checked, evidence.readings)
    large = write_large(found, evidence, room) if room else {}
    tables = assign(found, evidence.results, large)
    contradictions, hints = compare(tables, evidence) if declared else ([], [])
    more = [issue for check in CHECKS for issue in check(tables, evidence)]
    raise_if([*found.issues, *contradictions, *more])
    tables, problems = _counted_once(tables, evidence, large)
    tables, odd = _captured(tables, evidence, large)
    for step in STEPS:
        tables = step(tables, evidence)
    source = source_table(evidence, [*hints, *problems, *odd])
    return tables | {"source": join_frames("source", [tables["source"], source])}


def _counted_once(
    tables: Frames, evidence: CampaignReading, large: LargeTables
) -> Stepped:
    checked = evidence.checked
    sources, told = checked.campaign.sources, told_of(large)
    return count_once(tables, evidence.readings, checked.files, sources, told)


def _captured(tables: Frames, evidence: CampaignReading, large: LargeTables) -> Stepped:
    classes = tables["class_interval"]
    if "class_interval" in large:
        all_rows = large["class_interval"].rows()
        classes = classes_beside(tables["cpu_interval"], all_rows)
    files = evidence.checked.files
    told = tables | {"class_interval": classes}
    found, problems = with_capture(told, evidence.readings, files)
    return found | {"class_interval": tables["class_interval"]}, problems


def _declared(tables: Frames, evidence: CampaignReading) -> Frames:
    """With what the declarations say: the campaign, its runs and their roles."""
    checked = evidence.checked
    told_of = {"campaign": checked.name, "digest": checked.digest}
    added = {
        "campaign": frame("campaign", [told_of]),
        "run": run_table(checked, evidence.readings, evidence.results),
        "run_role": role_table(checked),
    }
    return _joined(tables, added)


def _ticked(tables: Frames, evidence: CampaignReading) -> Frames:
    """With the CPU time between the snapshots of the clock ticks."""
    checked = evidence.checked
    ticks = tick_intervals(tables["cpu_counter"], tables["run"], checked.campaign)
    runs = with_coverage(tables["run"], ticks)
    added = {"cpu_interval": ticks, "run_cpu": tick_cpu(ticks, checked)}
    return _joined(tables | {"run": runs}, added)


def _grouped(tables: Frames, evidence: CampaignReading) -> Frames:
    """With the CPU time between the snapshots of the control groups."""
    used = cgroup_cpu(tables["cgroup_counter"], evidence.checked)
    return _joined(tables, {"run_cpu": used})


def _joined(tables: Frames, added: Frames) -> Frames:
    return tables | {n: join_frames(n, [tables[n], f]) for n, f in added.items()}


CHECKS: tuple[Callable[[Frames, CampaignReading], list[Issue]], ...] = (
    check_ticks,
    check_boots,
    check_groups,
    check_calls,
    check_implied_cpus,
)
"""What may be wrong with the snapshots and the calls that ``runs.csv`` names."""
STEPS: tuple[Callable[[Frames, CampaignReading], Frames], ...] = (
    _declared,
    _ticked,
    _grouped,
)
"""From rows that count to the tables, one after another."""
