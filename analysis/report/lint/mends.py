"""How to mend a number that is typed by hand: the expressions that print it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from analysis.errors import Fix
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
        if not _printable(found):
            return f"print it with delta(…), value(…) or a count, {_ALLOW}"
        if exact := self.fixes(found, study):
            told = " or ".join(map(_written, exact))
            return f"write {told}, {_ALLOW}"
        known = list(self._known(study, _in_percent(found)))
        if not known:
            return f"no fact prints it; take it out, {_ALLOW}"
        wanted = float(_bare(_first(found.text)))
        value, nearest = min(known, key=lambda k: abs(float(k[0]) - wanted))
        told = _written(nearest)
        return f"no fact prints it; the nearest is {value}, from {told}; {_ALLOW}"

    def fixes(self, found: TypedNumber, study: str | None) -> tuple[Fix, ...]:
        """The expressions that print just this number."""
        if not _printable(found):
            return ()
        wanted, typed = _bare(_first(found.text)), found.text
        known = self._known(study, _in_percent(found))
        exact = [fix for value, fix in known if value == wanted]
        return tuple(replace(fix, typed=typed) for fix in exact[:_SHOWN])

    def _known(self, study: str | None, percent: bool) -> Iterator[tuple[str, Fix]]:
        """Numbers that facts print, each with its expression; own study's first."""
        own = [p for p in self._printed if p[0] == study]
        others = [p for p in self._printed if p[0] != study]
        for of, inside, outside, printed, value in (*own, *others):
            if printed.endswith("%") == percent:
                call = inside if of == study else outside
                yield value, Fix("print", call, shows=printed)
        for call, printed in self._counts.get(study or "", ()) if not percent else ():
            yield printed, Fix("print", call, shows=printed)

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


def _printable(found: TypedNumber) -> bool:
    """Whether one expression could print it."""
    return bool(found.typed) and found.dress not in ("ratio", "multiple", "fraction")


def _in_percent(found: TypedNumber) -> bool:
    return "%" in found.text or "cent" in found.text


def _written(fix: Fix) -> str:
    """An expression as one writes it, and what it prints, unless that is a count."""
    shown = "" if fix.shows.isdigit() else f" ({fix.shows})"
    return f"{{{{ {fix.write} }}}}{shown}"


def _first(text: str) -> str:
    found = re.search(r"\d[\d, ]*(?:\.\d+)?|\.\d+", text)
    return found[0].replace(" ", "") if found else "0"


def _bare(number: str) -> str:
    """``1234.5`` for ``−1,234.5``; signs are matters of wording."""
    return number.lstrip(f"+{MINUS}-").replace(",", "").rstrip(".")
