"""A document as an engine rendered it: a frame, and the bodies of its parts.

Whoever edits a sentence leaves all parts but one as they are. A body that is known
under its key is not rendered again: a mark stands in its place. Headings always stay
in, so that their numbers and the table of contents are those of the whole; the numbers
of figures and tables are handed to the filters, and the references are cited in their
order at the start. Where the frame is known as well, only the headings and what changed
are rendered.

A report keeps bodies on disk, from build to build; a preview keeps all in memory.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, chain, zip_longest
from pathlib import Path

from analysis.files.atomic import whole_file
from analysis.report.document.parts import DocumentPart, DocumentParts

Known = Mapping[str, str]  # rendered bodies by their keys
CITES, CITED, HERE, BEGIN, END = "cdhbe"
LAYOUT = "floats.json"  # where figures stand in the PDF, beside the bodies
START = ("", 0)  # what stands before the first mark
_READING = "sec-reading"  # figures lead to it where there is one
_BUILD = re.compile(r'^build: ".*"\n', re.MULTILINE)


@dataclass(frozen=True)
class Marks:
    """Words that stand for bodies that are known, and round those that are not: they
    tell where what an engine made of each begins and ends.

    ``word`` is drawn at random for each, so that no text can hold it. A comparison of
    trees would do without; docs/decisions/0007 says what it takes. ``glossary.lua``
    knows how a mark looks that stands for a body.
    """

    word: str = field(default_factory=lambda: f"kept{secrets.token_hex(16)}")

    def at(self, what: str, place: int) -> str:
        """The mark of a part."""
        return f"{self.word}{what}{place}x"

    def alone(self, what: str, place: int) -> str:
        """The mark of a part as a paragraph."""
        return f"\n\n{self.at(what, place)}\n\n"

    def cites(self, keys: Iterable[str]) -> str:
        """A paragraph that cites all references, in their order."""
        all_keys = " ".join(f"[@{key}]" for key in keys)
        return f"\n{self.at(CITES, 0)} {all_keys} {self.at(CITED, 0)}\n\n"

    def cut(self, rendered: str) -> list[tuple[tuple[str, int], str]]:
        """Each mark of what came back, and the text from it to the next one.

        A paragraph that holds nothing but a mark goes with it.
        """
        first, *others = rendered.split(self.word)
        found = [(START, first.removesuffix("<p>"))]
        for text in others:
            place, end, after = text[1:].partition("x")
            if not (end and place.isdecimal()):
                return []
            after = after.removeprefix("</p>").removeprefix("\n").removesuffix("<p>")
            found.append(((text[0], int(place)), after))
        return found


@dataclass(frozen=True)
class Rendered:
    """A rendered document: its frame, in it bodies by their keys, each after a text.

    ``frame_key`` stands for all that the frame was made from but ``notes``, which are
    of :attr:`Source.notes`.
    """

    frame_key: str
    frame: tuple[str, ...]
    keys: tuple[str, ...]
    bodies: Known
    notes: Mapping[int, tuple[str, ...]] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The document."""
        bodies = (self.bodies[key] for key in self.keys)
        first, *others = self.frame
        return first + "".join(
            body + text for body, text in zip(bodies, others, strict=True)
        )

    def between(self, start: int, end: int) -> str:
        """Some bodies, from one to that before another, and the texts between them."""
        bodies = [self.bodies[key] for key in self.keys[start:end]]
        texts = self.frame[start + 1 : end]
        return "".join(chain.from_iterable(zip_longest(bodies, texts, fillvalue="")))


@dataclass(frozen=True)
class Source:
    """A document to render. ``rests_on`` is what it is made from beside its text."""

    parts: DocumentParts
    rests_on: str

    @cached_property
    def keys(self) -> dict[int, str]:
        """What the body of each part is known under, by the place of the part.

        It changes with the body and ``rests_on``, and with what a part may tell of
        others: their headings, and the numbers of figures, tables, references, notes.
        """
        return {
            place: _digest(self._shared, part.body, *self._first_note(place, part))
            for place, part in enumerate(self.parts)
            if part.stands_alone
        }

    def _first_note(self, place: int, part: DocumentPart) -> list[str]:
        return [str(self._notes_before[place])] if part.has_notes else []

    @cached_property
    def _notes_before(self) -> list[int]:
        """How many notes stand before each part."""
        counts = (len(part.content.note_marks) for part in self.parts)
        return list(accumulate(counts, initial=0))

    @cached_property
    def notes(self) -> dict[int, tuple[str, ...]]:
        """What notes say that are meant once, in the part that has them, by its place.

        The frame has them, and they are rendered with their part.
        """
        meant = Counter(mark for part in self.parts for mark in part.notes[0])
        return {
            place: part.notes[1]
            for place, part in enumerate(self.parts)
            if place in self.keys and part.has_notes
            if sorted(part.notes[0]) == sorted(part.content.notes)
            if all(meant[mark] == 1 for mark in part.notes[0])
        }

    def numbers_of_notes(self, place: int) -> range:
        """The numbers of a part's notes."""
        before, marks = self._notes_before[place], self.parts.parts[place].notes[0]
        return range(before + 1, before + len(marks) + 1)

    def without_notes(self, known: Known) -> Known:
        """Bodies without those that have notes: the frame has what the notes say."""
        noted = {k for p, k in self.keys.items() if self.parts.parts[p].has_notes}
        return {key: body for key, body in known.items() if key not in noted}

    @cached_property
    def frame_key(self) -> str:
        """What the frame is known under: all that no rendering leaves out, but for the
        id of the build."""
        stays = [
            [part.start, part.notes[0], () if place in self.notes else part.notes[1]]
            if place in self.keys
            else part.text
            if place
            else _BUILD.sub("", part.text)
            for place, part in enumerate(self.parts)
        ]
        return _digest(self._shared, json.dumps([sorted(self.keys), stays]))

    @cached_property
    def _shared(self) -> str:
        headings = [part.start for part in self.parts if part.level]
        leading = [part.text for part in self.parts if part.content.names_links]
        told = [self.parts.labels, self.parts.cited, headings, leading]
        return _digest(self.rests_on, json.dumps(told))

    def new(self, known: Known) -> dict[int, DocumentPart]:
        """The parts whose bodies are not known, by their places."""
        return {
            place: self.parts.parts[place]
            for place, key in self.keys.items()
            if key not in known
        }

    def marked(self, known: Known, marks: Marks) -> str:
        """The document to render: marks for what is known, and round what is not."""
        cites = marks.cites(self.parts.cited)
        return "".join(
            part.start + (cites if place == 0 else "") + self._body(place, known, marks)
            for place, part in enumerate(self.parts)
        )

    def marked_new(self, known: Known, marks: Marks) -> str:
        """With marks round them the bodies that are not known, under their headings.

        All headings stand there where a body refers to a section by its number. Other
        notes stand for those before them, so that theirs have their numbers.
        """
        new, notes = self.new(known), 0
        pieces = [marks.cites(self.parts.cited) if cites(new) else ""]
        every = _refer_to_sections(new)
        for place, part in enumerate(self.parts):
            if every or place in new or part.id == _READING:
                pieces.append(part.start if part.level else "")
            if place not in new:
                continue
            if part.has_notes:
                before = self._notes_before[place]
                pieces.append(f"\n\nNotes{'^[Another.]' * (before - notes)}\n\n")
                notes = before + len(part.content.note_marks)
            pieces.append(self._body(place, known, marks))
        return "".join(pieces)

    def cut(self, rendered: str, known: Known, marks: Marks) -> Rendered | None:
        """What an engine made of :meth:`marked`, without marks.

        None where the marks did not come back as they went in, each once and in order:
        then nothing tells where bodies begin and end.
        """
        found = marks.cut(rendered)
        sent = [(CITES, 0), (CITED, 0)]
        for place, key in self.keys.items():
            kept = [(HERE, place)] if key in known else [(BEGIN, place), (END, place)]
            sent += kept
        if [mark for mark, _ in found[1:]] != sent:
            return None
        after = dict(found)
        frame = [after[START] + after[CITED, 0].lstrip()]
        frame += [text for (what, _), text in found if what in (HERE, END)]
        bodies = {
            key: known[key] if key in known else after[BEGIN, place]
            for place, key in self.keys.items()
        }
        keys = tuple(self.keys.values())
        return Rendered(self.frame_key, tuple(frame), keys, bodies, self.notes)

    def cut_new(
        self, rendered: str, known: Known, marks: Marks
    ) -> tuple[Known, str] | None:
        """The bodies that an engine made of :meth:`marked_new`, and what follows."""
        found, new = marks.cut(rendered), self.new(known)
        sent = [(CITES, 0), (CITED, 0)] if cites(new) else []
        sent += [(what, place) for place in new for what in (BEGIN, END)]
        if [mark for mark, _ in found[1:]] != sent:
            return None
        bodies = {
            self.keys[place]: text for (what, place), text in found if what == BEGIN
        }
        return bodies, found[-1][1]

    def _body(self, place: int, known: Known, marks: Marks) -> str:
        body = self.parts.parts[place].body
        if place not in self.keys:
            return body
        if self.keys[place] in known:
            return marks.alone(HERE, place)
        return f"{marks.alone(BEGIN, place)}{body}{marks.alone(END, place)}"


def cites(parts: Mapping[int, DocumentPart]) -> bool:
    """Whether any of the parts cites a reference."""
    return any(part.content.citations for part in parts.values())


def _refer_to_sections(parts: Mapping[int, DocumentPart]) -> bool:
    found = (at.name for part in parts.values() for at in part.content.references)
    return any(name.startswith("sec-") for name in found)


def _digest(*told: str) -> str:
    return hashlib.sha256("\0".join(told).encode()).hexdigest()


def rendered_anew(source: Source, file: Path, run: Callable[[str], str]) -> Rendered:
    """A document of which ``run`` renders what ``file`` does not hold."""
    known, marks = source.without_notes(read_kept(file)), Marks()
    found = source.cut(run(source.marked(known, marks)), known, marks)
    if found is None:
        return Rendered("", (run(source.parts.text),), (), {})
    write_kept(file, found.bodies)
    return found


def kept_file(document: Path, option: str) -> Path:
    """Where a document folder's bodies are kept, for a ``--to`` option of an engine."""
    return document.with_name(f".{document.name}.kept") / option.removeprefix("--to=")


def read_kept(file: Path) -> dict[str, str]:
    """The rendered bodies by their keys; none where the file is absent or not as
    :func:`write_kept` left it."""
    try:
        digest, kept = file.read_bytes().split(b"\n", 1)
    except (OSError, ValueError):
        return {}
    if digest.decode("ascii", "replace") != hashlib.sha256(kept).hexdigest():
        return {}
    found: dict[str, str] = json.loads(kept)
    return found


def write_kept(file: Path, kept: Known) -> None:
    """In one step, below its digest; a preview may write the same file meanwhile."""
    content = json.dumps(dict(kept)).encode("ascii")
    digest = hashlib.sha256(content).hexdigest().encode("ascii")
    with whole_file(file, rivals=True) as draft:
        draft.write_bytes(digest + b"\n" + content)
