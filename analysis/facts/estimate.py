"""Estimates: why and how a value that nothing measured was predicted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

# What an estimate was made from: the rungs of the ladder, in their order.
Rung = Literal["interpolation", "generation"]
RUNGS: tuple[Rung, ...] = get_args(Rung)


@dataclass(frozen=True)
class Estimate:
    """Why and how a value that nothing measured was predicted.

    ``reason`` says in words what it was made from, ``basis`` is the weakest of that.
    ``backtest_error`` [%] is the mean error of the model on ``backtest_n`` numbers,
    None and 0 where there is no back-test; ``backtest_of`` says which: published ones,
    or the points that it used, each left out in turn. ``outside`` names what lies
    beyond the model's valid range, ``notes`` what else a reader must know.
    """

    rung: Rung
    model: str
    version: str
    reason: str
    basis: Literal["measured", "published", "calibrated", "assumed"]
    backtest_error: float | None = None
    backtest_n: int = 0
    outside: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    backtest_of: Literal["published", "left out"] = "published"
