"""What the checks find in the words of an edition, kept for texts that stay the same.

Who edits a text in a preview waits for the checks of that text alone. What is said of a
text depends on it, on the claims of its study (or of all, where it belongs to none) and
on the material; what is said of declarations, on those that are printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from analysis.errors import Issue
from analysis.report.claims.checked import Checked
from analysis.report.lint.exceptions import check_allowed
from analysis.report.lint.finding import Finding
from analysis.report.lint.findings_file import FindingsFile, key_of
from analysis.report.lint.known import DeclaredNumbers, known_in
from analysis.report.lint.letters import check_letters
from analysis.report.lint.mends import Mender
from analysis.report.lint.numbers import check_numbers
from analysis.report.lint.origins import check_origins
from analysis.report.lint.page_texts import PageText, declared_texts, texts_of
from analysis.report.lint.placed import check_placed
from analysis.report.lint.reasons import check_reasons
from analysis.report.lint.scaffold import (
    unwritten_declarations,
    unwritten_lines,
    unwritten_text,
)
from analysis.report.lint.situations import check_situations
from analysis.report.lint.words.edition_wording import EditionWording
from analysis.report.lint.words.findings import (
    check_entries,
    check_told,
    check_wording,
)
from analysis.report.material import Material
from analysis.report.text.bibliography import bibliography_keys
from analysis.report.text.texts import Text, own_texts

Said = TypeVar("Said")
_Found = dict[str, tuple[object, list[str], list[Finding]]]
_DECLARED = ""  # what is kept of no text


@dataclass
class KeptFindings:
    """The findings of the last time, by text, with what they depended on.

    A ``file`` keeps them longer than this object.
    """

    file: FindingsFile | None = None
    _known: Mapping[str, list[Finding]] = field(default_factory=dict)
    _last: tuple[Material | None, _Found] = field(default_factory=lambda: (None, {}))

    def beside(self) -> KeptFindings:
        """Another one that knows the same, for texts that nobody saved."""
        material, found = self._last
        return KeptFindings(self.file, self._known, (material, {**found}))

    def lint(self, checked: Checked) -> list[Finding]:
        """The findings on wording, text by text, then of all that is declared."""
        if self._last[0] is not checked.material:
            self._last = checked.material, {}
            self._known = self.file.read() if self.file else {}
        checks, keys = _Checks(checked), dict[str, str]()
        found: list[Finding] = []
        own = checked.material.edition
        for name, text in own_texts(checked.texts, own).items():
            claims = _claims(checked, text.study)
            keys[name] = key_of(name, text.source, claims)
            found += self._of(name, text, claims, checks.of_text, keys[name])
        entries, claims = list(declared_texts(checked)), _claims(checked, None)
        keys[_DECLARED] = key_of(_DECLARED, claims)
        found += self._of(
            _DECLARED, entries, claims, checks.of_entries, keys[_DECLARED]
        )
        if self.file and not self._known.keys() >= set(keys.values()):
            self._known = {keys[name]: self._last[1][name][2] for name in keys}
            self.file.write(self._known)
        return [*found, *checks.of_all()]

    def _of(
        self,
        name: str,
        said: Said,
        claims: list[str],
        check: Callable[[Said], list[Finding]],
        key: str,
    ) -> list[Finding]:
        """What a check finds, or found if all that it depends on is the same."""
        _, found = self._last
        if name not in found or found[name][:2] != (said, claims):
            known = self._known.get(key)
            found[name] = said, claims, check(said) if known is None else known
        return found[name][2]


def _claims(checked: Checked, study: str | None) -> list[str]:
    """The claims that stand behind the words of a study's texts, or of all others."""
    studies = [study] if study else checked.outcomes
    return [outcome.claim.text for id in studies for outcome in checked.outcomes[id]]


class _Checks:
    """All checks of an edition's words, with what they know of it."""

    def __init__(self, checked: Checked) -> None:
        material = checked.material
        self.material, self.wording = material, EditionWording(checked)
        self.known: DeclaredNumbers = material.once(
            "numbers", lambda: known_in(material)
        )
        self.mender = material.once("mends", lambda: Mender(material))
        references = material.folder / material.edition.references
        self.keys = bibliography_keys(references)

    def of_text(self, text: Text) -> list[Finding]:
        """The findings on a text."""
        templates = self.material.templates
        waiting = unwritten_lines(text, templates)
        found = [
            *self._passages(list(texts_of(text))),
            *check_allowed(text, self.keys),
            *check_wording(text, self.wording),
        ]
        return [
            *_held(unwritten_text(text, templates)),
            *(one for one in found if not _is_of(one, waiting)),
        ]

    def of_entries(self, entries: list[PageText]) -> list[Finding]:
        """The findings on what is declared and printed."""
        return [*self._passages(entries), *check_entries(entries, self.wording)]

    def of_all(self) -> Iterator[Finding]:
        """What no text and no entry tells alone."""
        yield from _held(unwritten_declarations(self.material))
        yield from check_told(self.wording)
        yield from self.material.once("situations", self._situations)

    def _situations(self) -> list[Finding]:
        return list(check_situations(self.material))

    def _passages(self, said: list[PageText]) -> Iterator[Finding]:
        yield from check_numbers(said, self.known, self.mender)
        yield from check_placed(said, self.material)
        yield from check_origins(said, self.material)
        yield from check_reasons(said, self.material)
        yield from (told for passage in said for told in check_letters(passage))


def _is_of(found: Finding, lines: frozenset[int]) -> bool:
    """Whether a finding, held as those lines are, is of one of them."""
    where = found.issue.where
    return found.severity == "held" and where is not None and where.line in lines


def _held(issues: Iterable[Issue]) -> Iterator[Finding]:
    return (Finding("held", "lint", issue) for issue in issues)
