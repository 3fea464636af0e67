"""What the checks say of a text."""

from __future__ import annotations

from pathlib import Path

from analysis.errors import Issue, UserError
from analysis.report.text.refusals import check_tree
from analysis.report.text.reviewed import mark
from analysis.report.text.tree import Tree
from analysis.report.text.write import write
from tests.report.text.agreement import difference, pandoc_trees

PATH = Path("text.md")


def tree(text: str) -> Tree:
    return mark(text, PATH).tree


def check(text: str) -> list[Issue]:
    """The issues of a text, before Pandoc is asked."""
    try:
        return check_tree(tree(text), PATH)
    except UserError as error:
        return list(error.issues)


def differs(text: str) -> str:
    """What Pandoc sees otherwise in a text as it is written; empty where nothing."""
    marked = mark(text, PATH)
    return difference(marked.tree, pandoc_trees([write(marked.text)])[0])
