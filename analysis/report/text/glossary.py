"""Terms of the field that an edition explains: ``report/<edition>/glossary.yaml``.

The page shows what a term means where it is first used in a section; both formats
list all terms at their end. An edition without the file has neither.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

from pydantic import Field, RootModel

from analysis.declared.base import Declared, check_declared, line_of, parse_yaml
from analysis.declared.mistakes import form
from analysis.errors import Issue, Place, raise_if
from analysis.files.limits import DECLARATION_BYTES
from analysis.files.text_file import read_text
from analysis.report.table import escape

GLOSSARY = "glossary.yaml"
GLOSSARY_FILE = "glossary.json"
_KEPT = 16  # editions whose terms are remembered: each save asks for them
_SLUG = re.compile(r"[^a-z0-9]+")

_WRITTEN = form(
    r"^[A-Za-z0-9]+(?:[ /-][A-Za-z0-9]+)*$",
    "words of letters and digits, with one space, hyphen or slash between them",
)
Written = Annotated[str, Field(pattern=_WRITTEN)]
Words = Annotated[str, Field(pattern=form(r"\S", "a text that is not blank"))]


class Term(Declared):
    """What a term stands for, and one sentence that says what it means."""

    name: Words
    means: Words


class _Terms(RootModel[dict[Written, Term]]):
    """The file: terms as they are written in the text."""


Glossary = Mapping[str, Term]


def read_glossary(folder: Path) -> Glossary:
    """The terms of the edition in ``folder``, in alphabetical order; empty without.

    A mistake in the file is a :class:`analysis.errors.UserError` with its line.
    """
    path = folder / GLOSSARY
    if not path.is_file():
        return {}
    missing = "this file is missing", "create it"
    text = read_text(path, missing, DECLARATION_BYTES, "DECLARATION_BYTES")
    return _terms(text, path)


@lru_cache(_KEPT)
def _terms(text: str, path: Path) -> Glossary:
    data, node = parse_yaml(text, path)
    terms = check_declared(data, node, _Terms, path).root
    first: dict[str, str] = {}
    issues = []
    for term in terms:
        if (other := first.setdefault(term_id(term), term)) != term:
            where = Place(str(path), line_of(node, (term,)))
            issues.append(Issue(f"{term!r} reads as {other!r} does", where, "keep one"))
    raise_if(issues)
    ordered = sorted(terms.items(), key=lambda item: item[0].casefold())
    return MappingProxyType(dict(ordered))


def term_id(term: str) -> str:
    """The anchor of a term's entry in the glossary."""
    return f"term-{_SLUG.sub('-', term.lower())}"


def glossary_entries(glossary: Glossary) -> list[dict[str, str]]:
    """The entries for the templates: ``id``, ``term`` and ``text`` as Markdown."""
    return [
        {"id": term_id(term), "term": escape(term), "text": _text(term, entry)}
        for term, entry in glossary.items()
    ]


def glossary_json(glossary: Glossary) -> str:
    """What ``glossary.lua`` reads: the anchor of each term."""
    anchors = {term: term_id(term) for term in glossary}
    return json.dumps(anchors, ensure_ascii=False, indent=1) + "\n"


def _text(term: str, entry: Term) -> str:
    name = entry.name.rstrip(".")
    means = escape(entry.means.strip())
    return means if name == term else f"*{escape(name)}.* {means}"
