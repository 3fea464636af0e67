"""Cells of tables of facts: anchors, verdicts, intervals, notes."""

from __future__ import annotations

from collections.abc import Iterable

from analysis.facts.fact import RUNGS, Estimate, Fact
from analysis.facts.remark import Remark
from analysis.report.expressions.bound import span
from analysis.report.pipe_table import Notes

GLYPHS = {"improved": "✓", "regressed": "!", "comparable": "≈", "inconclusive": "?"}
PREDICTED = "◊"
_LEAST_ERROR = 0.1  # what is smaller says no more than that


def change_cell(fact: Fact, notes: Notes) -> str:
    """The change, bound to its fact, with the marks of its notes."""
    return span(fact.printed, fact) + notes.mark(fact_notes(fact))


def glyph_cell(fact: Fact) -> str:
    """The glyph of the verdict alone, or of a prediction."""
    if fact.estimate is not None:
        return f"[{PREDICTED}]{{.verdict .predicted}}"
    if fact.verdict is None or fact.better == "none":
        return ""
    return f"[{GLYPHS[fact.verdict]}]{{.verdict .{fact.verdict}}}"


def legend(facts: Iterable[Fact]) -> str:
    """What the glyphs of some facts stand for: ``✓ improved, ! regressed, …``."""
    cells = {glyph_cell(fact) for fact in facts}
    glyphs = {**GLYPHS, "predicted": PREDICTED}
    return ", ".join(
        f"{glyph}\u00a0{word}"
        for word, glyph in glyphs.items()
        if any(cell.startswith(f"[{glyph}]") for cell in cells)
    )


def fact_notes(fact: Fact) -> list[str]:
    """The warnings of a fact in plain words, and of an estimate what it rests on."""
    if fact.estimate is None:
        return short_notes(fact.warnings)
    told = short_notes(w for w in fact.warnings if w.kind != "predicted")
    return [*told, estimate_note(fact.estimate)]


def short_notes(warnings: Iterable[Remark]) -> list[str]:
    """Warnings in plain words, without their numbers, each once."""
    return list(dict.fromkeys(warning.note for warning in warnings))


def estimate_note(estimate: Estimate) -> str:
    """How a value was predicted: reason, model, rung, back-test."""
    parts = [
        f"Predicted, {estimate.reason.rstrip('.')}",
        f"model {estimate.model} {estimate.version}, rung {rung_number(estimate)} "
        f"({estimate.rung})",
        backtest_text(estimate),
        *(f"outside of its range: {what}" for what in estimate.outside),
        *estimate.notes,
    ]
    return "; ".join(part.rstrip(".") for part in parts)


def backtest_text(estimate: Estimate) -> str:
    """``mean back-test error 8.1% (n = 12)``, or that there is none."""
    if estimate.backtest_error is None:
        return "no back-test"
    of = {"left out": "error of points left out", "published": "back-test error"}
    return f"mean {of[estimate.backtest_of]} {error_text(estimate)}"


def error_text(estimate: Estimate) -> str:
    """``8.1% (n = 12)``; empty without a back-test."""
    error = estimate.backtest_error
    if error is None:
        return ""
    told = f"{error:.2g}%" if error >= _LEAST_ERROR else f"under {_LEAST_ERROR}%"
    return f"{told} (n = {estimate.backtest_n})"


def rung_number(estimate: Estimate) -> int:
    """The rung of the ladder, from 1."""
    return RUNGS.index(estimate.rung) + 1
