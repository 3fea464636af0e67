"""Opening a part, looking at new words for it, and saving them.

A sentence of its author's own words is offered the claims that it may state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.errors import Fix, Issue, UserError
from analysis.facts.fact import Fact
from analysis.files.text_file import ends_as, read_text
from analysis.report.checks.check import TextChecks
from analysis.report.checks.claims import Checked
from analysis.report.checks.direction import DENIES, WORD, word_of
from analysis.report.checks.names import Mention
from analysis.report.desk.edit import (
    ConflictError,
    Edit,
    check_stays,
    edited,
    new_lines,
    part_of,
)
from analysis.report.desk.journal import Journal, JournalEntry, MeanwhileError
from analysis.report.desk.live import Live
from analysis.report.desk.parts import EditedPart, parts_of
from analysis.report.desk.people import Person
from analysis.report.desk.tokens import tokens_of
from analysis.report.finding import Finding
from analysis.report.text.texts import Text, own_texts

_OWN = "The author's own words: no data check them."
_TRIES = 3  # of a save whose file an editor or Git writes at the same time
_SHOWN = 3
_VERBS = {"comparable": "is comparable", "inconclusive": "is inconclusive"}


@dataclass
class Workbench:
    """The texts of one edition, as somebody edits them."""

    live: Live
    journal: Journal

    def open(self, name: str, number: int, hash: str = "") -> dict[str, Any]:
        """A part as it is edited; LookupError where there is none.

        The one that a hash stands for, wherever it is now; else that of the number.
        """
        text = self._text(self._now(), name)
        try:
            part = part_of(Edit(name, number, hash, ""), text)
        except ConflictError:
            part = parts_of(text)[number]
        return self.as_json(part, text)

    def as_json(self, part: EditedPart, text: Text) -> dict[str, Any]:
        """A part with its tokens, as JSON."""
        words, tokens = tokens_of(part, text)
        return {
            "text": part.text,
            "number": part.number,
            "hash": part.hash,
            "words": words,
            "source": part.source,
            "about": text.study or self.live.id,
            "tokens": [vars(token) for token in tokens],
        }

    def now(self, name: str, part: EditedPart | None) -> dict[str, Any] | None:
        """The part that somebody else saved meanwhile, as JSON."""
        return self.as_json(part, self._text(self._now(), name)) if part else None

    def look(self, edit: Edit) -> list[dict[str, Any]]:
        """What the checks say of an edit that nobody saved, as JSON."""
        text = self._text(self._now(), edit.text)
        part = part_of(edit, text)
        content = _content(text)
        lines = new_lines(content, part, edit)
        try:
            check_stays(edit, text)
            checked = self._tried(text, edited(content, part, edit))
            found = self._findings(checked)
            checks = self.live.maker.checks_of(checked.material)
            offered = [
                {
                    "severity": "own",
                    "here": True,
                    "what": _OWN,
                    "mend": "",
                    "fixes": own,
                }
                for line, fixes in offered_claims(checks, checked.texts[text.name])
                if line in lines
                for own in [[vars(fix) for fix in fixes]]
            ]
        except UserError as error:
            found = [Finding("error", "text", issue) for issue in error.issues]
            offered = []
        return [*_told(found, text.path, lines), *offered]

    def save(self, edit: Edit, by: Person) -> str:
        """Render with the new words, then save and commit; returns the commit.

        Where somebody wrote the file meanwhile, the words go into what it holds now; a
        :class:`analysis.report.desk.edit.ConflictError` where their part is another.
        """
        for _ in range(_TRIES):
            with suppress(MeanwhileError):
                return self._save(edit, by)
        return self._save(edit, by)

    def _save(self, edit: Edit, by: Person) -> str:
        with self.live.lock:
            self.live.refresh()
            text = self._text(self._now(), edit.text)
            part = part_of(edit, text)
            check_stays(edit, text)
            before = _content(text)
            after = edited(before, part, edit)
            if after == before:
                return ""
            page = self.live.render({edit.text: after})
            said = f"{edit.text}: edit ‘{part.start}’\n\nEdition: {self.live.id}"
            file = text.path.relative_to(self.journal.report).as_posix()
            held, new = ends_as(text.path, before), ends_as(text.path, after)
            own = (self.live.id, file, held, new)
            entry = JournalEntry(*own, by.name, by.email, said)
            return self.journal.save(entry, written=lambda: self.live.show(page))

    def _now(self) -> Checked:
        return self.live.maker.checked_texts()

    def _text(self, checked: Checked, name: str) -> Text:
        return own_texts(checked.texts, checked.material.edition)[name]

    def _tried(self, text: Text, content: str) -> Checked:
        return self.live.maker.checked_texts({text.name: content})

    def _findings(self, checked: Checked) -> list[Finding]:
        issues = checked.false_claims()
        found = [Finding("error", "text", issue) for issue in issues]
        return [*found, *self.live.maker.findings(checked, saved=False)]


def _content(text: Text) -> str:
    return read_text(text.path)


def _told(
    found: Sequence[Finding], path: Path, lines: range
) -> Iterator[dict[str, Any]]:
    """What is said of the words themselves, and all that would stop a build."""
    for one in found:
        where = one.issue.where
        own = where is not None and where.file == str(path)
        line = (where.line or 0) if where and own else 0
        here = own and line in lines
        if here or (one.check == "text" and one.severity == "error"):
            told = in_words(one.issue, str(path))
            yield {"severity": one.severity, "here": here, **told}


def in_words(issue: Issue, at: str) -> dict[str, Any]:
    """An issue as JSON, with its place where that is not in the file ``at``."""
    own = issue.where is None or issue.where.file.endswith(at)
    what = issue.what if own else f"{issue.where}: {issue.what}"
    # What prints just the words that were typed, signs included, comes first.
    ordered = sorted(issue.fixes, key=lambda fix: fix.shows != fix.typed)
    fixes = [vars(fix) for fix in ordered]
    return {"what": what, "mend": issue.mend, "fixes": fixes}


def offered_claims(
    checks: TextChecks, text: Text
) -> Iterator[tuple[int, tuple[Fix, ...]]]:
    """The claims for sentences of a text of a study, by their line."""
    for sentence in text.sentences if text.study else ():
        span = sentence.passage.source(sentence.span)
        if text.study and span and sentence.kind in ("own words", "headline"):
            source = text.marked.text[span.start : span.end].rstrip()
            mentions = checks.names(text.study).mentions(sentence.words)
            facts = checks.facts[text.study]
            if fixes := claim_fixes(sentence.words, source, mentions, facts):
                yield sentence.passage.line(sentence.span.start), fixes


def claim_fixes(
    words: str, source: str, mentions: Sequence[Mention], facts: Iterable[Fact]
) -> tuple[Fix, ...]:
    """The claims that say what ``words`` name and no fact contradicts.

    ``source`` is the sentence as it is written, ``facts`` those of its study.
    """
    names = {
        dimension: [m.names for m in mentions if m.dimension == dimension]
        for dimension in ("metric", "workload", "role")
    }
    if not names["metric"] or not names["workload"] or DENIES.search(words):
        return ()
    changes = [
        fact
        for fact in facts
        if fact.kind == "delta"
        and fact.verdict
        and all(
            any(str(getattr(fact, part)) in named for named in own)
            for part, own in names.items()
            if own
        )
    ]
    senses = [word_of(found) for found in WORD.finditer(words)]
    told = {word.of(fact) * _sign(fact) for word in senses for fact in changes}
    if len(changes) > _SHOWN or told - {1}:
        return ()
    tests = len({fact.configuration for fact in changes}) > 1
    claims = dict.fromkeys(_claim(fact, tests) for fact in changes)
    return tuple(Fix("claim", claim, typed=source) for claim in claims)


def _sign(fact: Fact) -> int:
    """Which way a change goes beyond noise; 0 where it goes none."""
    sure = fact.verdict in ("improved", "regressed")
    return 0 if not sure else 1 if fact.value > 0 else -1


def _claim(fact: Fact, several: bool) -> str:
    names = [*([fact.role] if fact.role else []), *([fact.configuration] * several)]
    subject = "".join(f" of {name}" for name in names)
    verb = {1: "rises", -1: "falls", 0: _VERBS.get(fact.verdict or "", "")}[_sign(fact)]
    if fact.predicted and _sign(fact):
        verb = f"is predicted to {verb.removesuffix('s')}"
    return f"{fact.metric}{subject} {verb} for {fact.workload}"
