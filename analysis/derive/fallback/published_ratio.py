"""Third rung: what was published of the same study, times the arm that was measured."""

from __future__ import annotations

from dataclasses import replace

from analysis.declared.published import Published
from analysis.derive.fallback.knowledge import Knowledge
from analysis.derive.fallback.ladder import LadderRung
from analysis.derive.fallback.question import (
    Answer,
    Question,
    changed,
    needed,
    refuse,
)
from analysis.facts.remark import Refusal, Refused, Remark
from analysis.facts.units import format_percent
from models.claims import WantedClaim, find_changes
from models.prediction import UNITS
from models.ratio import Ratio, RatioQuestion, RatioTransfer, ratio_of

_ENDS = ("low end", "high end")


def use_published(asked: Question, known: Knowledge) -> Answer:
    """A partner's measurement times the published change; else ``Refused``."""
    if changed(asked, known):
        raise refuse("setup_changed")
    reasons: list[Remark] = []
    for partner in known.partners(asked.configuration):
        try:
            return _from(asked, known, partner)
        except Refused as refused:
            reasons += refused.refusal.remarks
    raise Refused(Refusal(tuple(reasons))) if reasons else refuse("not_compared")


def _from(asked: Question, known: Knowledge, partner: str) -> Answer:
    """The change from a measured baseline, or back from a measured test."""
    study = known.study
    forward = asked.configuration in study.tests and (
        study.baseline_of(asked.configuration) == partner
    )
    pair = (partner, asked.configuration)
    row = _row(asked, known, pair if forward else pair[::-1])
    anchor = needed(known, asked, partner)
    ratio = ratio_of(row)
    size = format_percent(100 * (ratio.ratio - 1))
    if not forward:
        ratio = Ratio(1 / ratio.ratio, ratio.qualifier)
    unit = UNITS[asked.metric]
    question = RatioQuestion(anchor.value, unit, ratio, anchor.sigma)
    prediction = RatioTransfer().predict(question)
    way = "times" if forward else "divided by"
    reason = (
        f"from runs of {partner}, {way} the published change of {size} "
        f"({row.qualifier}; {row.citation}, {row.place})"
    )
    return Answer("published ratio", replace(prediction, notes=()), reason, (anchor,))


def _row(asked: Question, known: Knowledge, pair: tuple[str, str]) -> Published:
    """The most specific published change from the first to the second of a pair."""
    declared = known.study.published
    names = declared.configurations if declared else {}
    baseline, test = (names.get(arm, arm) for arm in pair)
    id = declared.study if declared else known.id
    beside = known.ran_beside(asked.configuration, asked.workload.name)
    for metric in _names(asked.metric):
        wanted = WantedClaim(
            id, baseline, test, asked.workload, metric, asked.role, beside
        )
        for row in find_changes(known.published, wanted):
            if row.qualifier not in _ENDS:
                return row
    what = f"{asked.metric} of {asked.role}" if asked.role else asked.metric
    raise refuse("not_published", quantity=what, baseline=baseline, test=test)


def _names(metric: str) -> tuple[str, ...]:
    """A change of the cost per MB is one of the cost per transaction."""
    return ("cpu_cost", "cpu_cost_per_mb") if metric == "cpu_cost" else (metric,)


RUNG = LadderRung("published ratio", use_published)
