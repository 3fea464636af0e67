"""Folders of repetitions beside each other, judged as the studies of a report are."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path, PurePosixPath

from analysis.declared.study import Study
from analysis.derive.family import judge_studies
from analysis.derive.scope import StudyScope
from analysis.derive.study import derive_study
from analysis.errors import user_error
from analysis.facts.fact import Fact
from analysis.facts.sentences import detectable_text
from analysis.facts.units import format_number, format_unit
from analysis.ingest.campaign.guess import guess, role_of, without_counts
from analysis.ingest.campaign.propose import is_evidence, logs_of
from analysis.summary.measure import REPEATED, MeasuredRuns, measure
from analysis.summary.sides import Chosen, CpuEvidence, Readings, key_of

FORMS = ("json", "markdown", "csv")
_USABLE = ("ok", "degraded")
_STUDY = "summary"
_UNNAMED, _NAME = "base", "configuration"  # of a path that names none
_NUMBER = re.compile(r"\d+")
_UNLIKE = (
    "{0} and {1} may be of unlike loads, as the logs do not tell the {2}; name the "
    "folders of a load by the workload, such as RR10(64B), or those of runs rep1, rep2"
)
_NUMBERED = re.compile(r"^run [^:]+: ([\d.]+ )?")  # of which run, and how much
_HEAD = ("workload", "quantity", "folder", "median", "interval (95%)", "unit", "n",
         "change", "interval (95%)", "verdict", "smallest change seen")  # fmt: skip


@dataclass(frozen=True)
class FolderRow:
    """One quantity of one folder; ``change`` and what follows, in percent, from the
    first folder. Intervals are of 95%; ``detectable`` is the smallest change that the
    runs would show with 80% power. Of a count ``median`` is the rate of all runs, and
    ``words`` say a change from nothing, which has no percentage."""

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
    words: str = ""


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


def are_repetitions(
    paths: Sequence[Path], groups: Sequence[Sequence[Path]], readings: Readings
) -> bool:
    """Whether the paths are folders of runs: one has folders in it, or several logs.

    ``groups`` are the files of each path.
    """
    folders = [path for path in paths if path.is_dir()]
    if not any(
        _below(folder, group) or len(_logs(group, readings)) > 1
        for folder, group in zip(paths, groups, strict=True)
        if folder in folders
    ):
        return False
    if others := [path for path in paths if path not in folders]:
        what = "is no folder, beside folders of repetitions"
        raise user_error(what, others[0], mend="name files, or folders of repetitions")
    keys = [path.resolve() for path in folders]
    if twice := [
        p for p, key in zip(folders, keys, strict=True) if keys.count(key) > 1
    ]:
        raise user_error("is named twice", twice[0], mend="name two different folders")
    return True


def _below(folder: Path, files: Sequence[Path]) -> bool:
    return any(file.parent != folder for file in files)


def _logs(files: Iterable[Path], readings: Readings) -> list[str]:
    return logs_of({key: readings[key] for key in map(key_of, files)})


def compare_folders(
    folders: Sequence[Path],
    files: Sequence[Sequence[Path]],
    readings: Readings,
    test: str = "",
) -> ComparedFolders:
    """Every quantity of each folder, and its change from the first one, with the
    verdict that a report with default noise would have."""
    names = {f"folder{n}": str(folder) for n, folder in enumerate(folders, 1)}
    runs: list[Chosen] = []
    for id, folder, paths in zip(names, folders, files, strict=True):
        if not (chosen := _runs(id, folder, paths, readings)):
            mend = "put the logs of its runs there, or each in a folder below it"
            raise user_error("there is no log of a run in it", folder, mend=mend)
        runs += chosen
    for id, folder in zip(names, folders, strict=True):
        _check_alike(folder, [r for r in runs if r.configuration == id], readings)
    measured = measure(runs, readings, test)
    sizes = _untold_sizes(runs, readings)
    unlike = _mixed(measured) | {
        name: _UNLIKE.format(*some, ", ".join(sizes[name][0].untold))
        for name, sized in sizes.items()
        if (some := _odd_paths(sized))
    }
    rows = _rows(measured, names, unlike)
    notes = [*_told(measured, runs, names, unlike)]
    notes += [
        f"{name}: the logs do not tell its {' and '.join(sized[0].untold)}: "
        "the runs are taken to be of one load"
        for name, sized in sizes.items()
        if name not in unlike
    ]
    labels = {m.label for m in measured.metrics.values() if m.per}
    if counts := dict.fromkeys(r.quantity for r in rows if r.quantity in labels):
        notes.append(f"no medians, but all runs together: {', '.join(counts)}")
    return ComparedFolders(rows, notes)


def _check_alike(folder: Path, runs: Sequence[Chosen], readings: Readings) -> None:
    """Refuse a folder in which runs of one workload are of several configurations, as
    the folders in it call them, or the logs where a folder has several."""
    alike: dict[str, dict[str, str]] = {}
    parents = Counter(PurePosixPath(run.within).parent for run in runs)
    for run in runs:
        path, log = PurePosixPath(run.within), readings[run.log]
        above = guess(str(path.parent / "log"), log).configuration
        name = without_counts("" if above == _UNNAMED else above)
        if parents[path.parent] > 1:
            logs = without_counts(path.name.split(".")[0])
            name = f"{name}/{_NUMBER.sub('', logs)}".strip("/._ -")
        of_name = alike.setdefault(guess(run.within, log).workload, {})
        of_name.setdefault(name, run.within)
    for workload, paths in alike.items():
        if len(paths) > 1:
            names = ", ".join(sorted(name or "without a name" for name in paths))
            what = f"its runs of {workload} are of several configurations: {names}"
            tops = sorted(
                {str(folder / PurePosixPath(p).parts[0]) for p in paths.values()}
            )
            apart = len(tops) == len(paths) and all(Path(top).is_dir() for top in tops)
            mend = f"summary {' '.join(tops)}" if apart else "a folder for each of them"
            mend = f"compare these: {mend}; those that repeat one are called rep1, rep2"
            raise user_error(what, folder, mend=mend)


@dataclass(frozen=True)
class _SizeGuess:
    """A run of which nothing tells its shape, clients or some bytes, as ``untold``
    says."""

    configuration: str
    within: str
    untold: tuple[str, ...]


def _untold_sizes(
    runs: Sequence[Chosen], readings: Readings
) -> dict[str, list[_SizeGuess]]:
    """By the names of workloads, usable runs whose load is made up in part."""
    sizes: dict[str, list[_SizeGuess]] = {}
    for run in runs:
        made_up = guess(run.within, readings[run.log])
        untold = tuple(word for word in made_up.unknown if word != _NAME)
        if untold and readings[run.log].status in _USABLE:
            size = _SizeGuess(run.configuration, run.within, untold)
            sizes.setdefault(made_up.workload, []).append(size)
    return sizes


def _odd_paths(sizes: Sequence[_SizeGuess]) -> tuple[str, str] | None:
    """Two paths that may be of unlike sizes: in a folder they differ in more than in
    what counts repetitions; numbers without a word count those, where none is left
    out."""
    named: dict[str, dict[str, list[tuple[tuple[int, ...], str]]]] = {}
    for size in sizes:
        path = PurePosixPath(size.within)
        text = without_counts(str(path.parent / path.name.split(".")[0]))
        numbers = tuple(map(int, _NUMBER.findall(text)))
        kinds = named.setdefault(_NUMBER.sub("#", text), {})
        kinds.setdefault(size.configuration, []).append((numbers, size.within))
    first = {id: some[0][1] for kinds in named.values() for id, some in kinds.items()}
    for kinds in named.values():
        for id, some in kinds.items():
            if some[0][1] != first[id]:
                return some[0][1], first[id]
        every = sorted(pair for some in kinds.values() for pair in some)
        for column in zip(*(numbers for numbers, _ in every), strict=True):
            if len({*column}) < max(column) - min(column) + 1:
                low, high = column.index(min(column)), column.index(max(column))
                return every[low][1], every[high][1]
    return None


def _runs(
    id: str, folder: Path, paths: Sequence[Path], readings: Readings
) -> list[Chosen]:
    """A run for each log, with the evidence that stands beside it alone."""
    runs: list[Chosen] = []
    for parent in sorted({path.parent for path in paths}):
        beside = [path for path in paths if path.parent == parent]
        keys, logs = [*map(key_of, beside)], _logs(beside, readings)
        evidence = [
            CpuEvidence(key, role_of(Path(key).name) or "")
            for key in keys
            if len(logs) == 1 and key not in logs and is_evidence(readings[key])
        ]
        for log in sorted(logs):
            within = log.removeprefix(f"{key_of(folder)}/")
            runs.append(Chosen(log, list(evidence), id, len(runs) + 1, within))
    return runs


def _rows(
    measured: MeasuredRuns, names: dict[str, str], unlike: Collection[str]
) -> list[FolderRow]:
    compared = sorted(_tools(measured).keys() - {*unlike})
    if not compared:
        return []
    first, *tests = names
    metrics = tuple(
        id for id, m in measured.metrics.items() if not m.repeats or id in REPEATED
    )
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
        words="" if change.printed.endswith("%") else change.printed,
    )


def _tools(measured: MeasuredRuns) -> dict[str, set[str]]:
    """The tools of each workload's usable runs."""
    tools: dict[str, set[str]] = {}
    for row in measured.rows:
        if row["status"] in _USABLE:
            tools.setdefault(row["workload"], set()).update(row["tools"] or ())
    return tools


def _mixed(measured: MeasuredRuns) -> dict[str, str]:
    """Workloads of several tools, and why their runs are not compared."""
    return {
        name: f"it is of {' and '.join(sorted(tools))}"
        for name, tools in _tools(measured).items()
        if len(tools) > 1
    }


def _told(
    measured: MeasuredRuns,
    runs: Sequence[Chosen],
    names: dict[str, str],
    unlike: dict[str, str],
) -> Iterator[str]:
    """What was left out, and why; what holds of several runs is said once."""
    where = {run.log: run.configuration for run in runs}
    for name, why in unlike.items():
        yield f"{name} is not compared: {why}"
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
    interval = _interval(row.change_low, row.change_high, "{:+.1f}%".format)
    interval = "–" if row.words else interval  # of what has no percentage
    change = "–" if row.change is None else f"{row.change:+.1f}%".replace("-", "−")
    median = format_number(row.median) if row.median else "0 in all runs"
    seen = "–" if row.detectable is None else detectable_text(row.detectable)
    return [
        row.workload, quantity, row.folder, median,
        _interval(row.low, row.high, format_number), format_unit(row.unit), str(row.n),
        row.words or change, interval,
        row.verdict or ("–" if row.change is None else "not tested"), seen,
    ]  # fmt: skip


def _interval(
    low: float | None, high: float | None, form: Callable[[float], str]
) -> str:
    if low is None or high is None:
        return "–"
    return f"{form(low)} to {form(high)}".replace("-", "−")
