"""``facts.xlsx``: the facts of an edition as a workbook for analysts.

Sheets of facts, of what their metrics and configurations mean, and of the campaigns
behind them. A key leads to the entry of ``facts.html`` beside it. Equal facts give
equal bytes: nothing in it has the time at which it was made.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from io import BytesIO
from typing import Any

import xlsxwriter

from analysis.facts.fact import Fact
from analysis.facts.units import format_unit
from analysis.report.beside.ledger import trace_id
from analysis.report.material import Material

WORKBOOK = "facts.xlsx"
_MADE = dt.datetime(1980, 1, 1, tzinfo=dt.UTC)
_ROW_OF_HEADS = 0
# Heads of the sheet of facts: width in characters, and the value of a fact.
_Value = Callable[[Fact, Material], Any]
_FACTS: dict[str, tuple[int, _Value]] = {
    "Study": (18, lambda fact, _: fact.study),
    "Workload": (18, lambda fact, _: fact.workload),
    "Role": (10, lambda fact, _: fact.role),
    "Metric": (24, lambda fact, of: of.of_study(fact.study).metric_name(fact)),
    "Configuration": (22, lambda fact, of: _label(fact, fact.configuration, of)),
    "Baseline": (22, lambda fact, of: _label(fact, fact.baseline, of)),
    "Kind": (8, lambda fact, _: "change" if fact.kind == "delta" else "value"),
    "Value": (14, lambda fact, _: fact.value),
    "Low": (14, lambda fact, _: fact.low),
    "High": (14, lambda fact, _: fact.high),
    "Unit": (10, lambda fact, _: format_unit(fact.unit)),
    "Confidence": (11, lambda fact, _: fact.confidence or None),
    "n": (6, lambda fact, _: fact.n),
    "Better": (8, lambda fact, _: fact.better),
    "Verdict": (13, lambda fact, _: "predicted" if fact.predicted else fact.verdict),
    "p, adjusted": (11, lambda fact, _: fact.p_adjusted),
    "Limit, %": (9, lambda fact, _: fact.threshold),
    "Detectable, %": (13, lambda fact, _: fact.detectable),
    "Origin": (11, lambda fact, _: fact.shown_origin),
    "Basis": (11, lambda fact, _: fact.basis),
    "Printed": (14, lambda fact, _: fact.printed),
    "Formula": (50, lambda fact, _: fact.lineage.rule),
    "Runs": (6, lambda fact, _: len(fact.lineage.runs)),
    "Raw files": (9, lambda fact, _: len(fact.lineage.files)),
    "Remarks": (40, lambda fact, _: "; ".join(one.note for one in fact.warnings)),
    "Key": (46, lambda fact, _: fact.key),
}


def workbook(material: Material) -> bytes:
    """The workbook, as the bytes of an XLSX file."""
    stream = BytesIO()
    # Texts are texts, whoever wrote them: none is a formula or an address.
    options = {
        "in_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "default_date_format": "yyyy-mm-dd",
    }
    with xlsxwriter.Workbook(stream, options) as book:
        book.set_properties({"title": material.title, "created": _MADE})
        facts = [
            fact
            for id in material.studies
            for fact in material.of_study(id).facts.facts
        ]
        rows = [[of(fact, material) for _, of in _FACTS.values()] for fact in facts]
        sheet = _sheet(
            book, "Facts", {n: width for n, (width, _) in _FACTS.items()}, rows
        )
        last = len(_FACTS) - 1
        for row, fact in enumerate(facts, 1):
            address = f"external:facts.html#{trace_id(fact.key)}"
            sheet.write_url(row, last, address, string=fact.key)
        heads = _widths("Metric", "Id", "Unit", "Better", "Meaning", "Rule")
        _sheet(book, "Metrics", heads, _metrics(material, facts))
        heads = _widths("Id", "Label", "Campaign", "Details")
        _sheet(book, "Configurations", heads, _configurations(material))
        names = ("Id", "Title", "Origin", "By", "From", "To", "Licence", "Digest")
        _sheet(book, "Campaigns", _widths(*names), _campaigns(material))
    return stream.getvalue()


def _sheet(
    book: Any, name: str, heads: dict[str, int], rows: Iterable[Sequence[Any]]
) -> Any:
    """A sheet with a filter over its heads, which stay as it scrolls."""
    sheet = book.add_worksheet(name)
    bold = book.add_format({"bold": True, "bottom": 1})
    for column, (head, width) in enumerate(heads.items()):
        sheet.write_string(_ROW_OF_HEADS, column, head, bold)
        sheet.set_column(column, column, width)
    last = 0
    for last, row in enumerate(rows, 1):
        for column, value in enumerate(row):
            if isinstance(value, str):
                sheet.write_string(last, column, value)
            elif value is not None:
                sheet.write_number(last, column, value)
    sheet.freeze_panes(1, 0)
    sheet.autofilter(0, 0, last, len(heads) - 1)
    return sheet


def _widths(*heads: str) -> dict[str, int]:
    wide = {"Meaning": 60, "Rule": 60, "Details": 60, "Title": 50, "Label": 30}
    return {head: wide.get(head, 22) for head in heads}


def _label(fact: Fact, configuration: str | None, material: Material) -> str | None:
    """What readers know a configuration by."""
    return configuration and material.of_study(fact.study).name(configuration)


def _metrics(material: Material, facts: Iterable[Fact]) -> list[list[str]]:
    used = {fact.metric for fact in facts}
    return [
        [one.label, id, format_unit(one.unit), one.better, one.means, one.rule]
        for id, one in material.metrics.items()
        if id in used
    ]


def _configurations(material: Material) -> list[list[str]]:
    return [
        [id, one.label, name, "; ".join(f"{k}: {v}" for k, v in one.details.items())]
        for name, campaign in material.campaigns.items()
        for id, one in campaign.configurations.items()
    ]


def _campaigns(material: Material) -> list[list[str]]:
    digests = dict(material.facts.digests)
    return [
        [
            id, one.title, one.origin, one.measured.by, f"{one.measured.start}",
            f"{one.measured.end}", one.licence or "", digests.get(id, ""),
        ]
        for id, one in material.campaigns.items()
    ]  # fmt: skip
