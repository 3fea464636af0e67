"""All changes of an edition in one table, to be filtered and sorted by its reader.

The values of studies that compare nothing are rows as well.
"""

from __future__ import annotations

from dataclasses import dataclass

from analysis.facts.fact import Fact
from analysis.facts.sentences import listed, origin_text
from analysis.report.beside.cards import script_json
from analysis.report.beside.frame import Frame, page_beside
from analysis.report.beside.ledger import trace_id
from analysis.report.expressions.bound import interval
from analysis.report.tables.cells import GLYPHS, PREDICTED, Sides, sides
from analysis.report.tables.study import StudyTables

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


@dataclass(frozen=True)
class Row:
    """A change, or a value of a study that compares nothing."""

    fact: Fact
    sides: Sides | None
    tables: StudyTables

    @property
    def study(self) -> str:
        """The study's id."""
        return self.fact.study

    @property
    def metric(self) -> str:
        """The metric with the role."""
        return self.tables.metric_name(self.fact)

    @property
    def workload(self) -> str:
        """The workload's name."""
        return self.fact.workload

    @property
    def pair(self) -> str:
        """The configurations that are compared."""
        return self.tables.pair_name(self.fact)

    @property
    def verdict(self) -> str:
        """The verdict, or what stands in its place."""
        return "predicted" if self.fact.estimate else str(self.fact.verdict or "value")

    @property
    def glyph(self) -> str:
        """The glyph of the verdict."""
        return PREDICTED if self.fact.estimate else GLYPHS.get(self.verdict, "")

    @property
    def origin(self) -> str:
        """What the numbers rest on."""
        return origin_text(self.fact)

    @property
    def anchor(self) -> str:
        """The fact's entry on the page of facts."""
        return trace_id(self.fact.key)

    @property
    def interval(self) -> str:
        """The interval; one that is not of 95% says of how much, as a prediction's."""
        confidence = self.fact.confidence
        if self.fact.low is None:
            return ""
        usual = not confidence or round(confidence, 3) == USUAL
        return interval(self.fact) + ("" if usual else f" ({100 * confidence:g}%)")

    @property
    def data(self) -> dict[str, str | float | None]:
        """The row of the CSV file by its heads, at full precision."""
        fact, both, value = self.fact, self.sides, self.fact.kind == "value"
        return {
            "key": fact.key,
            "study": fact.study,
            "metric": self.tables.metrics[fact.metric].label,
            "role": fact.role,
            "workload": fact.workload,
            "baseline": fact.baseline,
            "test": fact.configuration,
            "before": both.before.value if both else None,
            "after": fact.value if value else both.after.value if both else None,
            "unit": fact.unit if value else both.after.unit if both else "",
            "change_percent": None if value else fact.value,
            "low": fact.low,
            "high": fact.high,
            "p_adjusted": fact.p_adjusted,
            "n": fact.n,
            "limit_percent": fact.threshold,
            "verdict": self.verdict,
            "origin": self.origin,
        }


def explorer_page(frame: Frame) -> str:
    """The page: whole as a table without its script, which filters and sorts it."""
    material = frame.material
    facts = {fact.key: fact for fact in material.facts.facts}
    rows = [
        Row(fact, sides(fact, facts), tables)
        for tables in map(material.tables, material.studies)
        for fact in tables.results()
    ]
    kinds = {study.of_values for study in material.studies.values()}
    names = {False: "changes", True: "values"}
    data = [row.data for row in rows]
    known = {
        "what": listed(name for values, name in names.items() if values in kinds),
        "rows": rows,
        "filters": [
            (id, words, list(dict.fromkeys(getattr(row, id) for row in rows)))
            for id, words in FILTERS.items()
        ],
        "studies": {id: study.title for id, study in material.studies.items()},
        "data": script_json(
            {
                "heads": list(data[0]) if data else [],
                "rows": [list(row.values()) for row in data],
            }
        ),
    }
    return page_beside(frame, TEMPLATE, known, scripts=[SCRIPT])
