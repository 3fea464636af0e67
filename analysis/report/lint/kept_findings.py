"""The findings on an edition's words, kept for texts that stay the same.

Who edits a text in a preview waits for the checks of that text alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from analysis.errors import Issue
from analysis.report.checks.check import TextChecks
from analysis.report.checks.finding import Finding
from analysis.report.claims.checked import Checked
from analysis.report.lint.scaffold import unwritten_declarations, unwritten_text
from analysis.report.lint.situations import check_situations
from analysis.report.material import Material
from analysis.report.text.texts import Text, own_texts


@dataclass
class KeptFindings:
    """The findings of the last time, by text, and the material that they rest on."""

    _checks: TextChecks | None = None
    _found: dict[str, tuple[Text, list[Finding]]] = field(default_factory=dict)

    def beside(self) -> KeptFindings:
        """Another one that knows the same, for texts that nobody saved."""
        return KeptFindings(self._checks, {**self._found})

    def lint(self, checked: Checked) -> list[Finding]:
        """The findings on wording, text by text, then of all that is declared."""
        if self._checks is None or self._checks.material is not checked.material:
            self._checks, self._found = TextChecks(checked.material), {}
        texts = own_texts(checked.texts, checked.material.edition)
        found = [one for text in texts.values() for one in self._of(text, self._checks)]
        return [*found, *_of_declarations(checked.material)]

    def _of(self, text: Text, checks: TextChecks) -> list[Finding]:
        before, found = self._found.get(text.name, (None, []))
        if before is not text:
            waiting = unwritten_text(text, checks.material.templates)
            found = [*_held(waiting), *checks.of_text(text)]
            self._found[text.name] = text, found
        return found


def _of_declarations(material: Material) -> Iterator[Finding]:
    yield from _held(unwritten_declarations(material))
    yield from material.once("situations", lambda: list(check_situations(material)))


def _held(issues: Iterable[Issue]) -> Iterator[Finding]:
    return (Finding("held", "lint", issue) for issue in issues)
