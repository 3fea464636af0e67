"""A summary as rows, and as text for a terminal, as Markdown and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from analysis.declared.metrics import Metric
from analysis.declared.workload import parse_workload
from analysis.facts.units import format_number, format_percent, format_unit
from analysis.statistics.median_change import measure_change
from analysis.summary.measure import MeasuredRuns

_ALWAYS = ("rate", "latency", "throughput")
_PERCENTILES = ("latency_p50_us", "latency_p90_us", "latency_p99_us")
_NO_VALUE = "–"


@dataclass(frozen=True)
class ToldQuantity:
    """One quantity of one run or two; ``change`` in percent, from the first."""

    metric: str
    label: str
    of: str
    unit: str
    values: tuple[float | None, ...]
    change: float | None = None


def rows_of(found: MeasuredRuns) -> list[ToldQuantity]:
    """The quantities that the runs have, in the order of metrics.yaml; percentiles
    stand behind the mean."""
    rows: list[ToldQuantity] = []
    for id, metric in found.metrics.items():
        if _is_shown(id, metric, found):
            rows += _of_metric(id, metric, found)
        if id == "latency":
            rows += _percentiles(found)
    return [_with_change(row) for row in rows]


def _is_shown(id: str, metric: Metric, found: MeasuredRuns) -> bool:
    if metric.repeats:
        return False
    shapes = {parse_workload(row["workload"]).shape for row in found.rows}
    return id in _ALWAYS or bool(shapes & set(metric.shapes))


def _of_metric(id: str, metric: Metric, found: MeasuredRuns) -> Iterator[ToldQuantity]:
    own = found.values.filter(metric=id)
    for role in own["role"].unique(maintain_order=True).to_list():
        of_role = own.filter(own["role"].eq_missing(role))
        values = dict(of_role.select("run", "value").iter_rows())
        told = tuple(values.get(row["run"]) for row in found.rows)
        yield ToldQuantity(id, metric.label, _label(role, found), metric.unit, told)


def _label(role: str | None, found: MeasuredRuns) -> str:
    labels = {s.label for s in found.systems.values() if s.role == role}
    return " or ".join(sorted(labels)) or role or ""


def _percentiles(found: MeasuredRuns) -> Iterator[ToldQuantity]:
    """As logs tell them; several instances of a tool have none together."""
    for column in _PERCENTILES:
        told = tuple(
            row["results"][0][column] if len(row["results"]) == 1 else None
            for row in found.rows
        )
        if any(value is not None for value in told):
            which = column.removeprefix("latency_p").removesuffix("_us")
            yield ToldQuantity(column, f"Latency, {which}th percentile", "", "µs", told)


def _with_change(row: ToldQuantity) -> ToldQuantity:
    if len(row.values) != 2 or None in row.values:
        return row
    first, second = (np.array([value]) for value in row.values)
    change = measure_change(first, second, row.metric)
    return row if change is None else replace(row, change=change.value)


def as_json(found: MeasuredRuns) -> dict[str, Any]:
    """The object of ``--json``."""
    return {
        "runs": [_about(row) for row in found.rows],
        "values": [asdict(row) for row in rows_of(found)],
        "notes": found.notes,
    }


def _about(row: dict[str, Any]) -> dict[str, Any]:
    names = ("workload", "status", "reason", "origin", "clients", "transactions")
    told = {name: row[name] for name in names}
    return {"log": f"/{row['run']}", "tool": ", ".join(row["tools"] or [])} | told


def text_lines(found: MeasuredRuns) -> Iterator[str]:
    """For a terminal: columns in line."""
    yield from _runs(found)
    if cells := _table(found):
        yield ""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for first, *rest in cells:
        ends = (c.rjust(w) for c, w in zip(rest, widths[1:], strict=True))
        yield "  ".join([first.ljust(widths[0]), *ends]).rstrip()
    yield from _ending(found, "")


def markdown_lines(found: MeasuredRuns) -> Iterator[str]:
    """A pipe table, with the notes as a list."""
    yield from (f"- {line}" for line in _runs(found))
    if cells := _table(found):
        head, *rows = map(_piped, cells)
        yield from ("", head, "|---" + "|---:" * (len(cells[0]) - 1) + "|", *rows)
    yield from _ending(found, "- ")


def _table(found: MeasuredRuns) -> list[list[str]]:
    """Cells, with a head above them; none where there is no value."""
    rows = [_cells(row) for row in rows_of(found)]
    return [_head(found), *rows] if rows else []


def _piped(cells: list[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _head(found: MeasuredRuns) -> list[str]:
    names = [f"run {number}" for number, _ in enumerate(found.rows, 1)]
    return ["", *names, "unit", *(["change"] if len(names) > 1 else [])]


def _cells(row: ToldQuantity) -> list[str]:
    label = f"{row.label}, {row.of}" if row.of else row.label
    told = [_NO_VALUE if v is None else format_number(v) for v in row.values]
    change = _NO_VALUE if row.change is None else format_percent(row.change)
    return [
        label,
        *told,
        format_unit(row.unit),
        *([change] if len(row.values) > 1 else []),
    ]


def _runs(found: MeasuredRuns) -> Iterator[str]:
    for number, row in enumerate(found.rows, 1):
        about = _about(row)
        mark = "" if row["origin"] == "measured" else f", {row['origin']}"
        why = f": {row['reason']}" if row["reason"] else ""
        name = PurePosixPath(about["log"])
        yield f"run {number}: {name} ({about['tool']}), {row['status']}{why}{mark}"


def _ending(found: MeasuredRuns, mark: str) -> Iterator[str]:
    said = list(found.notes)
    if len(found.rows) > 1:
        said.append("one run each: a change without an interval proves nothing")
    yield from ["", *(f"{mark}{note}" for note in said)] if said else []
