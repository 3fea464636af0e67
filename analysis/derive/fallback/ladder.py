"""The ladder: the first rung that answers a question, or why none does.

Interpolation, generation transfer, published ratio, assumed parameters: each rests on
less than the one before. A rung that does not apply raises ``Refused``. Each is a
module of this package with a ``RUNG``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from analysis.derive.fallback.knowledge import Knowledge
from analysis.derive.fallback.question import FLOWS, Answer, Question
from analysis.errors import UserError
from analysis.facts.estimate import RUNGS
from analysis.facts.remark import Refusal, Refused, Remark, refusal
from analysis.programs.registry import Registry, declared_as


@dataclass(frozen=True)
class LadderRung:
    """One rung: its name, of which ``RUNGS`` tells the place, and how it answers."""

    id: str
    answer: Callable[[Question, Knowledge], Answer]


LADDER: Registry[LadderRung] = Registry(
    "analysis.derive.fallback", "RUNG", declared_as("RUNG")
)


def climb(questions: tuple[Question, ...], known: Knowledge) -> Answer | Refusal:
    """The answer of the first rung that answers one of the questions.

    The questions ask for the same thing, such as latency and rate, the first the most
    wanted. Without an answer, why each rung does not apply to the first.
    """
    shape = questions[0].workload.shape
    if shape not in FLOWS:
        return refusal("no_model_of_shape", shape=shape)
    refused: list[Remark] = []
    for name in RUNGS:
        for index, asked in enumerate(questions):
            try:
                return _ask(LADDER[name], asked, known)
            except Refused as refused_by:
                if index == 0:
                    reasons = refused_by.refusal.remarks
                    refused += [replace(reason, subject=name) for reason in reasons]
    return Refusal(tuple(refused))


def _ask(rung: LadderRung, asked: Question, known: Knowledge) -> Answer:
    """The rung's answer; what a model says to its user is why the rung refuses."""
    try:
        return rung.answer(asked, known)
    except UserError as error:
        what = tuple(Remark("model", values={"what": i.what}) for i in error.issues)
        raise Refused(Refusal(what)) from error
