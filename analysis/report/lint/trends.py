"""Trend words without a claim behind them, and claims that no sentence uses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from analysis.declared.metrics import Metric
from analysis.errors import Issue, Place
from analysis.facts.fact import Fact
from analysis.report.claims import claim as c
from analysis.report.claims.checked import Checked
from analysis.report.claims.outcome import Outcome
from analysis.report.lint.names import blank_names
from analysis.report.lint.numbers import blank_allowed
from analysis.report.text.paragraphs import Paragraph, paragraphs
from analysis.report.text.texts import OBSERVATIONS, Text, study_text

# What each word asserts; a claim must assert the same.
_WORDS = {
    "falls": r"falls?|fell|drops?|dropped|decreas\w+|declin\w+|shrinks?|shrank|halv\w+"
    r"|half|lower|lowest|fewer|less|cheaper|cheapest|reduc\w+|saves?|saved",
    "rises": r"ris(?:es?|ing|en)|rose|increas\w+|grows?|grew|growing|climbs?|doubl\w+"
    r"|tripl\w+|twice|higher|highest|dearer|costs? more",
    "better": r"improv\w+|better|best|faster|fastest|gains?|gained|outperform\w*",
    "worse": r"worse\w*|worst|slower|slowest|regress\w*|los(?:es?|t|ing|s|ses)"
    r"|suffers?",
    "same": r"comparable|unchanged|no difference|no change",
    "sure": r"significant\w*",
    "spread": r"scatters?|wider|widest",
}
_TREND = re.compile(
    "|".join(rf"(?P<{family}>\b(?:{words})\b)" for family, words in _WORDS.items()),
    re.IGNORECASE,
)
_EXAMPLES = {
    "falls": "latency falls for RR* beyond noise",
    "rises": "throughput rises for STR* beyond noise",
    "better": "throughput improves for STR*",
    "worse": "latency worsens for CRR*",
    "same": "latency is comparable for RR10(100B)",
    "sure": "latency falls for RR* beyond noise",
    "spread": "latency scatters more for RR40(100B) than for RR10(100B)",
}
_ALL = frozenset(_WORDS)


def check_trends(text: Text, checked: Checked) -> list[Issue]:
    """Trend words of a text that no claim used beside them asserts.

    Only observations, and paragraphs elsewhere that print facts, tell results.
    """
    observing = text.study is not None and text.path.stem == OBSERVATIONS
    issues: list[Issue] = []
    for paragraph in paragraphs(text.tree, text.printed):
        if observing or paragraph.keys:
            issues += _check(paragraph, text, checked)
    return issues


def check_unused(checked: Checked) -> list[Issue]:
    """Claims that no paragraph of their study's observations uses."""
    issues = []
    for study, outcomes in checked.outcomes.items():
        text = checked.texts[study_text(study, OBSERVATIONS)]
        for outcome in outcomes:
            used = any(
                uses(p, outcome, checked.material.metrics)
                for p in paragraphs(text.tree, text.printed)
            )
            if not used:
                what = f"no sentence uses this claim: {outcome.claim.text}"
                mend = "say it in the observations, or delete it"
                place = Place(str(text.path), outcome.claim.line)
                issues.append(Issue(what, place, mend))
    return issues


def check_predictions(text: Text, checked: Checked) -> list[Issue]:
    """Paragraphs that print predicted values as if they were measured."""
    predicted = {f.key for f in checked.material.facts.facts if f.predicted}
    issues = []
    for paragraph in paragraphs(text.tree, text.printed):
        words = paragraph.words.lower()
        said = "predict" in words or "modelled" in words
        if predicted.intersection(paragraph.keys) and not said:
            what = "predicted values in a paragraph that does not say so"
            mend = "write 'is predicted to', or call the values modelled"
            issues.append(Issue(what, Place(str(text.path), paragraph.line), mend))
    return issues


def uses(paragraph: Paragraph, outcome: Outcome, metrics: Mapping[str, Metric]) -> bool:
    """Whether a paragraph speaks of what a claim is about.

    It prints one of the claim's facts, or names its metric and one of its workloads.
    """
    if isinstance(outcome.claim.predicate, c.NoneIs):
        return any("verdicts(" in p.expression for p in paragraph.printed)
    printed = {_about(key) for key in paragraph.keys}
    if printed & {_about(fact.key) for fact in outcome.facts}:
        return True
    if not any(_names_metric(paragraph, f, metrics) for f in outcome.facts):
        return False
    workloads = {fact.workload for fact in outcome.facts}
    everywhere = not outcome.claim.workloads.text
    return everywhere or any(name in paragraph.source for name in workloads)


def asserts(outcome: Outcome) -> frozenset[str]:
    """The families of trend words that a claim stands behind."""
    predicate = outcome.claim.predicate
    better = outcome.facts[0].better
    if isinstance(predicate, c.Moves):
        found = _way(predicate.sign, better)
        return found | {"sure"} if predicate.beyond_noise else found
    if isinstance(predicate, c.Gets) or (
        isinstance(predicate, c.Is) and predicate.verdict in ("improved", "regressed")
    ):
        up = (predicate.verdict == "improved") == (better == "higher")
        return _way(1 if up else -1, better) | {"sure"}
    if isinstance(predicate, c.Is):
        return frozenset({"same"})
    if isinstance(predicate, c.Scatters):
        return frozenset({"spread"})
    return _ALL - {"spread"}  # comparisons of values can be told from either side


def _way(sign: int, better: str) -> frozenset[str]:
    good = {"lower": -1, "higher": 1}.get(better)
    quality = set() if good is None else {"better" if sign == good else "worse"}
    return frozenset({"rises" if sign > 0 else "falls", *quality})


def _check(paragraph: Paragraph, text: Text, checked: Checked) -> Iterator[Issue]:
    outcomes = [
        outcome
        for study, own in checked.outcomes.items()
        for outcome in own
        if text.study in (None, study)
    ]
    metrics = checked.material.metrics
    used = [o for o in outcomes if uses(paragraph, o, metrics)]
    backed = {family for outcome in used for family in asserts(outcome)}
    words = blank_names(blank_allowed(paragraph.words, text))
    for found in _TREND.finditer(words):
        if found.lastgroup not in backed:
            line = paragraph.line + words.count("\n", 0, found.start())
            example = _EXAMPLES[found.lastgroup or "falls"]
            yield Issue(
                f"no claim stands behind {found[0]!r}",
                Place(str(text.path), line),
                f"add one to the front matter of observations.md, such as: {example}",
            )


def _about(key: str) -> tuple[str, ...]:
    """Study, workload, role and metric of a fact's key."""
    study, _, rest = key.partition(".")
    tail = rest.removesuffix(".delta").split(".")
    return (study, *tail[:-1])


def _names_metric(
    paragraph: Paragraph, fact: Fact, metrics: Mapping[str, Metric]
) -> bool:
    label = metrics[fact.metric].label.partition(" per ")[0].lower()
    words = paragraph.source.lower()
    return label in words or fact.metric in words or label.split()[-1] in words
