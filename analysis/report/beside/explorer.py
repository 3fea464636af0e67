"""All changes of an edition in one table, to be filtered and sorted by its reader.

The values of studies that compare nothing are rows as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analysis.facts.fact import Fact
from analysis.facts.sentences import listed, origin_text
from analysis.report.beside.cards import script_json
from analysis.report.beside.frame import Frame, page_beside
from analysis.report.beside.ledger import metric_name, pair_name, trace_id
from analysis.report.expressions.bound import interval
from analysis.report.material import Material
from analysis.report.tables.cells import GLYPHS, PREDICTED
from analysis.report.tables.sides import Sides, sides

PAGE = "explorer.html"
TEMPLATE = "explorer.html.j2"
SCRIPT = "explorer.js"
USUAL = 0.95  # confidence that the head of the column names
# What a reader chooses by, and the words before it.
FILTERS = {
    "study": "Study",
    "metric": "Metric",
    "workload": "Workload",
    "verdict": "Verdict",
    "origin": "Origin",
}
_HEADS = (
    "key", "study", "metric", "role", "workload", "baseline", "test", "before",
    "after", "unit", "change_percent", "low", "high", "p_adjusted", "n",
    "limit_percent", "verdict", "origin",
)  # fmt: skip


def explorer_page(material: Material, frame: Frame) -> str:
    """The page: whole as a table without its script, which filters and sorts it."""
    rows = list(_rows(material))
    known = {
        "what": _what(material),
        "rows": rows,
        "filters": [
            (id, words, list(dict.fromkeys(row[id] for row in rows)))
            for id, words in FILTERS.items()
        ],
        "studies": {id: study.title for id, study in material.studies.items()},
        "data": script_json({"heads": _HEADS, "rows": [row["data"] for row in rows]}),
    }
    return page_beside(frame, TEMPLATE, known, scripts=[SCRIPT])


def _what(material: Material) -> str:
    """What the rows are: changes, values of studies that compare nothing, or both."""
    kinds = {study.of_values for study in material.studies.values()}
    names = {False: "changes", True: "values"}
    return listed(name for values, name in names.items() if values in kinds)


def _rows(material: Material) -> Iterator[dict[str, Any]]:
    facts = {fact.key: fact for fact in material.facts.facts}
    for id in material.studies:
        for fact in material.tables(id).results():
            yield _row(fact, sides(fact, facts), material)


def _row(change: Fact, both: Sides | None, material: Material) -> dict[str, Any]:
    label = material.metrics[change.metric].label
    verdict = "predicted" if change.estimate else str(change.verdict or "value")
    return {
        "at": trace_id(change.key),
        "study": change.study,
        "metric": metric_name(change, material),
        "workload": change.workload,
        "test": pair_name(change, material),
        "sides": both.printed if both else "",
        "change": change.printed,
        "interval": _interval(change),
        "verdict": verdict,
        "glyph": PREDICTED if change.estimate else GLYPHS.get(verdict, ""),
        "origin": origin_text(change),
        "data": _data(change, both, label, verdict),
    }


def _interval(change: Fact) -> str:
    """The interval; one that is not of 95% says of how much, as a prediction's is."""
    if change.low is None:
        return ""
    usual = not change.confidence or round(change.confidence, 3) == USUAL
    return interval(change) + ("" if usual else f" ({100 * change.confidence:g}%)")


def _data(
    change: Fact, both: Sides | None, label: str, verdict: str
) -> list[str | float | None]:
    """The row of the CSV file, at full precision."""
    before, after, unit = (
        (both.before.value, both.after.value, both.after.unit)
        if both
        else (None, None, "")
    )
    size: float | None = change.value
    if change.kind == "value":
        after, unit, size = change.value, change.unit, None
    return [
        change.key, change.study, label, change.role, change.workload,
        change.baseline, change.configuration, before, after, unit, size,
        change.low, change.high, change.p_adjusted, change.n,
        change.threshold, verdict, origin_text(change),
    ]  # fmt: skip
