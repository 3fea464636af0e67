"""An edit of one part of a text, checked against what the file holds now."""

from __future__ import annotations

from dataclasses import dataclass

import yaml

from analysis.errors import user_error
from analysis.report.desk.parts import EditedPart, parts_of
from analysis.report.text.texts import Text

_FENCE, _CLAIMS = "---", "claims:"


@dataclass(frozen=True)
class Edit:
    """New words for the part that had a number and a hash when it was opened.

    ``claims`` are lines for the front matter. No words take the part away.
    """

    text: str
    number: int
    hash: str
    words: str
    claims: tuple[str, ...] = ()


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
    words = edit.words.replace("\r\n", "\n").replace("\r", "\n").strip("\n").rstrip()
    before, after = lines[: part.first - 1], lines[part.last :]
    if not words and after and not after[0].strip():
        after = after[1:]
    kept = [*before, *(words.split("\n") if words else []), *after]
    return _with_claims("\n".join(kept), edit.claims)


def check_stays(edit: Edit, text: Text) -> None:
    """A :class:`analysis.errors.UserError` where nothing of a text would be left.

    No page would have a place then to write it again.
    """
    if not edit.words.strip() and len(parts_of(text)) == 1:
        what = "these are the last words of this text, and it cannot be empty"
        raise user_error(what, mend="write what shall stand there instead")


def new_lines(part: EditedPart, edit: Edit) -> range:
    """The lines of the file that the new words take, without new claims."""
    count = edit.words.strip("\n").count("\n") + 1
    return range(part.first, part.first + count)


def _with_claims(content: str, claims: tuple[str, ...]) -> str:
    if not claims:
        return content
    if any("\n" in claim or not claim.strip() for claim in claims):
        raise user_error("a claim is one line", mend="write it on one line")
    told = yaml.safe_dump(list(claims), allow_unicode=True, width=10_000).splitlines()
    added = [f"  {line}" for line in told]
    lines = content.split("\n")
    if lines[0].rstrip() != _FENCE:
        return "\n".join([_FENCE, _CLAIMS, *added, _FENCE, *lines])
    if _CLAIMS in (at := [line.rstrip() for line in lines]):
        place = at.index(_CLAIMS) + 1
        return "\n".join([*lines[:place], *added, *lines[place:]])
    return "\n".join([lines[0], _CLAIMS, *added, *lines[1:]])
