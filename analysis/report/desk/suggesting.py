"""Suggestions at the desk: made at a part, shown there, accepted or declined."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.errors import raise_if, user_error
from analysis.files.text_file import read_text
from analysis.report.checks.claims import Checked
from analysis.report.desk.changed import Piece, pieces
from analysis.report.desk.commenting import now, study_of
from analysis.report.desk.declared_words import rewritten
from analysis.report.desk.declaring import Declaring, declare, stands
from analysis.report.desk.edit import ConflictError, Edit, check_stays, edited, part_of
from analysis.report.desk.journal import JournalEntry
from analysis.report.desk.parts import EditedPart, parts_of
from analysis.report.desk.people import Person
from analysis.report.desk.places import anchors_of
from analysis.report.desk.readable import readable
from analysis.report.desk.saving import Workbench
from analysis.report.desk.tokens import tokens_of
from analysis.report.review.remarks import (
    SUGGESTIONS,
    Suggestion,
    Suggestions,
    new_id,
    read_suggestions,
    suggestions_text,
)
from analysis.report.review.state import MATTER, folder_of
from analysis.report.text.texts import Text, own_texts

_EXPRESSION = re.compile(r"\{\{\s*(.+?)\s*\}\}")


@dataclass(frozen=True)
class SuggestionRow:
    """A suggestion in a list; ``number`` is its part's, None where it is stale.

    ``pieces`` are the words that stay, go and come, values as what they print.
    """

    about: str
    title: str
    anchor: str
    suggestion: Suggestion
    number: int | None
    pieces: list[Piece]

    @property
    def as_json(self) -> dict[str, Any]:
        """As JSON."""
        one = self.suggestion
        return {"about": self.about, "id": one.id, "by": one.by, "text": one.text,
                "number": self.number, "pieces": self.pieces}  # fmt: skip

    @property
    def stale(self) -> bool:
        """Whether its part says something else now, so that nobody can accept it."""
        return self.number is None


@dataclass(frozen=True)
class Decision:
    """What becomes of the suggestion with an id, of a study or of the edition."""

    about: str
    id: str
    accept: bool


def suggestion_rows(checked: Checked, edition: str) -> Iterator[SuggestionRow]:
    """The open suggestions of an edition, study by study, then those of its matter."""
    texts = own_texts(checked.texts, checked.material.edition)
    for study in (*checked.material.edition.own_studies, None):
        title = checked.material.studies[study].title if study else MATTER
        anchor = f"#sec-{study}" if study else "#text"
        for one in read_suggestions(folder_of(checked.material, study)).suggestions:
            if one.state == "open":
                number, at, shown = _standing(one, checked, texts.get(one.text))
                own = (study or edition, title, at or anchor)
                yield SuggestionRow(*own, one, number, shown)


def suggest(bench: Workbench, edit: Edit, by: Person) -> None:
    """Keep a suggestion; what no build would take is refused as a save would be."""
    with bench.live.lock:
        checked = bench.live.maker.checked_texts()
        text = own_texts(checked.texts, checked.material.edition)[edit.text]
        part = part_of(edit, text)
        check_stays(edit, text)
        before = read_text(text.path)
        after = edited(before, part, edit)
        if after == before:
            raise user_error("nothing is changed", mend="edit the words, then suggest")
        tried = bench.live.maker.checked_texts({edit.text: after})
        raise_if(tried.false_claims())
        made = Suggestion(
            id=new_id(), by=by.name, email=by.email, at=now(), text=edit.text,
            part=part.source, words=edit.words.replace("\r\n", "\n").strip("\n"),
        )  # fmt: skip
        folder = folder_of(checked.material, text.study)
        _keep(bench, folder, made, by, f"suggests other words for ‘{part.start}’")


def propose(bench: Workbench, told: Declaring, by: Person) -> None:
    """Keep a suggestion for words of a declaration; refused as saving them would be."""
    with bench.live.lock:
        path, words = stands(bench, told)
        if words == told.was:
            raise user_error("nothing is changed", mend="edit the words, then suggest")
        rewritten(path, told.entry, words)
        made = Suggestion(
            id=new_id(), by=by.name, email=by.email, at=now(), text=told.file,
            entry=told.entry, part=told.was, words=words,
        )  # fmt: skip
        what = f"suggests other words for ‘{told.was}’"
        _keep(bench, path.parent, made, by, what)


def decide(bench: Workbench, decision: Decision, by: Person) -> str:
    """Accept a suggestion, which saves it in its author's name, or decline it.

    Returns the commit. A LookupError where there is none; a
    :class:`analysis.report.desk.edit.ConflictError` where its part says something else.
    """
    with bench.live.lock:
        checked = bench.live.maker.checked_texts()
        study = study_of(checked, bench.live.id, decision.about)
        folder = folder_of(checked.material, study)
        known = {one.id: one for one in read_suggestions(folder).suggestions}
        one = known[decision.id]
        made = ""
        if one.state != "open":
            raise LookupError(decision.id)
        if decision.accept:
            made = _accepted(bench, one, checked)
        state = "accepted" if decision.accept else "declined"
        new = one.model_copy(update={"state": state, "decided": by.name})
        _keep(bench, folder, new, by, f"{state} what {one.by} suggested")
        return made


def _accepted(bench: Workbench, one: Suggestion, checked: Checked) -> str:
    """Save the words of a suggestion in the name of who made it."""
    by = Person(one.by, one.email)
    moved_on = user_error(
        f"the text moved on since {one.by} suggested this",
        mend="edit it by hand, then decline the suggestion",
    )
    if one.entry:
        try:
            told = Declaring(one.text, one.entry, one.part, one.words)
            return declare(bench, told, by)
        except (ConflictError, LookupError):
            raise moved_on from None
    text = own_texts(checked.texts, checked.material.edition).get(one.text)
    if (part := _place(one, text)) is None:
        raise moved_on
    return bench.save(Edit(one.text, part.number, part.hash, one.words), by)


def _standing(
    one: Suggestion, checked: Checked, text: Text | None
) -> tuple[int | None, str, list[Piece]]:
    """The number of its part, None where it is stale, its anchor, and its pieces."""
    if one.entry:
        anchors = anchors_of(checked, one.text)
        same = [at.number for at in anchors if at.source == one.part]
        shown = list(pieces(one.part.split(), one.words.split()))
        return same[0] if same else None, "", shown
    part = _place(one, text)
    shown = _shown(one, part, text)
    return (part.number, f"#{part.anchor}", shown) if part else (None, "", shown)


def _place(one: Suggestion, text: Text | None) -> EditedPart | None:
    """The part that still says what it said; none where several do or none does."""
    same = [part for part in parts_of(text) if part.source == one.part] if text else []
    return same[0] if len(same) == 1 else None


def _shown(one: Suggestion, part: EditedPart | None, text: Text | None) -> list[Piece]:
    tokens = tokens_of(part, text)[1] if part and text else ()
    printed = {token.expression: token.token for token in tokens}

    def plain(words: str) -> list[str]:
        told = _EXPRESSION.sub(lambda m: printed.get(m[1], m[0]), words)
        return told.split()

    return list(pieces(plain(one.part), plain(one.words)))


def _same(new: Suggestion, old: Suggestion) -> bool:
    fields = set(Suggestion.model_fields) - {"id", "at"}
    same = all(getattr(new, name) == getattr(old, name) for name in fields)
    return same and new.state == "open"


def _keep(
    bench: Workbench, folder: Path, one: Suggestion, by: Person, what: str
) -> None:
    path, id = folder / SUGGESTIONS, bench.live.id
    if any(_same(one, other) for other in read_suggestions(folder).suggestions):
        return  # the answer to who suggests it again was lost
    before = path.read_text("utf-8") if path.exists() else ""
    new = read_suggestions(folder).having(one)
    after = readable(suggestions_text(new), path, Suggestions)
    file = path.relative_to(bench.journal.report).as_posix()
    said = f"{folder.name}: {what}\n\nEdition: {id}"
    entry = JournalEntry(id, file, before, after, by.name, by.email, said)
    bench.journal.save(entry, written=bench.live.remarked)
