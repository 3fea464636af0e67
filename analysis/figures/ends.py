"""What a range chart draws: the ends of what each study or test changes, by metric.

Of a study of values these are its lowest and its highest value.
"""

from __future__ import annotations

import polars as pl

from analysis.facts.fact import Fact, Facts, without_parts
from analysis.figures.select import SCHEMA, fact_row
from analysis.figures.setting import Setting

PREDICTED = "predicted"  # in place of a verdict


def data_range(facts: Facts, setting: Setting) -> pl.DataFrame:
    """The best and the worst change of each study and metric, a row each.

    ``end`` says which it is; an only change is the best. A figure of one study has the
    ends of each test, and a study of values those of its values, from the lowest.
    ``judged`` are the verdicts of all changes of its row, of those too that are not
    drawn.
    """
    parts: dict[tuple[str, str], list[Fact]] = {}
    judged: dict[str, set[str]] = {}
    for fact in facts.facts:
        if _is_drawn(fact, setting):
            id = _row_of(fact, setting)
            parts.setdefault((id, fact.metric), []).append(fact)
            judged.setdefault(id, set()).add(fact.verdict or PREDICTED)
    rows = [
        fact_row(fact)
        | {"study": fact.study, "name": name, "end": end, "judged": sorted(judged[id])}
        for metric in setting.figure.metrics
        for id, name in names_of(setting).items()
        if (id, metric) in parts
        for end, fact in _ends(parts[id, metric])
    ]
    more = dict.fromkeys(("study", "name", "end"), pl.String())
    schema = SCHEMA | more | {"judged": pl.List(pl.String())}
    return pl.DataFrame([{k: r.get(k) for k in schema} for r in rows], schema=schema)


def names_of(setting: Setting) -> dict[str, str]:
    """What rows are called: studies by their titles, tests as people call them."""
    if setting.studies:
        return {id: study.title for id, study in setting.studies.items()}
    return {test: setting.labels.get(test) or test for test in setting.tests}


def changes_in(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows of changes, without those of values."""
    return frame.filter(pl.col("baseline").is_not_null())


def _is_drawn(fact: Fact, setting: Setting) -> bool:
    """Whether it is a change or a value of a row, of whichever metric."""
    if _row_of(fact, setting) not in (setting.studies or setting.tests):
        return False
    if setting.studies and setting.studies[fact.study].of_values:
        return fact.kind == "value"
    if fact.kind != "delta" or fact.better == "none":
        return False
    return bool(fact.verdict or fact.estimate)


def _row_of(fact: Fact, setting: Setting) -> str:
    return fact.study if setting.studies else fact.configuration


def _ends(facts: list[Fact]) -> list[tuple[str, Fact]]:
    sign = -1 if facts[0].better == "lower" else 1
    value = facts[0].kind == "value"
    shown = without_parts(facts) if value else facts
    ordered = sorted(shown, key=lambda fact: (1 if value else sign) * fact.value)
    first, last = ordered[0], ordered[-1]
    if value:
        return [("lowest", first)] + [("highest", last)] * (len(shown) > 1)
    return [("best", last)] + [("worst", first)] * (len(facts) > 1)
