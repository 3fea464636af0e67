"""Saving words of a declaration: shown by the page first, then kept as a commit."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from analysis.errors import user_error
from analysis.files.text_file import ends_as, read_text
from analysis.report.desk.declared_words import (
    DeclaredWords,
    declared_words,
    rewritten,
)
from analysis.report.desk.edit import ConflictError
from analysis.report.desk.journal import JournalEntry, MeanwhileError
from analysis.report.desk.people import Person
from analysis.report.desk.saving import Workbench


@dataclass(frozen=True)
class Declaring:
    """New words at an entry of a file, instead of those that somebody saw there."""

    file: str
    entry: str
    was: str
    words: str


def declared(bench: Workbench) -> list[dict[str, Any]]:
    """All words that may be changed, as JSON; ``number`` counts those of a file."""
    counts: Counter[str] = Counter()
    found = []
    for one in _words(bench):
        found.append(vars(one) | {"number": counts[one.file]})
        counts[one.file] += 1
    return found


def declare(bench: Workbench, told: Declaring, by: Person) -> str:
    """Save words and return the commit; nothing is kept that no page can be made of.

    A LookupError where nothing has that name, a
    :class:`analysis.report.desk.edit.ConflictError` where other words stand there.
    """
    live = bench.live
    with live.lock:
        live.open()
        path, words = stands(bench, told)
        texts = read_text(path), rewritten(path, told.entry, words)
        before, after = (ends_as(path, text) for text in texts)
        if after == before:
            return ""
        file = path.relative_to(bench.journal.report).as_posix()
        said = f"{told.file}: {told.entry} reads ‘{words}’\n\nEdition: {live.id}"
        entry = JournalEntry(live.id, file, before, after, by.name, by.email, said)
        place = bench.journal.note(entry)
        try:
            _try(bench, entry)
        except Exception:
            place.unlink()
            raise
        return bench.journal.save(entry, place)


def _try(bench: Workbench, entry: JournalEntry) -> None:
    """Write a file and show its page; all is as it was where none can be made."""
    live = bench.live
    bench.journal.write(entry)
    try:
        live.forget()
        if live.stage.problem:
            raise user_error(live.stage.problem.removeprefix("error: "))
    except Exception:
        back = replace(entry, before=entry.after, after=entry.before)
        with suppress(MeanwhileError):  # what somebody else wrote stays
            bench.journal.write(back)
        live.forget()
        raise


def stands(bench: Workbench, told: Declaring) -> tuple[Path, str]:
    """The file, and the new words on one line; see :func:`declare` for what is raised.

    What the file says has to be what somebody saw.
    """
    known = {(one.file, one.entry): one.words for one in _words(bench)}
    if known[told.file, told.entry] != told.was:
        raise ConflictError(None)
    words = " ".join(told.words.split())
    if not words:
        raise user_error("words have to stand there", mend="write some")
    return bench.live.maker.checked_texts().material.folder / told.file, words


def _words(bench: Workbench) -> list[DeclaredWords]:
    material = bench.live.maker.checked_texts().material
    return list(declared_words(material.folder, material.edition))
