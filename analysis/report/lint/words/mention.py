"""What words of a text name: metrics, roles, workloads, configurations, studies."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

Dimension = Literal["metric", "role", "workload", "configuration", "study"]
DIMENSIONS: tuple[Dimension, ...] = (
    "metric", "role", "workload", "configuration", "study",
)  # fmt: skip


@dataclass(frozen=True)
class Mention:
    """Words that name something, and which ids or names they may mean.

    ``loose`` ones say what a sentence is about, and hold no printed value to it.
    """

    dimension: Dimension
    start: int
    end: int
    names: frozenset[str]
    loose: bool = False
    text: str = ""


class NameTerm(NamedTuple):
    """A pattern of whole words, what it names, and whether their case matters."""

    pattern: str
    names: frozenset[str]
    loose: bool = False
    exact: bool = False


class Terms:
    """The terms of one dimension; where several fit, the longest one counts.

    Most are plain words, which are compared as they are; the others are patterns.
    """

    def __init__(self, dimension: Dimension, terms: Iterable[NameTerm]) -> None:
        self.dimension = dimension
        self._plain: dict[str, list[tuple[str, NameTerm]]] = defaultdict(list)
        ordered = sorted(dict.fromkeys(terms), key=lambda t: -len(t.pattern))
        shaped = []
        for term in ordered:
            words = _SLASHED.sub(r"\1", term.pattern)
            if re.escape(words) != term.pattern:
                shaped.append(term)
            else:
                words = words if term.exact else words.lower()
                self._plain[words[0].lower()].append((words, term))
        self._shaped = {f"t{n}": term for n, term in enumerate(shaped)}

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        parts = (
            f"(?P<{name}>{t.pattern if t.exact else f'(?i:{t.pattern})'})"
            for name, t in self._shaped.items()
        )
        return re.compile(f"(?:{'|'.join(parts) or '(?!)'})(?!\\w)")

    def find(self, words: str) -> Iterator[Mention]:
        """What the words name, in order."""
        done, lower = 0, words.lower()
        for start in _STARTS.finditer(words):
            at = start.start()
            if at >= done and (found := self._at(words, lower, at)):
                done, term = found
                said = words[at:done]
                yield Mention(self.dimension, at, done, term.names, term.loose, said)

    def _at(self, words: str, lower: str, at: int) -> tuple[int, NameTerm] | None:
        found = self._pattern.match(words, at) if self._shaped else None
        best = (found.end(), self._shaped[found.lastgroup or ""]) if found else None
        for text, term in self._plain.get(lower[at], ()):
            end = at + len(text)
            if (best is None or end > best[0]) and (
                (words if term.exact else lower).startswith(text, at)
                and not _WORD.match(words, end)
            ):
                return end, term
        return best


_SLASHED = re.compile(r"\\(.)")
_WORD = re.compile(r"\w")
_STARTS = re.compile(r"(?<![\w-])(?=[\w@\[])|(?<=-)(?=\w)")
