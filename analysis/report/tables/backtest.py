"""The back-test appendix: how far the models were from numbers that were published."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from analysis.errors import user_error
from analysis.facts.fact import Facts
from analysis.facts.units import MINUS
from analysis.report.material import Material
from analysis.report.table import NONE, Column, escape, table

_SCHEMA = 1
_COLUMNS: list[Column[dict[str, Any]]] = [
    Column("Model", 20, lambda test: escape(test["model"])),
    Column("Task", 44, lambda test: escape(test["question"])),
    Column("n", 5, lambda test: str(test["n"]), number=True),
    Column("Mean error", 11, lambda test: f"{test['mean_error']:.1%}", number=True),
    Column("Worst error", 11, lambda test: _signed(test["worst_error"]), number=True),
    Column("Bias", 9, lambda test: _signed(test["bias"]), number=True),
    Column("In range", 10, lambda test: _within(test["coverage"]), number=True),
]


def backtest(material: Material) -> dict[str, Any] | None:
    """What the appendix prints; None where nothing in the edition is predicted.

    A :class:`UserError` where values are predicted and the file of back-tests is
    missing or another version.
    """
    rungs = _rungs(material.facts)
    if not rungs:
        return None
    caption = "Back-tests: predictions compared with published numbers."
    return {
        "predicted": sum(fact.estimate is not None for fact in material.facts.facts),
        "rungs": rungs,
        "table": table(_COLUMNS, _read(material.backtest), caption, "backtests"),
    }


def _rungs(facts: Facts) -> list[str]:
    """``generation (generation transfer)``: what the edition's estimates use.

    A model with the name of its rung is named once.
    """
    used = {(f.estimate.rung, f.estimate.model) for f in facts.facts if f.estimate}
    return [r if m == r else f"{r} ({m})" for r, m in sorted(used)]


def _read(path: Path) -> list[dict[str, Any]]:
    mend = "run 'python -m analysis backtest'"
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


def _signed(share: float) -> str:
    return f"{share:+.1%}".replace("-", MINUS)


def _within(coverage: float | None) -> str:
    return NONE if coverage is None else f"{coverage:.0%}"
