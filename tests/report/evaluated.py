"""A text with what its expressions print."""

from __future__ import annotations

from pathlib import Path

from analysis.report.language.evaluate import Vocabulary, evaluate
from analysis.report.language.printed import Printed
from analysis.report.text.reviewed import fill, mark


def evaluate_text(
    text: str, vocabulary: Vocabulary, path: Path
) -> tuple[str, tuple[Printed, ...]]:
    """The text with every expression replaced, and what each printed, in order."""
    marked = mark(text, path)
    printed = evaluate(marked.expressions, vocabulary, path)
    return fill(marked.text, [str(p.bound) for p in printed]), printed
