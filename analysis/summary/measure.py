"""The values of runs without a campaign, by the readers and the arithmetic of one."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from analysis.declared.campaign import Campaign
from analysis.declared.metrics import Metric, read_metrics
from analysis.declared.workload import parse_workload
from analysis.derive.gates import describe_flags
from analysis.derive.runs import open_database
from analysis.derive.samples import RunEvidence, read_evidence
from analysis.errors import Issue, Place, raise_if
from analysis.files.hashes import digest_of, hash_file
from analysis.files.inputs import open_regular
from analysis.files.limits import SHOWN_CHARACTERS
from analysis.ingest.campaign.check import CheckedCampaign, is_labelled
from analysis.ingest.campaign.choose_test import COLUMN, choose_tests, mistake
from analysis.ingest.campaign.guess import guess
from analysis.ingest.campaign.propose import of_test
from analysis.ingest.campaign.runs import CpuFile, RunLine
from analysis.ingest.joining.assign import CampaignReading
from analysis.ingest.reading import LOST, Reading
from analysis.ingest.store import tables_of
from analysis.ingest.tables.load import load
from analysis.ingest.tables.store import write_tables
from analysis.summary.sides import Chosen, Readings, SystemSide, SystemSides

REPEATED = ("cpu_cost_per_mb",)  # what repeats another and is shown all the same
_ROOT = Path("/")  # files of runs lie anywhere
_CAMPAIGN = ""
_OPTION = "with --test"
_SHORTEST = 1.0  # seconds of a run, under which it is said
_UNREACHED = re.compile(
    r"refused|unreachable|no route to host|could not connect|unable to connect", re.I
)
_READ = 4096  # bytes of what a tool wrote to its stderr


@dataclass(frozen=True)
class MeasuredRuns:
    """What was found: ``rows`` has one dictionary a run, with the results of its log;
    ``values`` one row a run, metric and role."""

    rows: list[dict[str, Any]]
    values: pl.DataFrame
    systems: dict[str, SystemSide]
    metrics: dict[str, Metric]
    notes: list[str]
    evidence: RunEvidence


def measure(runs: Sequence[Chosen], readings: Readings, test: str = "") -> MeasuredRuns:
    """The values of runs, and what is to be said of them.

    ``test`` is one of several that their logs have.
    """
    of_all = [run.log for run in runs if _take_off(run, readings, test)]
    sides = SystemSides(readings)
    lines = [_line(number, run, sides, test) for number, run in enumerate(runs, 1)]
    raise_if([issue for line in lines for issue in _check_test(line, readings)])
    campaign = _campaign(lines, sides)
    used = {file for line in lines for file in (line.log, *(c.file for c in line.cpu))}
    sums = {file: hash_file(_ROOT / file) for file in used}
    checked = CheckedCampaign(_ROOT, campaign, tuple(lines), sums, digest_of(sums))
    read = {file: sides.readings[file] for file in used}
    results, _ = choose_tests(checked, read)
    metrics = read_metrics()
    evidence = _evidence(CampaignReading(checked, read, results), campaign, metrics)
    rows = [
        row
        | {"results": results[row["run"]], "origin": campaign.origin}
        | {"tools": row["tools"] or [read[line.log].tool_name or read[line.log].format]}
        | _refusal(line, read[line.log])
        for line in lines
        for row in evidence.runs.filter(run=line.run).to_dicts()
    ]
    notes = [*sides.notes, *_without_sides(lines, of_all), *_notes(evidence)]
    for number, line in enumerate(lines, 1):
        notes += [f"run {number}: {of}" for of in _of_log(line, read[line.log])]
    values = _of_known_cps(evidence.values, metrics, sides)
    evidence = replace(evidence, values=values)
    return MeasuredRuns(rows, values, sides.systems, dict(metrics), notes, evidence)


def _check_test(line: RunLine, readings: Readings) -> list[Issue]:
    """That the log of a run holds one result, or results of one test."""
    if not (wrong := mistake(line, readings[line.log])):
        return []
    what, mend = wrong
    return [Issue(what, Place(f"/{line.log}"), mend.replace(COLUMN, _OPTION))]


def _line(number: int, run: Chosen, sides: SystemSides, test: str) -> RunLine:
    """What a line of runs.csv would say of a run."""
    log = sides.readings[run.log]
    log = of_test(log, test) if test else log
    window = next(
        (w for one in run.evidence if (w := _window(sides.readings, one.file))), None
    )
    roles = sides.add(run, window)
    files = {file for id in roles.values() for file in sides.systems[id].files}
    files |= {one.file for one in run.evidence if _window(sides.readings, one.file)}
    return RunLine(
        line=number,
        run=run.log,
        configuration=run.configuration or f"run{number}",
        workload=parse_workload(guess(run.within, log).workload),
        repetition=run.repetition,
        start=None,
        end=None,
        roles=roles,
        log=run.log,
        cpu=tuple(CpuFile(file, _of(file, roles, sides)) for file in sorted(files)),
        test=test,
    )


def _window(readings: Readings, file: str) -> tuple[str, str] | None:
    return readings[file].circumstances.window


def _of(file: str, roles: dict[str, str], sides: SystemSides) -> str | None:
    """The only system that a file speaks of, if it is one."""
    ids = [id for id in roles.values() if file in sides.systems[id].files]
    return ids[0] if len(ids) == 1 else None


def _campaign(lines: Sequence[RunLine], sides: SystemSides) -> Campaign:
    """What campaign.yaml would declare of these runs."""
    systems = {
        id: {"role": side.role, "cps": side.cps or 1, "cpu": side.source}
        for id, side in sides.systems.items()
    }
    synthetic = any(is_labelled(_ROOT / line.log) for line in lines)
    return Campaign.model_validate(
        {
            "title": "summary",
            "origin": "synthetic" if synthetic else "measured",
            "measured": {"by": "", "from": "1970-01-01", "to": "1970-01-01", "how": ""},
            "zone": "UTC",
            "systems": systems,
            "configurations": {
                line.configuration: {"label": line.run, "details": {}} for line in lines
            },
            "cpu": {"source": "procstat"},
            "think": 0,
        }
    )


def _evidence(
    reading: CampaignReading, campaign: Campaign, metrics: dict[str, Metric]
) -> RunEvidence:
    """As of a campaign: its tables, in a database that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="summary-") as folder:
        tables, database = Path(folder) / "tables", Path(folder) / "perf.duckdb"
        write_tables(tables_of(reading, declared=False), tables)
        load([tables], database)
        with open_database(database) as con:
            return read_evidence(con, {_CAMPAIGN: campaign}, metrics)


def _of_known_cps(
    values: pl.DataFrame, metrics: dict[str, Metric], sides: SystemSides
) -> pl.DataFrame:
    """Without shares of CPs of systems of which nothing tells how many they have."""
    shares = [id for id, metric in metrics.items() if "cps" in metric.expression]
    roles = [side.role for side in sides.systems.values() if side.cps is None]
    unknown = pl.col("metric").is_in(shares) & pl.col("role").is_in(roles)
    return values.filter(~unknown.fill_null(False))


def _take_off(run: Chosen, readings: Readings, test: str) -> bool:
    """Take CPU time off a run that is one of several tests of its log; whether it had
    any: it is that of all of them."""
    several = test and len({row["test"] for row in readings[run.log].results}) > 1
    had, run.evidence = bool(run.evidence), [] if several else run.evidence
    return bool(several and had)


def _without_sides(lines: Sequence[RunLine], of_all: Sequence[str]) -> list[str]:
    """Why there is no CPU cost, where no file tells any CPU time of a run."""
    why = "no file tells CPU time; name some with --client and --server"
    whole = "no CPU cost: the files tell CPU time of all tests of the log"
    return [
        f"run {number}: {whole if line.log in of_all else why}"
        for number, line in enumerate(lines, 1)
        if not line.roles
    ]


def _of_log(line: RunLine, log: Reading) -> Iterator[str]:
    """What the numbers of a log are, where a reader would take them for others, and
    what the tool wrote to its stderr, where it failed."""
    rows = of_test(log, line.test).results if line.test else log.results
    with_latency = any(row["latency_mean_us"] for row in rows)
    if with_latency and "doubled here" in str(log.details.get("round_trip")):
        yield "its log has latency one way; it is doubled here"
    if hidden := log.details.get("rounded_to_0"):
        yield f"its log rounds these to 0, so that they are left out: {hidden}"
    if str(log.details.get("direction")).startswith("both ways"):
        yield "throughput is that of both ways, added up"
    if isinstance(omitted := log.details.get("omitted_seconds"), int | float):
        yield f"its tool left out the first {omitted:g} s, as a warm-up"
    lasted = max((row["seconds"] or 0 for row in rows), default=0)
    if 0 < lasted < _SHORTEST:
        yield f"{lasted:.2g} s is too short a run to judge by"
    if not _refusal(line, log):
        for path, _, words in _errors(line, log)[:1]:
            yield f"{path} says: {words}"


def _refusal(line: RunLine, log: Reading) -> dict[str, str]:
    """Status and reason of a run that could not connect, as its stderr says it: of that
    its log, which ends early, tells nothing."""
    for path, number, words in _errors(line, log):
        if _UNREACHED.search(words):
            return {"status": "failed", "reason": f"{path}:{number}: {words}"}
    return {}


def _errors(line: RunLine, log: Reading) -> list[tuple[Path, int, str]]:
    """The lines of what a tool wrote to its stderr where it failed: the file, their
    numbers and words, without what a terminal would obey."""
    path = _ROOT / line.log
    files = [path.with_suffix(suffix) for suffix in (".stderr", ".err")]
    some: list[tuple[Path, int, str]] = []
    for beside in files if log.status in LOST else ():
        if beside == path or not beside.is_file():
            continue
        with open_regular(beside) as file:
            text = file.read(_READ).decode("utf-8", "replace")
        for number, words in enumerate(text.splitlines(), 1):
            plain = "".join(filter(str.isprintable, words.strip()))
            some += [(beside, number, plain[:SHOWN_CHARACTERS])] * bool(plain)
    return some


def _notes(evidence: RunEvidence) -> list[str]:
    """Why there is no CPU cost, and what each run's gates say."""
    notes = list(evidence.stopped)
    for id, flags in evidence.flags.items():
        notes += [f"run {id}: {remark.words}" for remark in describe_flags(flags, 1)]
    return notes
