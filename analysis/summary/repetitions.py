"""Folders of repetitions beside each other, judged as the studies of a report are."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from analysis.declared.study import Study
from analysis.derive.family import judge_studies
from analysis.derive.scope import StudyScope
from analysis.derive.study import derive_study
from analysis.errors import user_error
from analysis.facts.fact import Fact
from analysis.facts.sentences import detectable_text
from analysis.facts.units import format_number, format_unit
from analysis.ingest.campaign.guess import role_of
from analysis.ingest.campaign.propose import is_evidence, logs_of
from analysis.ingest.read_all import FileReader, read_all
from analysis.summary.measure import MeasuredRuns, measure
from analysis.summary.sides import Chosen, CpuEvidence, Readings, key_of

FORMS = ("json", "markdown", "csv")
_USABLE = ("ok", "degraded")
_STUDY = "summary"
_NUMBERED = re.compile(r"^run [^:]+: ([\d.]+ )?")  # of which run, and how much
_HEAD = ("workload", "quantity", "folder", "median", "interval (95%)", "unit", "n",
         "change", "interval (95%)", "verdict", "smallest change seen")  # fmt: skip


@dataclass(frozen=True)
class FolderRow:
    """One quantity of one folder; ``change`` and what follows, in percent, from the
    first folder. Intervals are of 95%; ``detectable`` is the smallest change that the
    runs would show with 80% power."""

    workload: str
    quantity: str
    role: str
    folder: str
    median: float
    low: float | None
    high: float | None
    unit: str
    n: int
    change: float | None = None
    change_low: float | None = None
    change_high: float | None = None
    verdict: str | None = None
    detectable: float | None = None


@dataclass(frozen=True)
class ComparedFolders:
    """The rows of a table, and what is to be said of the runs."""

    rows: list[FolderRow]
    notes: list[str]

    def text(self, form: str) -> str:
        """As text for a terminal, or as one of :data:`FORMS`."""
        if form == "json":
            return json.dumps(asdict(self), ensure_ascii=False, indent=1)
        if form == "csv":
            out = io.StringIO()
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow(FolderRow.__dataclass_fields__)
            writer.writerows(asdict(row).values() for row in self.rows)
            return out.getvalue().rstrip("\n")
        cells = [list(_HEAD), *map(_cells, self.rows)] if self.rows else []
        if form == "markdown":
            escaped = [[c.replace("|", "\\|") for c in line] for line in cells]
            lines = [f"| {' | '.join(line)} |" for line in escaped]
            lines[1:1] = ["|---" * len(_HEAD) + "|"] if lines else []
            return "\n".join([*lines, "", *(f"- {note}" for note in self.notes)])
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = [
            "  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip()
            for line in cells
        ]
        return "\n".join([*lines, "", *self.notes]).strip("\n")


def repetitions(paths: Sequence[Path]) -> list[Path]:
    """The paths, if they are folders with folders of runs in them; else none."""
    folders = [path for path in paths if path.is_dir()]
    if not any(p.is_dir() and p.name[0] != "." for f in folders for p in f.iterdir()):
        return []
    if others := [path for path in paths if path not in folders]:
        what = "is no folder, beside folders of repetitions"
        raise user_error(what, others[0], mend="name files, or folders of repetitions")
    keys = [path.resolve() for path in folders]
    if twice := [
        p for p, key in zip(folders, keys, strict=True) if keys.count(key) > 1
    ]:
        raise user_error("is named twice", twice[0], mend="name two different folders")
    return folders


def compare_folders(
    folders: Sequence[Path], zone: str, test: str = ""
) -> ComparedFolders:
    """Every quantity of each folder, and its change from the first one, with the
    verdict that a report with default noise would have."""
    files = {folder: _files(folder) for folder in folders}
    keys = [key_of(path) for paths in files.values() for path in paths]
    readings = read_all(FileReader(Path("/"), zone), keys) if keys else {}
    names = {f"folder{n}": str(folder) for n, folder in enumerate(folders, 1)}
    runs: list[Chosen] = []
    for id, folder in zip(names, folders, strict=True):
        if not (chosen := _runs(id, folder, files[folder], readings)):
            mend = "put the log of each run in a folder below it"
            raise user_error("there is no log of a run in it", folder, mend=mend)
        runs += chosen
    measured = measure(runs, readings, test)
    rows = _rows(measured, names)
    return ComparedFolders(rows, [*_told(measured, runs, names)])


def _files(folder: Path) -> list[Path]:
    return sorted(
        path
        for path in folder.rglob("*")
        if path.is_file()
        and not any(part[0] == "." for part in path.relative_to(folder).parts)
    )


def _runs(
    id: str, folder: Path, paths: Sequence[Path], readings: Readings
) -> list[Chosen]:
    """A run for each log, with the evidence that stands beside it alone."""
    runs: list[Chosen] = []
    for parent in sorted({path.parent for path in paths}):
        keys = [key_of(path) for path in paths if path.parent == parent]
        logs = logs_of({key: readings[key] for key in keys})
        evidence = [
            CpuEvidence(key, role_of(Path(key).name) or "")
            for key in keys
            if len(logs) == 1 and key not in logs and is_evidence(readings[key])
        ]
        for log in sorted(logs):
            within = log.removeprefix(f"{key_of(folder)}/")
            runs.append(Chosen(log, list(evidence), id, len(runs) + 1, within))
    return runs


def _rows(measured: MeasuredRuns, names: dict[str, str]) -> list[FolderRow]:
    compared = sorted(set(_tools(measured)) - set(_mixed(measured)))
    if not compared:
        return []
    first, *tests = names
    metrics = tuple(id for id, m in measured.metrics.items() if not m.repeats)
    study = Study(
        title=_STUDY, question=_STUDY, campaigns=(_STUDY,), baseline=first, figures=(),
        tests=tuple(tests), workloads=tuple(compared), metrics=metrics,
    )  # fmt: skip
    study = study.model_copy(update={"campaigns": ("",)})  # files of no campaign
    scope = StudyScope(_STUDY, _STUDY, study, measured.metrics, measured.evidence)
    derived = {_STUDY: derive_study(scope)}
    [judged] = judge_studies(derived, {_STUDY: study.noise}, measured.metrics)
    changes = {_cell(f): f for f in judged.facts if f.kind == "delta"}
    values = [f for f in judged.facts if f.kind != "delta"]
    return [_row(f, changes.get(_cell(f)), measured, names) for f in values]


def _cell(fact: Fact) -> tuple[str | None, ...]:
    return fact.workload, fact.metric, fact.role, fact.configuration


def _row(
    value: Fact, change: Fact | None, measured: MeasuredRuns, names: dict[str, str]
) -> FolderRow:
    row = FolderRow(
        value.workload, measured.metrics[value.metric].label, value.role or "",
        names[value.configuration], value.value, value.low, value.high, value.unit,
        value.n,
    )  # fmt: skip
    if change is None:
        return row
    return replace(
        row,
        change=change.value,
        change_low=change.low,
        change_high=change.high,
        verdict=change.verdict,
        detectable=change.detectable,
    )


def _tools(measured: MeasuredRuns) -> dict[str, set[str]]:
    """The tools of each workload's usable runs."""
    tools: dict[str, set[str]] = {}
    for row in measured.rows:
        if row["status"] in _USABLE:
            tools.setdefault(row["workload"], set()).update(row["tools"] or ())
    return tools


def _mixed(measured: MeasuredRuns) -> dict[str, set[str]]:
    return {name: tools for name, tools in _tools(measured).items() if len(tools) > 1}


def _told(
    measured: MeasuredRuns, runs: Sequence[Chosen], names: dict[str, str]
) -> Iterator[str]:
    """What was left out, and why; what holds of several runs is said once."""
    where = {run.log: run.configuration for run in runs}
    for name, tools in _mixed(measured).items():
        yield f"{name} is not compared: it is of {' and '.join(sorted(tools))}"
    for row in measured.rows:
        if row["status"] not in _USABLE:
            yield f"/{row['run']} is left out, {row['status']}: {row['reason']}"
    for name in _tools(measured):
        used = {where[row["run"]] for row in measured.rows if row["workload"] == name}
        for id in names.keys() - used:
            yield f"{name} has no run in {names[id]}"
    alike: dict[str, list[str]] = {}
    for note in measured.notes:
        alike.setdefault(_NUMBERED.sub("", note), []).append(note)
    for [first, *more] in alike.values():
        yield f"{1 + len(more)} runs, such as {first}" if more else first


def _cells(row: FolderRow) -> list[str]:
    quantity = f"{row.quantity}, {row.role}" if row.role else row.quantity
    change = "–" if row.change is None else f"{row.change:+.1f}%".replace("-", "−")
    seen = "–" if row.detectable is None else detectable_text(row.detectable)
    return [
        row.workload, quantity, row.folder, format_number(row.median),
        _interval(row.low, row.high, format_number), format_unit(row.unit), str(row.n),
        change, _interval(row.change_low, row.change_high, "{:+.1f}%".format),
        row.verdict or ("–" if row.change is None else "not tested"), seen,
    ]  # fmt: skip


def _interval(
    low: float | None, high: float | None, form: Callable[[float], str]
) -> str:
    if low is None or high is None:
        return "–"
    return f"{form(low)} to {form(high)}".replace("-", "−")
