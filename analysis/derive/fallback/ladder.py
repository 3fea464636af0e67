"""The ladder: the first rung that answers a question, or why none does.

Interpolation, generation transfer, published ratio, assumed parameters: each rests on
less than the one before. A rung that does not apply says so with a ``UserError``.
"""

from __future__ import annotations

from collections.abc import Callable

from analysis.derive.fallback.assumed import assume
from analysis.derive.fallback.interpolate import interpolate
from analysis.derive.fallback.knowledge import Knowledge
from analysis.derive.fallback.published_ratio import use_published
from analysis.derive.fallback.question import Answer, Question
from analysis.derive.fallback.transfer import transfer
from analysis.errors import UserError
from analysis.fact import RUNGS

_CLIMB: tuple[Callable[[Question, Knowledge], Answer], ...] = (
    interpolate,
    transfer,
    use_published,
    assume,
)


def climb(questions: tuple[Question, ...], known: Knowledge) -> Answer | str:
    """The answer of the first rung that answers one of the questions.

    The questions ask for the same thing, such as latency and rate, the first the most
    wanted. Without an answer, why each rung does not apply to the first, in words.
    """
    refusals: list[str] = []
    for name, rung in zip(RUNGS, _CLIMB, strict=True):
        for index, asked in enumerate(questions):
            try:
                return rung(asked, known)
            except UserError as error:
                if index == 0:
                    refusals += [f"{name}: {issue.what}" for issue in error.issues]
    return "; ".join(refusals)
