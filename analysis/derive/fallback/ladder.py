"""The ladder: the first rung that answers a question, or why none does.

Interpolation, generation transfer, published ratio, assumed parameters: each rests on
less than the one before. A rung that does not apply raises ``Refused``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from analysis.derive.fallback.assumed import assume
from analysis.derive.fallback.interpolate import interpolate
from analysis.derive.fallback.knowledge import Knowledge
from analysis.derive.fallback.published_ratio import use_published
from analysis.derive.fallback.question import Answer, Question
from analysis.derive.fallback.transfer import transfer
from analysis.errors import UserError
from analysis.facts.fact import RUNGS
from analysis.facts.remark import Refusal, Refused, Remark

Rung = Callable[[Question, Knowledge], Answer]
_CLIMB: tuple[Rung, ...] = (
    interpolate,
    transfer,
    use_published,
    assume,
)


def climb(questions: tuple[Question, ...], known: Knowledge) -> Answer | Refusal:
    """The answer of the first rung that answers one of the questions.

    The questions ask for the same thing, such as latency and rate, the first the most
    wanted. Without an answer, why each rung does not apply to the first.
    """
    refused: list[Remark] = []
    for name, rung in zip(RUNGS, _CLIMB, strict=True):
        for index, asked in enumerate(questions):
            try:
                return _ask(rung, asked, known)
            except Refused as refused_by:
                if index == 0:
                    reasons = refused_by.refusal.remarks
                    refused += [replace(reason, subject=name) for reason in reasons]
    return Refusal(tuple(refused))


def _ask(rung: Rung, asked: Question, known: Knowledge) -> Answer:
    """The rung's answer; what a model says to its user is why the rung refuses."""
    try:
        return rung(asked, known)
    except UserError as error:
        what = tuple(Remark("model", values={"what": i.what}) for i in error.issues)
        raise Refused(Refusal(what)) from error
