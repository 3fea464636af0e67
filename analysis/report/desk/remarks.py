"""Threads at the desk: comments and suggestions, where they are, and what is said.

A thread is begun at a part, a figure, a value or on a whole study. It is answered
and resolved; one that suggests other words is accepted or declined.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass as checked_dataclass

from analysis.errors import raise_if, user_error
from analysis.facts.fact import Fact
from analysis.files.limits import KIB, REMARKS_BYTES
from analysis.files.text_file import as_text
from analysis.report.checks.claims import Checked
from analysis.report.desk.changes import Piece, pieces
from analysis.report.desk.desk import Live
from analysis.report.desk.editing import ConflictError, Edit, save, saving, tried
from analysis.report.desk.parts import EditedPart, heard, likest_part, parts_in
from analysis.report.desk.people import Person
from analysis.report.desk.reading import PlainWords, study_in
from analysis.report.desk.values import fact_words
from analysis.report.pictures import Picture
from analysis.report.review.remarks import (
    COMMENTS,
    MOST,
    Remarked,
    Thread,
    comments_of,
    comments_text,
    new_id,
    read_comments,
    suggested,
)
from analysis.report.review.state import MATTER, folder_of
from analysis.report.text.characters import reader_text

# What Word and mail copy beside letters: ends of lines of their own, signs that do not
# show or turn the direction of writing, and halves of letters.
_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_UNFIT = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff"
    "\ufffe\uffff]"
)
PartsOf = Callable[[str], list[EditedPart]]
Settled = Literal["accepted", "declined", "withdrawn"]


@dataclass(frozen=True)
class Spot:
    """Where a thread is now: the part if it has one, and an anchor of the page.

    ``about`` says of what it is in words, ``now`` what a value prints today.
    """

    part: EditedPart | None
    anchor: str
    about: str
    now: str = ""


@dataclass(frozen=True)
class ThreadRow:
    """A thread in a list: of which study or edition, and where it is if it is still."""

    about: str
    title: str
    home: str
    thread: Thread
    spot: Spot | None

    @property
    def stale(self) -> bool:
        """Whether its place is gone, or says something else than what was suggested."""
        return not self.thread.of_all and self.spot is None

    @property
    def anchor(self) -> str:
        """Where it leads to in the page."""
        return self.spot.anchor if self.spot else self.home

    def words(self, reading: PlainWords) -> str:
        """What its part says."""
        return reading.words(self.thread.part, study_in(self.thread.text))

    def pieces(self, reading: PlainWords) -> list[Piece]:
        """The words of a suggestion that stay, go and come."""
        both = self.thread.part, self.thread.instead or ""
        if self.thread.entry:  # no Markdown
            return list(pieces(*(words.split() for words in both)))
        study = study_in(self.thread.text)
        return reading.pieces(*both, study) if self.thread.suggests else []

    def mine(self, by: Person) -> bool:
        """Whether it is a suggestion of a person."""
        return self.thread.suggests and _is_by(self.thread, by)

    def as_json(self, reading: PlainWords, by: Person) -> dict[str, Any]:
        """As JSON, for a person."""
        names = "id", "state", "text", "value", "figure", "quote"
        thread = {name: getattr(self.thread, name) for name in names}
        part = self.spot.part if self.spot else None
        return thread | {
            "about": self.about,
            "number": part.number if part else None,
            "now": self.spot.now if self.spot else "",
            "remarks": [{"by": o.by, "words": o.words} for o in self.thread.said],
            "suggests": self.thread.suggests,
            "pieces": self.pieces(reading),
            "mine": self.mine(by),
        }


@dataclass(frozen=True)
class Comment:
    """What somebody says: of a place, of all of a study or edition, or in a thread.

    ``about`` is that study or edition, or the one whose thread it is. ``hash`` is of
    the part that was seen at ``number``. ``state`` is what the thread shall be then.
    """

    words: str
    about: str = ""
    thread: str = ""
    text: str = ""
    number: int = -1
    hash: str = ""
    quote: str = ""
    value: str = ""
    figure: str = ""
    state: Literal["open", "resolved"] = "open"


@checked_dataclass(frozen=True)
class Decision:
    """What becomes of the suggestion with an id, of a study or of the edition.

    ``why`` is told to who suggested it.
    """

    about: str
    id: str
    accept: bool = False
    why: Annotated[str, Field(max_length=MOST)] = ""


def thread_rows(
    checked: Checked, edition: str, settled: bool = False
) -> Iterator[ThreadRow]:
    """All threads of an edition, study by study, then those of its matter.

    Suggestions that somebody decided or withdrew are none of them, but for ``settled``.
    """

    @cache
    def parts(name: str) -> list[EditedPart]:
        return _parts(checked, name)

    for study in (*checked.material.edition.own_studies, None):
        title = checked.material.studies[study].title if study else MATTER
        home = f"#sec-{study}" if study else "#text"
        for thread in read_comments(folder_of(checked.material, study)).threads:
            if thread.suggests and not (settled or thread.waits):
                continue
            spot = None if thread.of_all else spot_of(thread, checked, parts)
            yield ThreadRow(study or edition, title, home, thread, spot)


def spot_of(thread: Thread, checked: Checked, parts: PartsOf) -> Spot | None:
    """Where a thread is that is of a place, or None where that is gone."""
    if thread.text:
        part = part_at(thread, parts(thread.text))
        return Spot(part, f"#{part.anchor}", thread.text) if part else None
    if thread.figure:
        picture = _picture(checked, thread.figure)
        words = f"Figure: {_question(checked, picture)}" if picture else ""
        return Spot(None, f"#{thread.figure}", words) if picture else None
    if not (facts := _facts(checked, thread.value)):
        return None
    study, now = facts[0].study, ", ".join(fact.printed for fact in facts)
    about = fact_words(facts[0], checked.material, checked.material.names(study))
    return Spot(None, f"#sec-{study}", about[0].upper() + about[1:], now)


def part_at(thread: Thread, parts: list[EditedPart]) -> EditedPart | None:
    """The part that a thread is about, also after edits; None where it is gone.

    One that suggests other words has to find what it said, once.
    """
    same = [one for one in parts if one.source == thread.part]
    same = [one for one in same if thread.entry in ("", one.entry)]
    if thread.suggests:
        return same[0] if len(same) == 1 else None
    if same:
        return same[0]
    keys = set(thread.value.split())
    printing = [one for one in parts if keys and keys <= one.keys]
    for candidates in (printing, _holding(thread.quote, parts)):
        if len(candidates) == 1:
            return candidates[0]
    return likest_part(reader_text(thread.part).split(), parts)


def _holding(quote: str, parts: list[EditedPart]) -> list[EditedPart]:
    """The parts that have the words of a quote; none has those of an empty one."""
    words = heard(quote)
    return [one for one in parts if words.strip() and words in one.heard]


def _parts(checked: Checked, name: str) -> list[EditedPart]:
    """None of what is not there any more."""
    try:
        return parts_in(checked, name)
    except LookupError:
        return []


def _picture(checked: Checked, anchor: str) -> Picture | None:
    """The figure of an anchor, also where it stands as a table."""
    pictures = checked.material.all_pictures()
    return next((p for p in pictures if anchor in (p.anchor, f"tbl-{p.id}")), None)


def _question(checked: Checked, picture: Picture) -> str:
    study = checked.material.studies.get(picture.study)
    for figure in study.figures if study else ():
        if f"{picture.study}-{figure.id}" == picture.id and figure.question:
            return figure.question
    return picture.caption


def _facts(checked: Checked, value: str) -> list[Fact]:
    """The facts that a value is of, in its order; none where one is not there."""
    known = {fact.key: fact for fact in checked.material.facts.facts}
    keys = value.split()
    return [known[key] for key in keys] if all(k in known for k in keys) else []


def say(live: Live, comment: Comment, by: Person) -> str:
    """Write a comment; returns its commit. A LookupError where its place is not there.

    A :class:`analysis.report.desk.editing.ConflictError` where that is another one now.
    """
    words = speech(comment.words).strip()
    if not words:
        raise user_error("nothing is said here", mend="write what you mean")
    if len(words) > MOST:
        what = f"{len(words):,} characters are too many for a comment"
        raise user_error(what, mend=f"{MOST:,} is the most: make it shorter")
    remark = Remarked(by=by.name, at=now(), words=words)
    with live.lock:
        checked = live.checked
        if comment.thread:
            study = study_of(checked, live.id, comment.about)
            thread = _thread(checked, study, comment.thread)
            state = thread.state if thread.suggests else comment.state
            more = {"said": (*thread.said, remark), "state": state}
            thread = thread.model_copy(update=more)
        else:
            thread = _begun(comment, remark, checked)
            study = _owner(checked, thread)
            if thread.of_all:
                study = study_of(checked, live.id, comment.about)
        return _keep(live, checked, study, thread, by, "comment")


def suggest(live: Live, edit: Edit, by: Person) -> str:
    """Keep other words for a part, which are refused as saving them would be.

    Returns the commit.
    """
    with live.lock:
        part, before, after = tried(live, edit)
        if after == before:
            raise user_error("nothing is changed", mend="edit the words, then suggest")
        if not part.entry:
            raise_if(live.maker.checked_texts({edit.text: after}).false_claims())
        said = (suggested(by.name, by.email, now()),)
        words = edit.line if part.entry else edit.markdown
        words = words.replace("\r\n", "\n").strip("\n")
        thread = Thread(
            id=new_id(), text=edit.text, entry=part.entry, part=part.source,
            instead=words, said=said,
        )  # fmt: skip
        what = f"suggests other words for ‘{part.start}’"
        study = _owner(live.checked, thread)
        return _keep(live, live.checked, study, thread, by, what)


def decide(live: Live, decision: Decision, by: Person) -> str:
    """Accept a suggestion, which saves it in its author's name, or decline it.

    Returns the commit that says so, whose undoing takes back both. A LookupError where
    there is none.
    """
    with live.lock:
        study, thread = _waiting(live, decision)
        author = thread.said[0]
        if decision.accept:
            part = part_at(thread, _parts(live.checked, thread.text))
            if part is None:
                what = f"the text moved on since {author.by} suggested this"
                mend = "edit it by hand, then decline the suggestion"
                raise user_error(what, mend=mend)
            words = thread.instead or ""
            edit = Edit(thread.text, part.number, part.hash, words)
            save(live, edit, Person(author.by, author.email or ""))
        state: Settled = "accepted" if decision.accept else "declined"
        what = f"{state} what {author.by} suggested"
        return _settle(live, study, thread, state, decision.why, by, what)


def withdraw(live: Live, decision: Decision, by: Person) -> str:
    """Take back a suggestion of one's own; returns the commit.

    A LookupError where there is none.
    """
    with live.lock:
        study, thread = _waiting(live, decision)
        if not _is_by(thread, by):
            raise LookupError(decision.id)
        what = "withdrew what they suggested"
        return _settle(live, study, thread, "withdrawn", decision.why, by, what)


def _is_by(thread: Thread, by: Person) -> bool:
    return bool(by.email) and thread.said[0].email == by.email


def _waiting(live: Live, decision: Decision) -> tuple[str | None, Thread]:
    """A suggestion that waits, and its study; a LookupError where there is none."""
    study = study_of(live.checked, live.id, decision.about)
    thread = _thread(live.checked, study, decision.id)
    if not thread.waits:
        raise LookupError(decision.id)
    return study, thread


def _settle(
    live: Live,
    study: str | None,
    thread: Thread,
    state: Settled,
    why: str,
    by: Person,
    what: str,
) -> str:
    why = speech(why).strip()
    words = f"{state}: {why}" if why else state
    said = (*thread.said, Remarked(by=by.name, at=now(), words=words))
    thread = thread.model_copy(update={"said": said, "state": state})
    return _keep(live, live.checked, study, thread, by, what)


def _thread(checked: Checked, study: str | None, id: str) -> Thread:
    threads = read_comments(folder_of(checked.material, study)).threads
    return {one.id: one for one in threads}[id]


def _begun(comment: Comment, remark: Remarked, checked: Checked) -> Thread:
    """A new thread; a LookupError where nothing is at its place."""
    thread = Thread(
        id=new_id(), said=(remark,), quote=speech(comment.quote),
        value=comment.value, figure=comment.figure,
    )  # fmt: skip
    if name := comment.text:
        part = _meant(comment, parts_in(checked, name))
        place = {"text": name, "entry": part.entry, "part": part.source}
        thread = thread.model_copy(update=place)
    if thread.value and not _facts(checked, thread.value):
        raise LookupError(thread.value)
    parts = lambda name: _parts(checked, name)  # noqa: E731
    if not (thread.of_all or spot_of(thread, checked, parts)):
        raise LookupError(thread.figure)
    return thread


def _meant(comment: Comment, parts: list[EditedPart]) -> EditedPart:
    """The part that was seen, wherever it is now: what it said, or what is quoted."""
    there = {one.number: one for one in parts}.get(comment.number)
    if there and comment.hash in ("", there.hash):
        return there
    same = [one for one in parts if one.hash == comment.hash]
    same = same or (_holding(comment.quote, parts) if comment.hash else [])
    if len(same) == 1:
        return same[0]
    if not (there and comment.hash):
        raise LookupError(comment.text)
    raise ConflictError


def _owner(checked: Checked, thread: Thread) -> str | None:
    """The study beside whose texts a thread is kept, None for the edition's own."""
    study: str | None = None
    if thread.text:
        study = study_in(thread.text)
    elif thread.figure:
        picture = _picture(checked, thread.figure)
        study = picture.study if picture else None
    elif thread.value:
        study = _facts(checked, thread.value)[0].study
    return study if study in checked.material.edition.own_studies else None


def _keep(
    live: Live,
    checked: Checked,
    study: str | None,
    thread: Thread,
    by: Person,
    what: str,
) -> str:
    """Write a thread and commit it, if it is not there already; the commit.

    What was copied in may have characters that no YAML can hold, and would leave an
    edition that nobody can open: it is read again before it is written.
    """
    folder = folder_of(checked.material, study)
    comments = read_comments(folder)
    if any(_same(thread, one) for one in comments.threads):
        return ""  # the answer to who says it again was lost
    path = folder / COMMENTS
    before = path.read_text("utf-8") if path.exists() else ""
    after = comments_text(comments.with_thread(thread))
    if len(after.encode()) > REMARKS_BYTES:
        what = f"it would be longer than {REMARKS_BYTES // KIB} KiB (REMARKS_BYTES)"
        raise user_error(what, path, mend="take out of the file what is settled")
    comments_of(as_text(after.encode(), path), path)
    file = path.relative_to(checked.material.folder).as_posix()
    entry = saving(live, file, before, after, by, f"{folder.name}: {what}")
    return live.journal.save(entry, live.remarked)


def _same(new: Thread, old: Thread) -> bool:
    """Whether it is said already."""
    words = [[(o.by, o.words) for o in one.said] for one in (new, old)]
    if new.id == old.id:
        return words[0][-1] == words[1][-1] and new.state == old.state
    blank = {"id": "", "said": old.said}
    return words[0] == words[1] and (
        new.model_copy(update=blank) == old.model_copy(update=blank)
    )


def study_of(checked: Checked, edition: str, about: str) -> str | None:
    """The study that a name is of, None for the edition's own; else a LookupError."""
    if about == edition:
        return None
    if about in checked.material.edition.own_studies:
        return about
    raise LookupError(about)


def speech(words: str) -> str:
    """What somebody says, without the characters that no file of remarks may hold."""
    return _UNFIT.sub("", _ENDS.sub("\n", words))


def mentions(words: str, name: str) -> bool:
    """Whether words name a person, as ``@Ann Author``."""
    at = f"@{name}".casefold()
    place = words.casefold().find(at) if name else -1
    return place >= 0 and not words[place + len(at) :][:1].isalnum()


def now() -> str:
    """The time, as ISO 8601 has it."""
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
