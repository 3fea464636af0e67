"""What the check of wording says, and what it offers to write instead."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.errors import Fix
from analysis.facts.fact import Fact
from analysis.report.expressions.bound import plain
from analysis.report.expressions.expression import expression_of
from analysis.report.expressions.values import moved
from analysis.report.lint.words.binding import Mismatch
from analysis.report.lint.words.senses import Word
from analysis.report.lint.words.stand import state
from analysis.report.material import Material

_CLAIMS = {
    "ratio": "METRIC doubles for WORKLOAD, or: METRIC falls by at least 50%",
    "share": "most comparisons are improved, or: every comparison is comparable",
    "rank": "METRIC falls most for WORKLOAD, or: METRIC of CONFIGURATION is highest "
    "for WORKLOAD",
    "growth": "METRIC saving grows with payload over WORKLOADS, or: METRIC is in "
    "proportion to clients up to COUNT within PERCENT",
    "scatter": "METRIC scatters more for WORKLOAD than for WORKLOAD",
    "modes": "METRIC of CONFIGURATION is bimodal for WORKLOAD",
}
_SHOWN = 3


def mismatch(found: Mismatch) -> tuple[str, str]:
    """What a value is of instead of what is named, and the expression to write."""
    dimension = found.dimension
    if found.print.way == "count" and dimension != "study":
        what = f"{found.print.words} counts more than is of {found.named!r}"
        return what, f"name the {dimension} in the expression, or leave it out here"
    if found.print.way == "count":
        own = (found.print.named or {}).get(dimension, "")
    else:
        own = " and ".join(sorted({_of(f, dimension) for f in found.print.facts}))
    what = (
        f"{found.print.words} is of {dimension} {own}, and the words beside it name "
        f"{found.named!r}"
    )
    return what, f"print the value of what is named, or name {own}"


def _of(fact: Fact, dimension: str) -> str:
    if dimension == "configuration" and fact.kind == "delta":
        return f"{fact.configuration} against {fact.baseline}"
    return str(getattr(fact, dimension))


def told(facts: Sequence[Fact]) -> str:
    """What the data say of some changes: ``−0.7% for RR10(100B) (comparable)``."""
    shown = [
        f"{f.metric}{f' of {f.role}' if f.role else ''} {f.printed} for {f.workload}"
        + (f" ({f.verdict})" if f.verdict else "")
        for f in facts[:_SHOWN]
    ]
    return "; ".join(shown) + ("; …" if len(facts) > _SHOWN else "")


def print_for(facts: Sequence[Fact], material: Material, study: str | None) -> str:
    """The expression whose words follow the data."""
    call = _moves(facts[0], material, study)
    return f"write {{{{ {call} }}}}, which says what one may"


def print_fixes(
    word: Word, facts: Sequence[Fact], material: Material, study: str | None
) -> tuple[Fix, ...]:
    """The same instead of a word, where it is of one change alone."""
    if len(facts) != 1 or facts[0].kind != "delta":
        return ()
    call, shows = _moves(facts[0], material, study), plain(moved(facts[0]))
    return (Fix("print", call, typed=word.text, shows=shows),)


def _moves(fact: Fact, material: Material, study: str | None) -> str:
    call = expression_of(fact, material.studies, inside=fact.study == study)
    return f"moves{call.removeprefix('delta')}"


def claim_for(word: Word, facts: Sequence[Fact], material: Material) -> str:
    """The claim that would back a word, as far as the data allow one."""
    kind = word.sense.kind
    where = "add a claim to the front matter of observations.md"
    if kind in _CLAIMS:
        return f"{where}, such as: {_CLAIMS[kind]}; or leave the word out"
    if not facts:
        return f"{where} that says it, print the value with moves(…), or leave it out"
    claims = "; ".join(claims_for(word, facts, material))
    return f"{where} if it is meant: {claims}. The data say: {told(facts)}"


def claims_for(
    word: Word, facts: Sequence[Fact], material: Material
) -> tuple[str, ...]:
    """The claims that the data allow, ready to be written; none where it takes more."""
    if word.sense.kind in _CLAIMS:
        return ()
    return tuple(dict.fromkeys(_claim(fact, material) for fact in facts))[:_SHOWN]


def _claim(fact: Fact, material: Material) -> str:
    study = material.studies[fact.study]
    names = [fact.role] if fact.role else []
    if len(study.tests) > 1:
        names.append(fact.configuration)
    subject = "".join(f" of {name}" for name in names)
    verbs = {"rise": "rises", "fall": "falls", "same": "is comparable"}
    own = state(fact)
    verb = verbs.get(own, "is inconclusive")
    if fact.predicted:
        verb = f"is predicted to {verb.removesuffix('s')}"
    ending = " beyond noise" if own in ("rise", "fall") and not fact.predicted else ""
    return f"{fact.metric}{subject} {verb} for {fact.workload}{ending}"
