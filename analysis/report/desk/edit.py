"""An edit of one part of a text, checked against what the file holds now."""

from __future__ import annotations

import re
from dataclasses import dataclass

from analysis.errors import user_error
from analysis.report.desk.parts import EditedPart, parts_of
from analysis.report.text.texts import Text

_BOX = ":::"
_SIGN = r"(?:[-*+]|\d{1,9}[.)]|\(?[a-zA-Z][.)])(?:\s|$)"  # of an item of a list
_ITEM, _ITEM_OR_IN_IT = re.compile(rf" {{0,3}}{_SIGN}"), re.compile(rf" |\t|{_SIGN}")


@dataclass(frozen=True)
class Edit:
    """New words for the part that had a number and a hash when it was opened.

    No words take the part away.
    """

    text: str
    number: int
    hash: str
    words: str


@dataclass
class ConflictError(Exception):
    """Somebody else changed the part meanwhile; ``now`` is None where it is gone."""

    now: EditedPart | None


def part_of(edit: Edit, text: Text) -> EditedPart:
    """The part that is meant, wherever it is now, or a :class:`ConflictError`."""
    parts = parts_of(text)
    there = parts[edit.number] if 0 <= edit.number < len(parts) else None
    if there and there.hash == edit.hash:
        return there
    moved = [part for part in parts if part.hash == edit.hash]
    if len(moved) != 1:
        raise ConflictError(there)
    return moved[0]


def edited(content: str, part: EditedPart, edit: Edit) -> str:
    """The content of a file with the new words in the place of a part's."""
    lines = content.split("\n")
    new, after = _new(lines, part, edit), lines[part.last :]
    if not new and after and not after[0].strip():
        after = after[1:]
    kept = [*lines[: part.first - 1], *new, *after]
    return "\n".join(kept)


def check_stays(edit: Edit, text: Text) -> None:
    """A :class:`analysis.errors.UserError` where nothing of a text would be left.

    No page would have a place then to write it again.
    """
    if not edit.words.strip() and len(parts_of(text)) == 1:
        what = "these are the last words of this text, and it cannot be empty"
        raise user_error(what, mend="write what shall stand there instead")


def new_lines(content: str, part: EditedPart, edit: Edit) -> range:
    """The lines of the file that the new words take."""
    count = max(1, len(_new(content.split("\n"), part, edit)))
    return range(part.first, part.first + count)


def _new(lines: list[str], part: EditedPart, edit: Edit) -> list[str]:
    """The new lines, apart from those beside them where they are no item or box now."""
    words = edit.words.replace("\r\n", "\n").replace("\r", "\n").strip("\n").rstrip()
    new = words.split("\n") if words else []
    if not new or not (_ITEM.match(part.source) or part.source.startswith(_BOX)):
        return new
    last = words.rpartition("\n\n")[2]
    lead = _is_words(lines[: part.first - 1][-1:]) and not _ITEM.match(words)
    tail = _is_words(lines[part.last :][:1]) and not _ITEM_OR_IN_IT.match(last)
    return [*([""] if lead else []), *new, *([""] if tail else [])]


def _is_words(lines: list[str]) -> bool:
    return any(line.strip() for line in lines)
