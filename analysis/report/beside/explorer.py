"""All changes of an edition in one table, to be filtered and sorted by its reader.

The values of studies that compare nothing are rows as well.
"""

from __future__ import annotations

from typing import Any

from analysis.facts.fact import Fact
from analysis.facts.sentences import detectable_text, listed, origin_text
from analysis.report.beside.cards import script_json
from analysis.report.beside.frame import Frame, page_beside
from analysis.report.beside.ledger import trace_id
from analysis.report.language.printed import interval
from analysis.report.study_facts import StudyFacts
from analysis.report.tables.cells import GLYPHS, PREDICTED, Sides, sides

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


def explorer_page(frame: Frame) -> str:
    """The page: whole as a table without its script, which filters and sorts it."""
    material = frame.material
    facts = {fact.key: fact for fact in material.facts.facts}
    rows = [
        _row(fact, sides(fact, facts), study)
        for study in map(material.of_study, material.studies)
        for fact in study.results()
    ]
    kinds = {study.of_values for study in material.studies.values()}
    names = {False: "changes", True: "values"}
    heads = list(rows[0]["data"]) if rows else []
    data = {"heads": heads, "rows": [list(row["data"].values()) for row in rows]}
    known = {
        "what": listed(name for values, name in names.items() if values in kinds),
        "rows": rows,
        "filters": [
            (id, words, list(dict.fromkeys(row[id] for row in rows)))
            for id, words in FILTERS.items()
        ],
        "studies": {id: study.title for id, study in material.studies.items()},
        "data": script_json(data),
    }
    return page_beside(frame, TEMPLATE, known, scripts=[SCRIPT])


def _row(fact: Fact, both: Sides | None, results: StudyFacts) -> dict[str, Any]:
    """What the page shows of a fact, and its row of the CSV file, at full precision."""
    verdict = "predicted" if fact.estimate else str(fact.verdict or "value")
    value = fact.kind == "value"
    after = fact.value if value else both.after.value if both else None
    data: dict[str, Any] = {
        "key": fact.key,
        "study": fact.study,
        "metric": results.metrics[fact.metric].label,
        "role": fact.role,
        "workload": fact.workload,
        "baseline": fact.baseline,
        "test": fact.configuration,
        "before": both.before.value if both else None,
        "after": after,
        "unit": fact.unit if value else both.after.unit if both else "",
        "change_percent": None if value else fact.value,
        "low": fact.low,
        "high": fact.high,
        "low_90": fact.low_90,
        "high_90": fact.high_90,
        "p_adjusted": fact.p_adjusted,
        "n": fact.n,
        "sessions": fact.sessions,
        "limit_percent": fact.threshold,
        "detectable_percent": fact.detectable,
        "verdict": verdict,
        "origin": origin_text(fact),
    }
    return data | {
        "metric": results.metric_name(fact),
        "pair": results.pair_name(fact),
        "sides": both.printed if both else "",
        "printed": fact.printed,
        "interval": _interval(fact),
        "shows": _shows(fact),
        "glyph": PREDICTED if fact.estimate else GLYPHS.get(verdict, ""),
        "anchor": trace_id(fact.key),
        "data": data,
    }


def _interval(fact: Fact) -> str:
    """The interval; one that is not of 95% says of how much, as a prediction's is."""
    if fact.low is None:
        return ""
    usual = not fact.confidence or round(fact.confidence, 3) == USUAL
    return interval(fact) + ("" if usual else f" ({100 * fact.confidence:g}%)")


def _shows(fact: Fact) -> str:
    """From which size on an inconclusive change would have shown."""
    if fact.verdict != "inconclusive" or fact.detectable is None:
        return ""
    return f"shows from {detectable_text(fact.detectable)} on"
