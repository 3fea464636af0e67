"""What a published number says, and how near the derived one is, in plain words."""

from __future__ import annotations

from analysis.declared.metrics import Metric
from analysis.declared.published import ALL, NAMES, Published
from analysis.facts.units import MINUS, format_number, format_percent, format_unit
from analysis.report.material import Material
from analysis.report.tables.reproduction import Match


def statement(match: Match, material: Material) -> str:
    """Of what a row is: metric, role, workload and what is compared."""
    row, tables = match.row, material.tables(match.study)
    named = tables.study.published
    ids = {own: id for id, own in (named.configurations if named else {}).items()}
    sides = (id or "" for id in (row.test, row.baseline))
    test, base = (tables.name(ids.get(id, id)) for id in sides)
    metric: Metric | None = material.metrics.get(row.metric)
    label = "All metrics" if row.metric == ALL else metric.label if metric else ""
    role = {"both": "both sides", None: ""}.get(row.role, row.role)
    against = f"{test} relative to {base}" if base else test
    counted = row.workload in NAMES and row.clients  # a name of ours has its clients
    clients = f"clients {row.clients}" if counted else ""
    parts = [label, role, row.workload, clients, row.variant, against]
    return ", ".join(part for part in parts if part)


def published_words(row: Published) -> str:
    """The number as it was published: ``up to −60%``."""
    if row.qualifier == "comparable":
        return "comparable"
    if row.qualifier == "direction":
        return "higher" if row.value > 0 else "lower"
    before = "" if row.qualifier == "exact" else f"{row.qualifier} "
    number = f"{row.value:+,.10g}" if row.kind == "delta" else f"{row.value:,.10g}"
    unit = {"%": "%", "x": "×", "1": ""}.get(row.unit, f"\u00a0{format_unit(row.unit)}")
    return f"{before}{number.replace('-', MINUS)}{unit}"


def number_words(row: Published, value: float) -> str:
    """A derived number in the form of the row, with all of its decimals: those that
    make it agree or differ."""
    of_change = row.kind in ("delta", "direction")
    text = (
        format_percent(value).removesuffix("%") if of_change else format_number(value)
    )
    decimals = max(len(text.partition(".")[2]), row.decimals)
    sign = "+" if of_change and text[:1] in f"+{MINUS}" else ""
    text = f"{value:{sign},.{decimals}f}".replace("-", MINUS)
    return text + ("%" if of_change else "" if row.kind == "value" else "×")


def tolerance_words(match: Match) -> str:
    """By how much the two may differ; empty where nothing is derived."""
    if match.tolerance is None:
        return ""
    unit = {"%": "\u00a0pp", "": "\u00a0pp"}.get(match.row.unit, "")
    return f"±{match.tolerance:.2g}{unit}"


def remarks(material: Material, match: Match) -> list[str]:
    """What is to be said of the row: its note, and the inconsistencies that name it."""
    own = [match.row.note] if match.row.note else []
    return own + [i.text for i in material.issues if match.row.id in i.rows]
