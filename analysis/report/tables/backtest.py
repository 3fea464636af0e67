"""The back-test appendix: how often the ranges of the models held on hidden numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from analysis.errors import user_error
from analysis.facts.fact import Facts
from analysis.facts.units import MINUS
from analysis.report.material import Material
from analysis.report.table import NONE, Column, escape, table

_SCHEMA = 2
_COLUMNS: list[Column[dict[str, Any]]] = [
    Column("Model", 16, lambda test: escape(test["model"])),
    Column("Numbers", 10, lambda test: test["data"]),
    Column("Task", 36, lambda test: escape(test["question"])),
    Column("Predicted", 9, lambda test: str(test["n"]), number=True),
    Column("Refused", 9, lambda test: str(test["refused"]), number=True),
    Column("In range", 9, lambda test: _share(test["coverage"]), number=True),
    Column("Mean error", 9, lambda test: _share(test["mean_error"], 1), number=True),
    Column("Worst error", 9, lambda test: _signed(test["worst_error"]), number=True),
    Column("Bias", 9, lambda test: _signed(test["bias"]), number=True),
]


def backtest(material: Material) -> dict[str, Any] | None:
    """What the appendix prints; None where nothing in the edition is predicted.

    A :class:`UserError` where values are predicted and the file of back-tests is
    missing or another version.
    """
    rungs = _rungs(material.facts)
    if not rungs:
        return None
    caption = "Back-tests: predictions compared with numbers that were hidden."
    tests = _read(material.backtest)
    return {
        "predicted": sum(fact.estimate is not None for fact in material.facts.facts),
        "rungs": rungs,
        "held": _held(tests),
        "table": table(_COLUMNS, tests, caption, "backtests"),
    }


def _rungs(facts: Facts) -> list[str]:
    """``generation (generation transfer)``: what the edition's estimates use.

    A model with the name of its rung is named once.
    """
    used = {(f.estimate.rung, f.estimate.model) for f in facts.facts if f.estimate}
    return [r if m == r else f"{r} ({m})" for r, m in sorted(used)]


def _held(tests: list[dict[str, Any]]) -> dict[str, int]:
    """Of measured numbers: how many were predicted, in their range, and refused."""
    measured = [test for test in tests if test["data"] == "measured"]
    points = [point for test in measured for point in test["points"]]
    return {
        "n": len(points),
        "in_range": sum(p["low"] <= p["actual"] <= p["high"] for p in points),
        "refused": sum(test["refused"] for test in measured),
    }


def _read(path: Path) -> list[dict[str, Any]]:
    mend = "run 'make report'"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        what = "values are predicted, and there are no back-tests"
        raise user_error(what, path, mend=mend) from None
    except ValueError as error:
        raise user_error(f"not JSON: {error}", path, mend=mend) from None
    if data.get("schema") != _SCHEMA:
        raise user_error("back-tests of another version", path, mend=mend)
    return list(data["backtests"])


def _signed(share: float | None) -> str:
    return NONE if share is None else f"{share:+.1%}".replace("-", MINUS)


def _share(share: float | None, decimals: int = 0) -> str:
    return NONE if share is None else f"{share:.{decimals}%}"
