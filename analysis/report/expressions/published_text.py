"""What others published, as prose may print it: by its id in ``data/``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from analysis.declared.published import (
    ISSUES_FILE,
    PUBLISHED_FILE,
    Published,
    PublishedIssue,
    read_issues,
    read_published,
)
from analysis.facts.units import MINUS, format_unit
from analysis.report.expressions.lookup import one_of


@dataclass(frozen=True)
class PublishedText:
    """Published numbers and their inconsistencies; files are read when asked for."""

    numbers: Path = PUBLISHED_FILE
    issues: Path = ISSUES_FILE

    def published(self, id: str) -> str:
        """A number as it was published, with its sign and unit: ``−78%``."""
        row = self._rows[one_of("published number", id, self._rows)]
        if row.kind == "delta":
            sign = "+" if row.value > 0 else MINUS if row.value < 0 else ""
            return f"{sign}{abs(row.value):,.10g}%"
        unit = "×" if row.unit == "x" else format_unit(row.unit)
        return f"{row.value:,.10g} {unit}"

    def published_issue(self, id: str) -> str:
        """What is wrong with published numbers, in the words of the file."""
        return self._issues[one_of("published issue", id, self._issues)].text

    @cached_property
    def _rows(self) -> dict[str, Published]:
        return {row.id: row for row in read_published(self.numbers)}

    @cached_property
    def _issues(self) -> dict[str, PublishedIssue]:
        return {row.id: row for row in read_issues(self.issues)}
