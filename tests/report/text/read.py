"""What the checks say of a text."""

from __future__ import annotations

from pathlib import Path

from analysis.errors import Issue, UserError
from analysis.report.text.agreement import check_agreement, pandoc_trees
from analysis.report.text.marked import Marked, mark
from analysis.report.text.refusals import check_tree
from analysis.report.text.tree import Tree

PATH = Path("text.md")


def tree(text: str) -> Tree:
    return mark(text, PATH).tree


def check(text: str) -> list[Issue]:
    """The issues of a text, before Pandoc is asked."""
    try:
        return check_tree(tree(text), PATH)
    except UserError as error:
        return list(error.issues)


def agree(text: str) -> list[Issue]:
    """The issue of a text that Pandoc reads in another way."""
    marked: Marked = mark(text, PATH)
    return check_agreement(marked, pandoc_trees([marked.text])[0], PATH)
