"""Cells of facts: values bound to their facts, glyphs of verdicts, intervals, notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from analysis.facts.fact import RUNGS, Estimate, Fact
from analysis.facts.remark import Remark
from analysis.facts.sentences import detectable_range
from analysis.report.bound import Bound, bound, number, without_unit
from analysis.report.study_facts import StudyFacts
from analysis.report.table import NONE, Cell, Column, Notes, Row

GLYPHS = {"improved": "✓", "regressed": "!", "comparable": "≈", "inconclusive": "?"}
PREDICTED = "◊"
ARROW = "\u2192"
_LEAST_ERROR = 0.1  # what is smaller says no more than that


class Sides(NamedTuple):
    """The two values that a change is made from, of the baseline and of the test."""

    before: Fact
    after: Fact

    @property
    def printed(self) -> str:
        """``204 → 126 µs``."""
        before, after = self.before.printed, self.after.printed
        return f"{without_unit(before, after).rstrip()} {ARROW} {after}"


def sides(change: Fact, facts: Mapping[str, Fact]) -> Sides | None:
    """The sides of a change, from facts by key; None where one is not among them."""
    stem = change.key.removesuffix(f"{change.configuration}.delta")
    before = facts.get(f"{stem}{change.baseline}")
    after = facts.get(f"{stem}{change.configuration}")
    return Sides(before, after) if before and after else None


def pair(change: Fact, study: StudyFacts) -> str:
    """The values that a change is between, ``105 → 44 µs``; empty without them."""
    both = sides(change, {fact.key: fact for fact in study.facts.facts})
    return both.printed if both else ""


def fact_columns(
    heads: Mapping[str, str],
    facts: Mapping[tuple[Row, str], Fact],
    cell: Callable[[Fact], Cell],
    width: int,
) -> list[Column[Row]]:
    """A column for each of ``heads``, by its id: of a row the cell of its fact, or a
    dash."""

    def of(id: str) -> Callable[[Row], Cell]:
        return lambda row: cell(facts[row, id]) if (row, id) in facts else NONE

    return [Column(head, width, of(id), number=True) for id, head in heads.items()]


def fact_cell(fact: Fact, notes: Notes) -> Bound:
    """What a fact prints, bound to it, with the marks of its notes."""
    return bound(number(fact), notes.mark(fact_notes(fact)))


def glyph_cell(fact: Fact) -> str:
    """The glyph of the verdict alone, or of a prediction."""
    if fact.estimate is not None:
        return f"[{PREDICTED}]{{.verdict .predicted}}"
    if fact.verdict is None or fact.better == "none":
        return ""
    return f"[{GLYPHS[fact.verdict]}]{{.verdict .{fact.verdict}}}"


def legend(facts: Iterable[Fact]) -> str:
    """What the glyphs of some facts stand for: ``✓ improved, ! regressed``; of what is
    inconclusive from which size on it would have shown."""
    listed = list(facts)
    cells = {glyph_cell(fact) for fact in listed}
    words = {word: word for word in GLYPHS} | {"predicted": "predicted"}
    open_ones = [fact for fact in listed if fact.verdict == "inconclusive"]
    if size := detectable_range(open_ones):
        words["inconclusive"] += f" (a change shows from {size} on)"
    glyphs = {**GLYPHS, "predicted": PREDICTED}
    return ", ".join(
        f"{glyph}\u00a0{words[word]}"
        for word, glyph in glyphs.items()
        if any(cell.startswith(f"[{glyph}]") for cell in cells)
    )


def legend_sentence(facts: Iterable[Fact]) -> str:
    """The same as the end of a caption; empty without glyphs."""
    words = legend(facts)
    return f" {words}." if words else ""


def fact_notes(fact: Fact) -> list[str]:
    """The warnings of a fact in plain words, and of an estimate what it rests on."""
    if fact.estimate is None:
        return short_notes(fact.warnings)
    others = short_notes(w for w in fact.warnings if w.kind != "predicted")
    return [*others, estimate_note(fact.estimate)]


def short_notes(warnings: Iterable[Remark]) -> list[str]:
    """Warnings in plain words, without their numbers, each once."""
    return list(dict.fromkeys(warning.note for warning in warnings))


def estimate_note(estimate: Estimate) -> str:
    """How a value was predicted: reason, model, rung, back-test."""
    rung = RUNGS.index(estimate.rung) + 1
    return _joined(
        f"Predicted, {estimate.reason}",
        f"model {estimate.model} {estimate.version}, rung {rung} ({estimate.rung})",
        estimate=estimate,
    )


def range_note(estimate: Estimate) -> str:
    """By which model a value was predicted, and how wrong that is elsewhere."""
    note = _joined(f"{estimate.model}, {estimate.reason}", estimate=estimate)
    return note[:1].upper() + note[1:]


def _joined(*parts: str, estimate: Estimate) -> str:
    every = (*parts, backtest_text(estimate), *estimate.notes)
    return "; ".join(part.rstrip(".") for part in every)


def backtest_text(estimate: Estimate) -> str:
    """``mean back-test error 8.1% (n = 12)``, or that there is none."""
    error = estimate.backtest_error
    if error is None:
        return "no back-test"
    kinds = {
        "left out": "error of loads left out",
        "measured": "error of measured loads elsewhere",
        "published": "error on published numbers",
    }
    size = f"{error:.2g}%" if error >= _LEAST_ERROR else f"under {_LEAST_ERROR}%"
    return f"mean {kinds[estimate.backtest_of]} {size} (n = {estimate.backtest_n})"
