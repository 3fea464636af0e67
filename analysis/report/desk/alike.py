"""Other words for what somebody asks for, as the search of the page has them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from analysis.report.material import Material
from analysis.report.text.glossary import read_glossary

_SCRIPT = "words.js"  # of the templates: the page has the groups within its script
_GROUPS = re.compile(r"const ALIKE = (\[\n.*?),\s*\];", re.DOTALL)
_ENDINGS = ("ies", "s")
_STEM = 3  # letters at least

Alike = Mapping[str, frozenset[str]]


def alike_words(material: Material) -> Alike:
    """What each word or term may be called as well, in lower case."""
    groups = _groups(material.templates)
    for term, entry in read_glossary(material.folder).items():
        groups.append([term.casefold(), re.split(r"[.(]", entry.name)[0].casefold()])
    found: dict[str, frozenset[str]] = {}
    for group in groups:
        for word in group:
            found[word] = found.get(word, frozenset()) | frozenset(group)
    return found


def forms_of(word: str, alike: Alike) -> tuple[str, list[str]]:
    """A word without the ending of a plural, and what else would do."""
    own = stem(word)
    others = alike.get(word, frozenset()) | alike.get(own, frozenset())
    return own, sorted(others - {own, word})


def stem(word: str) -> str:
    """A word without the ending of a plural: ``latencies`` are found by ``latenc``."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + _STEM:
            return word.removesuffix(ending)
    return word


def _groups(templates: Path) -> list[list[str]]:
    found = _GROUPS.search((templates / _SCRIPT).read_text("utf-8"))
    return json.loads(f"{found[1]}]") if found else []
