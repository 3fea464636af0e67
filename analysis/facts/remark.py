"""What must be said of a value or of its absence: a kind, whom it is of, what was seen.

A remark travels as data from where something is noticed to the page, and no code reads
its words. Where one place alone notices something, the words stand there; those of
other kinds are in :mod:`analysis.facts.kinds`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from analysis.facts.kind import Values
from analysis.facts.kinds import KINDS


@dataclass(frozen=True)
class Remark:
    """One remark; ``subject`` is the configuration it is of, where there are several.

    ``values`` are what was seen, fit for JSON: numbers, texts and tuples of them. With
    ``runs`` and ``of`` among them it is of so many of so many runs. ``text`` are the
    words of a kind that has none declared.
    """

    kind: str
    subject: str = ""
    values: Values = field(default_factory=dict, hash=False)
    text: str = ""

    def __post_init__(self) -> None:
        if bool(self.text) == (self.kind in KINDS):
            raise LookupError(f"remarks of kind {self.kind} need words, once")

    @property
    def words(self) -> str:
        """What was seen, without the name of the kind."""
        if self.text:
            return self.text
        return KINDS[self.kind].describe(self.values)

    @property
    def note(self) -> str:
        """One sentence for readers: without numbers, or the words of a kind that has
        none declared."""
        if self.text:
            return f"{self.text[0].upper()}{self.text[1:]}."
        return KINDS[self.kind].note

    @property
    def voids(self) -> bool:
        """Whether a change that it is said of has no verdict."""
        return not self.text and KINDS[self.kind].voids

    def __str__(self) -> str:
        """``noisy: B: 2 of 10 runs: …``: all of it, for lists and logs."""
        name = "" if self.text else KINDS[self.kind].name
        parts = [name, self.subject, _runs(self.values), self.words]
        return ": ".join(part for part in parts if part)


def remark(kind: str, text: str = "", /, **values: Any) -> Remark:
    """A remark of no configuration in particular; ``text`` are the words of a kind
    that is noticed in one place alone."""
    return Remark(kind, values=values, text=text)


def quote(text: str) -> Remark:
    """What another program said, in its own words."""
    return remark("quoted", f"{text}")


def at_line(line: int, what: Remark) -> Remark:
    """What is wrong, with its line."""
    return remark("at_line", line=line, what=what)


def together(remarks: Sequence[Remark]) -> Remark:
    """Several remarks as one."""
    if len(remarks) == 1:
        return remarks[0]
    return remark("together", remarks=tuple(remarks))


@dataclass(frozen=True)
class Refusal:
    """Why there is no value: one remark for each way to it that does not lead there."""

    remarks: tuple[Remark, ...]

    def __str__(self) -> str:
        """``interpolation: …; generation: …``: the words, by subject, each once."""
        groups = groupby(self.remarks, lambda remark: remark.subject)
        parts = (
            (subject, "; ".join(dict.fromkeys(remark.words for remark in remarks)))
            for subject, remarks in groups
        )
        return "; ".join(
            f"{subject}: {words}" if subject else words for subject, words in parts
        )

    def says(self, remark: Remark) -> bool:
        """Whether it has a remark of the same subject and words."""
        wanted = remark.subject, remark.words
        return any((one.subject, one.words) == wanted for one in self.remarks)

    def without(self, other: Refusal) -> Refusal:
        """The remarks whose words another has not."""
        return Refusal(tuple(r for r in self.remarks if not other.says(r)))


class Refused(Exception):  # noqa: N818 - it is no error: the next way is tried
    """Raised where something does not apply, with the :class:`Refusal`."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


def refusal(kind: str, words: str) -> Refusal:
    """A refusal for one reason, in the words of the place where it is noticed."""
    return Refusal((remark(kind, words),))


def read_remarks(rows: Iterable[Mapping[str, Any] | str]) -> tuple[Remark, ...]:
    """Remarks out of JSON; those of other releases for which there are no words are
    left out."""
    known = [row for row in rows if not isinstance(row, str)]
    return tuple(
        Remark(row["kind"], row["subject"], _tupled(row["values"]), text)
        for row in known
        if (text := "" if row["kind"] in KINDS else row.get("text", ""))
        or row["kind"] in KINDS
    )


def _tupled(values: Mapping[str, Any]) -> Values:
    return {k: tuple(v) if isinstance(v, list) else v for k, v in values.items()}


def _runs(values: Values) -> str:
    return f"{values['runs']} of {values['of']} runs" if "runs" in values else ""
