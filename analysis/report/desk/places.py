"""Where comments are: at parts of texts, declared words, figures and values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import PurePosixPath

from analysis.facts.fact import Fact
from analysis.report.checks.claims import Checked
from analysis.report.desk.declared_words import declared_words
from analysis.report.desk.parts import parts_of
from analysis.report.desk.tokens import tokens_of
from analysis.report.desk.values import fact_words
from analysis.report.pictures import Picture
from analysis.report.review.remarks import CommentAnchor, Thread, place_of
from analysis.report.text.texts import Text, own_texts

_DECLARED = ".yaml"
_BRACES = str.maketrans("", "", "{}")


@dataclass(frozen=True)
class FoundPlace:
    """Where a thread is now: the part's number if it has one, and an anchor.

    ``about`` says of what it is in words, ``now`` what a value prints today.
    """

    number: int | None
    anchor: str
    about: str
    now: str = ""


AnchorsOf = Callable[[str], list[CommentAnchor]]


def anchors_in(checked: Checked) -> AnchorsOf:
    """What :func:`anchors_of` gives for a name, once each, for who asks of many."""
    return cache(partial(anchors_of, checked))


def found_place(
    thread: Thread, checked: Checked, anchors: AnchorsOf
) -> FoundPlace | None:
    """The place of a thread that is about one, or None where it is gone."""
    if thread.text:
        at = place_of(thread, anchors(thread.text))
        return FoundPlace(at.number, _anchor(thread, at), thread.text) if at else None
    if thread.figure:
        picture = figure_of(checked, thread.figure)
        words = f"Figure: {_asks(checked, picture)}" if picture else ""
        return FoundPlace(None, f"#{thread.figure}", words) if picture else None
    facts = facts_of(checked, thread.value)
    return _value_place(facts, checked) if facts else None


def anchors_of(checked: Checked, name: str) -> list[CommentAnchor]:
    """The parts of a text, or the words of a declaration; none of what is not there."""
    if name.endswith(_DECLARED):
        material = checked.material
        words = declared_words(material.folder, material.edition)
        own = [one.words for one in words if one.file == name]
        return [CommentAnchor(number, words) for number, words in enumerate(own)]
    text = own_texts(checked.texts, checked.material.edition).get(name)
    return _of_text(text) if text else []


def owner_of(checked: Checked, thread: Thread) -> str | None:
    """The study beside whose texts a thread is kept, None for the edition's own."""
    study: str | None = None
    if thread.text:
        folder = PurePosixPath(thread.text).parts
        study = folder[1] if folder[0] == "studies" else None
    elif thread.figure:
        picture = figure_of(checked, thread.figure)
        study = picture.study if picture else None
    elif thread.value:
        study = facts_of(checked, thread.value)[0].study
    return study if study in checked.material.edition.own_studies else None


def figure_of(checked: Checked, anchor: str) -> Picture | None:
    """The figure of an anchor, also where it stands as a table."""
    pictures = checked.material.all_pictures()
    return next((p for p in pictures if anchor in (p.anchor, f"tbl-{p.id}")), None)


def facts_of(checked: Checked, value: str) -> list[Fact]:
    """The facts that a value is of, in its order; none where one is not there."""
    known = {fact.key: fact for fact in checked.material.facts.facts}
    keys = value.split()
    return [known[key] for key in keys] if all(k in known for k in keys) else []


def _asks(checked: Checked, picture: Picture) -> str:
    study = checked.material.studies.get(picture.study)
    for figure in study.figures if study else ():
        if f"{picture.study}-{figure.id}" == picture.id and figure.question:
            return figure.question
    return picture.caption


def _value_place(facts: list[Fact], checked: Checked) -> FoundPlace:
    material, study = checked.material, facts[0].study
    about = fact_words(facts[0], material, material.names(study))
    now = ", ".join(fact.printed for fact in facts)
    return FoundPlace(None, f"#sec-{study}", about[0].upper() + about[1:], now)


def _of_text(text: Text) -> list[CommentAnchor]:
    found = []
    for part in parts_of(text):
        printed = (p for p in text.printed if part.first <= p.line <= part.last)
        keys = frozenset(key for p in printed for key in p.keys)
        reads = tokens_of(part, text)[0].translate(_BRACES)
        found.append(CommentAnchor(part.number, part.source, reads, keys))
    return found


def _anchor(thread: Thread, at: CommentAnchor) -> str:
    if thread.text.endswith(_DECLARED):
        study = PurePosixPath(thread.text).parent.name
        return f"#sec-{study}" if study else ""
    return f"#part-{thread.text.replace('/', '-')}-{at.number}"
