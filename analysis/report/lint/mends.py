"""How to mend a number that is typed by hand: the expressions that print it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from analysis.facts.units import MINUS
from analysis.report.expressions.expression import counts, expression_of, forms
from analysis.report.lint.quantities import TypedNumber
from analysis.report.material import Material

_SHOWN = 3
_ALLOW = "or explain it under 'allow' in the front matter"
_PRINTED = re.compile(rf"[+{MINUS}]?\d[\d,]*(?:\.\d+)?")


@dataclass(frozen=True)
class Mender:
    """Knows what the facts of an edition print."""

    material: Material

    def mend(self, found: TypedNumber, study: str | None) -> str:
        """What to write instead of a number in a text of a study, or of none."""
        if not found.typed or found.dress in ("ratio", "multiple", "fraction"):
            return f"print it with delta(…), value(…) or a count, {_ALLOW}"
        wanted = _bare(_first(found.text))
        percent = "%" in found.text or "cent" in found.text
        known = list(self._known(study, percent))
        exact = [words for value, words in known if value == wanted]
        if exact:
            return f"write {' or '.join(exact[:_SHOWN])}, {_ALLOW}"
        if not known:
            return f"no fact prints it; take it out, {_ALLOW}"
        value, words = min(known, key=lambda k: abs(float(k[0]) - float(wanted)))
        return f"no fact prints it; the nearest is {value}, from {words}; {_ALLOW}"

    def _known(self, study: str | None, percent: bool) -> Iterator[tuple[str, str]]:
        """Numbers that facts print, each with its expression; own study's first."""
        own = [p for p in self._printed if p[0] == study]
        others = [p for p in self._printed if p[0] != study]
        for of, inside, outside, printed, value in (*own, *others):
            if printed.endswith("%") == percent:
                call = inside if of == study else outside
                yield value, f"{{{{ {call} }}}} ({printed})"
        for call, printed in self._counts.get(study or "", ()) if not percent else ():
            yield printed, f"{{{{ {call} }}}}"

    @cached_property
    def _printed(self) -> list[tuple[str, str, str, str, str]]:
        """Of every form of a fact: its study, both expressions, text and bare value."""
        found = []
        for fact in sorted(self.material.facts.facts, key=lambda f: f.key):
            inside, outside = (
                expression_of(fact, self.material.studies, inside=own)
                for own in (True, False)
            )
            for printed, way in forms(fact):
                number = _PRINTED.match(printed)
                if number and " to " not in printed:
                    value = _bare(number[0])
                    row = inside + way, outside + way, printed, value
                    found.append((fact.study, *row))
        return found

    @cached_property
    def _counts(self) -> dict[str, list[tuple[str, str]]]:
        return {
            id: [(c, printed) for c, printed in counts(self.material, id)
                 if printed.isdigit()]
            for id in self.material.studies
        }  # fmt: skip


def _first(text: str) -> str:
    found = re.search(r"\d[\d, ]*(?:\.\d+)?|\.\d+", text)
    return found[0].replace(" ", "") if found else "0"


def _bare(number: str) -> str:
    """``1234.5`` for ``−1,234.5``; signs are matters of wording."""
    return number.lstrip(f"+{MINUS}-").replace(",", "").rstrip(".")
