"""All changes of an edition in one table, to be filtered and sorted by its reader."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analysis.facts.fact import Fact
from analysis.facts.sentences import origin_text
from analysis.report.beside.cards import script_json
from analysis.report.beside.frame import Frame, page_beside
from analysis.report.beside.ledger import trace_id
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
        "rows": rows,
        "filters": [
            (id, words, list(dict.fromkeys(row[id] for row in rows)))
            for id, words in FILTERS.items()
        ],
        "studies": {id: study.title for id, study in material.studies.items()},
        "data": script_json({"heads": _HEADS, "rows": [row["data"] for row in rows]}),
    }
    return page_beside(frame, TEMPLATE, known, scripts=[SCRIPT])


def _rows(material: Material) -> Iterator[dict[str, Any]]:
    facts = {fact.key: fact for fact in material.facts.facts}
    for id in material.studies:
        for change in material.tables(id).comparisons():
            yield _row(change, sides(change, facts), material)


def _row(change: Fact, both: Sides | None, material: Material) -> dict[str, Any]:
    label = material.metrics[change.metric].label
    verdict = "predicted" if change.estimate else str(change.verdict)
    return {
        "at": trace_id(change.key),
        "study": change.study,
        "metric": f"{label}, {change.role}" if change.role else label,
        "workload": change.workload,
        "test": f"{change.configuration} against {change.baseline}",
        "sides": both.printed if both else "",
        "change": change.printed,
        "interval": _interval(change),
        "verdict": verdict,
        "glyph": GLYPHS.get(verdict, PREDICTED),
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
    return [
        change.key, change.study, label, change.role, change.workload,
        change.baseline, change.configuration, before, after, unit, change.value,
        change.low, change.high, change.p_adjusted, change.n,
        change.threshold, verdict, origin_text(change),
    ]  # fmt: skip
