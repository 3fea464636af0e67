"""Opening a part, looking at new words for it, and saving them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any

from pydantic import Field
from pydantic.dataclasses import dataclass

from analysis.errors import Issue, UserError, user_error
from analysis.files.limits import PART_CHARACTERS
from analysis.files.text_file import ends_as, read_text
from analysis.report.checks.claims import Checked
from analysis.report.desk.changes import EXPRESSION
from analysis.report.desk.claims import offered_claims
from analysis.report.desk.desk import Live
from analysis.report.desk.merge import merge
from analysis.report.desk.parts import (
    EditedPart,
    declared_words,
    likest_part,
    parts_in,
    parts_of,
    rewritten,
    with_expressions,
    with_words,
)
from analysis.report.desk.people import Person
from analysis.report.desk.store import MeanwhileError, Save
from analysis.report.desk.values import facts_words
from analysis.report.finding import Finding
from analysis.report.text.texts import Text

_OWN_WORDS = {
    "severity": "own",
    "here": True,
    "what": "The author's own words: no data check them.",
    "mend": "",
}
_MANY = 500  # values of one part
_TRIES = 3  # of a save whose file an editor or Git writes at the same time


@dataclass(frozen=True)
class Edit:
    """New words for the part that had a number and a hash when it was opened.

    No words take a part away. ``tokens`` are the expressions by their tokens, and
    ``base`` are the words that it was opened with, where they are known.
    """

    text: str
    number: int
    hash: str
    words: str
    tokens: Annotated[dict[str, str], Field(max_length=_MANY)] = Field(
        default_factory=dict
    )
    base: str = ""

    @property
    def markdown(self) -> str:
        """The words with the expression of each token in its place.

        A :class:`analysis.errors.UserError` where they are more than is checked.
        """
        if len(self.words) > PART_CHARACTERS:
            what = f"one part of {len(self.words):,} characters; at most "
            what += f"{PART_CHARACTERS:,} are taken (PART_CHARACTERS)"
            raise user_error(what, mend="part it")
        return with_expressions(self.words, self.tokens)

    @property
    def line(self) -> str:
        """The words on one line."""
        return " ".join(self.words.split())

    @property
    def before(self) -> str:
        """The words that it was opened with, as :attr:`markdown`."""
        return with_expressions(self.base, self.tokens)


class ConflictError(Exception):
    """Somebody else changed a part meanwhile; ``now`` is None where it is gone.

    ``edit`` is what was refused by that.
    """

    def __init__(self, now: EditedPart | None = None, edit: Edit | None = None) -> None:
        self.now, self.edit = now, edit

    def as_json(self, live: Live) -> dict[str, Any]:
        """The part as it is ``now``, and both texts as one (``merged``), or None.

        ``merged`` has the ``words`` with their ``tokens``, and ``clashes``: sentences
        that both changed, of which the words have ``mine`` and not ``theirs``.
        """
        if self.now is None:
            return {"now": None, "merged": None}
        return {"now": as_json(self.now, live), "merged": self._merged(self.now)}

    def _merged(self, now: EditedPart) -> dict[str, Any] | None:
        edit = self.edit
        if edit is None or not edit.base or now.entry:
            return None
        tokens = {one.token: one.expression for one in now.edited[1]}
        for token, expression in edit.tokens.items():
            free, count = token, 2
            while tokens.get(free, expression) != expression:
                free, count = f"{token[:-1]}, {count}}}", count + 1
            if expression not in tokens.values():
                tokens[free] = expression
        try:
            both = merge(edit.before, now.source, edit.markdown)
        except UserError:
            return None
        return {
            "words": _with_tokens(both.words, tokens),
            "tokens": tokens,
            "clashes": [
                {name: _with_tokens(side, tokens) for name, side in vars(one).items()}
                for one in both.clashes
            ],
        }


def part_of(edit: Edit, parts: list[EditedPart]) -> EditedPart:
    """The part that is meant, wherever it is now, or a :class:`ConflictError`."""
    there = parts[edit.number] if 0 <= edit.number < len(parts) else None
    if there and there.hash == edit.hash:
        return there
    same = [one for one in parts if one.hash == edit.hash]
    if len(same) != 1:
        raise ConflictError(there if not edit.base else _likest(edit, parts), edit)
    return same[0]


def _likest(edit: Edit, parts: list[EditedPart]) -> EditedPart | None:
    """The part that is most like what one began with; None where it is gone."""
    try:
        words = edit.before.split()
    except UserError:
        return None
    likest = likest_part(words, parts)
    there = parts[edit.number] if 0 <= edit.number < len(parts) else None
    return likest or (there if len(parts) == 1 else None)


def _with_tokens(words: str, tokens: Mapping[str, str]) -> str:
    """Markdown with the token of each expression in its place, where it has one."""
    known = {expression.strip(): token for token, expression in tokens.items()}
    return EXPRESSION.sub(lambda call: known.get(call[1].strip(), call[0]), words)


def open_part(live: Live, name: str, number: int, hash: str = "") -> dict[str, Any]:
    """A part as it is edited, as JSON; LookupError where there is none.

    The one that a hash stands for, wherever it is now; else that of the number.
    """
    parts = parts_in(live.checked, name)
    try:
        part = part_of(Edit(name, number, hash, ""), parts)
    except ConflictError as error:
        if error.now is None:
            raise LookupError(name) from None
        part = error.now
    return as_json(part, live)


def as_json(part: EditedPart, live: Live) -> dict[str, Any]:
    """A part with its tokens, as JSON."""
    words, tokens = part.edited
    study = part.read.study if part.read else None
    declared = part.read.source.claims if part.read else ()
    material = live.checked.material
    return {
        "text": part.text,
        "number": part.number,
        "hash": part.hash,
        "words": words,
        "source": part.source,
        "entry": part.entry,
        "at": part.at,
        "about": study or live.id,
        "declared": [claim for _, claim in declared],
        "tokens": [
            {
                "token": one.token,
                "expression": one.expression,
                "printed": one.printed,
                "about": facts_words(one.facts, material),
                "keys": [fact.key for fact in one.facts],
            }
            for one in tokens
        ],
    }


def declared(live: Live) -> list[dict[str, Any]]:
    """All declared words that may be changed, as JSON."""
    material = live.checked.material
    words = declared_words(material.folder, material.edition)
    return [as_json(one, live) for one in words]


def look(live: Live, edit: Edit) -> dict[str, Any]:
    """What the checks say of an edit that nobody saved, as JSON: its ``findings``."""
    text = live.text(edit.text)
    part = part_of(edit, parts_of(text))
    words = edit.markdown
    content, lines = with_words(read_text(text.path), part, words)
    offered: list[dict[str, Any]] = []
    try:
        _check_left(words, text)
        checked = live.maker.checked_texts({text.name: content})
        issues = checked.false_claims()
        findings = [Finding("error", "text", issue) for issue in issues]
        findings += live.maker.findings(checked, saved=False)
        checks = live.maker.checks_of(checked.material)
        for line, fixes in offered_claims(checks, checked.texts[text.name]):
            if line in lines:
                offered.append(_OWN_WORDS | {"fixes": [vars(fix) for fix in fixes]})
    except UserError as error:
        findings = [Finding("error", "text", issue) for issue in error.issues]
    shown = _findings(findings, str(text.path), lines)
    return {"findings": [*shown, *offered]}


def save(live: Live, edit: Edit, by: Person) -> str:
    """Save words that a build takes, and commit them; returns the commit.

    Where somebody wrote the file meanwhile, the words go into what it holds now; a
    :class:`ConflictError` where their part is another.
    """
    before = live.stamps
    for _ in range(_TRIES - 1):
        with suppress(MeanwhileError):
            commit = _save(live, edit, by)
            live.look(by.email, before)
            return commit
    return _save(live, edit, by)


def _save(live: Live, edit: Edit, by: Person) -> str:
    with live.lock:
        live.refresh()
        part, before, after = tried(live, edit)
        if after == before:
            return ""
        _check_undone(live, edit.text)
        what = f"{edit.text}: edit ‘{part.start}’"
        if part.entry:
            what = f"{edit.text}: {part.entry} reads ‘{edit.line}’"
        return save_text(live, edit.text, before, after, by, what)


def save_text(
    live: Live, file: str, before: str, after: str, by: Person, what: str
) -> str:
    """Save a text or a declaration that a build takes; returns the commit."""
    with live.lock:
        entry = saving(live, file, before, after, by, what)
        if not file.endswith(".yaml"):
            _check_final(live, live.maker.checked_texts({file: after}))
            page = live.render({file: after})
            return live.journal.save(entry, lambda: live.show(page))
        live.open()
        known = _stopping(live, live.checked)
        try:
            return live.journal.save(entry, lambda: _show_declared(live, known))
        except Exception:
            live.refresh()  # the file may be what it was
            raise


def tried(live: Live, edit: Edit) -> tuple[EditedPart, str, str]:
    """The part that is meant, and what its file holds and shall hold.

    A :class:`analysis.errors.UserError` where a build would not take that.
    """
    checked = live.checked
    part = part_of(edit, parts_in(checked, edit.text))
    if part.entry:
        path = checked.material.folder / edit.text
        if not edit.line:
            raise user_error("words have to stand there", mend="write some")
        return part, read_text(path), rewritten(path, part.entry, edit.line)
    words, text = edit.markdown, live.text(edit.text)
    _check_left(words, text)
    before = read_text(text.path)
    return part, before, with_words(before, part, words)[0]


def saving(
    live: Live,
    file: str,
    before: str,
    after: str,
    by: Person,
    what: str,
    more: str = "",
) -> Save:
    """A save of a file of the edition, whose lines end as they did."""
    path = live.maker.sources.report / live.id / file
    if path.exists():
        before, after = (ends_as(path, content) for content in (before, after))
    message = f"{what}\n\nEdition: {live.id}{more}"
    return Save(live.id, f"{live.id}/{file}", before, after, by.name, by.email, message)


def _show_declared(live: Live, known: list[Issue]) -> None:
    """Show a declaration as it is written, if a page can be made of it."""
    live.forget()
    if live.stage.problem:
        raise user_error(live.stage.problem.removeprefix("error: "))
    _check_final(live, live.checked, known)


def _check_undone(live: Live, file: str) -> None:
    """Who saves over what Git took off the page hears of it first, and may again."""
    if live.undone:
        live.see_undone()
    if f"{live.id}/{file}" in live.undone:
        what = live.undoing
        live.undone = []
        raise user_error(what, mend="or save again, to go on without it")


def _check_final(
    live: Live, checked: Checked, known: list[Issue] | None = None
) -> None:
    """A final edition takes nothing that its build would not: an error says what.

    What stood there before, as ``known`` or by the files, keeps no one from mending.
    """
    if now := _stopping(live, checked):
        known = _stopping(live, live.checked) if known is None else known
        left = Counter(issue.what for issue in known)
        left.subtract(issue.what for issue in now)
        if new := [issue for issue in now if left[issue.what] < 0]:
            what = "this is not saved: no build of a final edition would take it"
            mend = "mend what follows, or suggest it; here it is kept as your draft"
            raise UserError([*user_error(what, mend=mend).issues, *new])


def _stopping(live: Live, checked: Checked) -> list[Issue]:
    """What stops a build of a final edition, wherever it stands; nothing of a draft."""
    if checked.material.edition.status != "final":
        return []
    every = live.maker.findings(checked, saved=False)
    stops = (finding.issue for finding in every if finding.stops(final=True))
    return [*checked.false_claims(), *stops]


def _check_left(words: str, text: Text) -> None:
    """No page would have a place to write a text again of which nothing is left."""
    if not words.strip() and len(parts_of(text)) == 1:
        what = "these are the last words of this text, and it cannot be empty"
        raise user_error(what, mend="write what shall stand there instead")


def _findings(
    findings: Sequence[Finding], path: str, lines: range
) -> Iterator[dict[str, Any]]:
    """What is said of the words themselves, and all that would stop a build."""
    for one in findings:
        where = one.issue.where
        line = (where.line or 0) if where and where.file == path else 0
        here = line in lines
        if here or (one.check == "text" and one.severity == "error"):
            words = in_words(one.issue, path)
            yield {"severity": one.severity, "here": here, **words}


def in_words(issue: Issue, at: str) -> dict[str, Any]:
    """An issue as JSON, with its place where that is not in the file ``at``."""
    here = issue.where is None or issue.where.file.endswith(at)
    what = issue.what if here else f"{issue.where}: {issue.what}"
    # What prints just the words that were typed, signs included, comes first.
    fixes = sorted(issue.fixes, key=lambda fix: fix.shows != fix.typed)
    return {"what": what, "mend": issue.mend, "fixes": [vars(fix) for fix in fixes]}
