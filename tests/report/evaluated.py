"""A text with what its expressions print."""

from __future__ import annotations

from pathlib import Path

from analysis.report.language.functions import Functions, evaluate
from analysis.report.language.printed import Printed
from analysis.report.text.reviewed import fill, mark


def evaluate_text(
    text: str, functions: Functions, path: Path
) -> tuple[str, tuple[Printed, ...]]:
    """The text with every expression replaced, and what each printed, in order."""
    marked = mark(text, path)
    printed = evaluate(marked.expressions, functions, path)
    return fill(marked.text, [str(p.bound) for p in printed]), printed
