"""The expressions that print a number which somebody typed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from analysis.errors import Fix
from analysis.facts.units import MINUS
from analysis.report.language.expression import expression_of, forms
from analysis.report.material import Material

_SHOWN = 3
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def print_fixes(material: Material, study: str | None, typed: str) -> tuple[Fix, ...]:
    """What prints the number of ``typed``, of the study itself before others."""
    wanted, percent = _plain(typed), "%" in typed or "cent" in typed
    found = [
        Fix("print", call, typed=typed, shows=shows)
        for value, unit, call, shows in _printed(material, study)
        if wanted and (value, unit == "%") == (wanted, percent)
    ]
    return tuple(sorted(found, key=lambda fix: fix.shows != typed)[:_SHOWN])


def _printed(
    material: Material, study: str | None
) -> Iterator[tuple[str, str, str, str]]:
    """Value, unit, expression and text of every form of a fact."""
    for fact in sorted(material.facts.facts, key=lambda f: (f.study != study, f.key)):
        for shows, way in forms(fact):
            if " to " not in shows:
                call = expression_of(fact, material.studies, fact.study == study) + way
                yield _plain(shows), fact.unit, call, shows


def _plain(text: str) -> str:
    number = _NUMBER.search(text.replace(MINUS, ""))
    return number[0].replace(",", "") if number else ""
