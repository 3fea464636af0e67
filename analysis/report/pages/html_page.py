"""HTML pages that stand alone: their templates, styles, scripts and policy.

The policy lists the page's own scripts by hash, and a browser runs nothing that came
into the page in another way: no attribute such as ``onclick``, no ``javascript:`` link.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context

from analysis.errors import user_error
from analysis.files.templates import template_file, template_folders
from analysis.report.pages.fonts import CACHE, package_folder
from analysis.report.pages.look import STYLE, faces, look_of, styles

# What searches need, whatever they look through.
SEARCHED = ("alike.json", "ask.json", "words.js", "ask.js")
# Of the report's page.
STYLES = (STYLE, "reading.css", "search.css", "bar.css", "page.css", "narrow.css",
          "paper.css")  # fmt: skip
SCRIPTS = ("theme.js", "page.js", "notes.js", "cite.js", "figures.js",
           "marks.js", *SEARCHED,
           "entries.js", "search.js")  # fmt: skip
_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_PAPER = re.compile(r"@media print\{(?:[^{}]*\{[^{}]*\})*\}")
Filters = Mapping[str, Callable[..., Any]]
_FILTERS = ContextVar[Filters]("filters of the page that is made")
_ALLOWED = "script-src "
_LISTED = re.compile(f"{_ALLOWED}(?:'none')?")


def html_page(
    templates: Path,
    template: str,
    known: Mapping[str, Any],
    filters: Filters | None = None,
    fonts: Path = CACHE,
) -> str:
    """A page from a template of the folder; what it is given is escaped.

    ``scripts`` that are ``known`` are all that the page may run, and ``house_styles()``
    gives a template the fonts and the style of the house.
    A template that asks for what is not ``known`` raises jinja2's ``UndefinedError``.
    """

    def house_styles() -> str:
        return f"{faces(templates, fonts)}\n{styles(templates, STYLE)}"

    environment = _environment(templates, *sorted(filters or {}))
    policy = page_policy(known.get("scripts", ()))
    own = {"policy": policy, "house_styles": house_styles}
    token = _FILTERS.set(filters or {})
    try:
        page = environment.get_template(template).render({**known, **own})
    finally:
        _FILTERS.reset(token)
    look = look_of(templates)
    return look.page(page) if look else page


@cache  # a template is compiled once, however many pages are made of it
def _environment(templates: Path, *filters: str) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(template_folders(templates)),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {name: _called(name) for name in filters}
    return environment


def _called(name: str) -> Callable[..., Any]:
    """The page's filter of this name, which may hold all that the page tells of."""

    @pass_context  # without it the value of a constant would be compiled
    def call(_: Context, *given: Any) -> Any:
        return _FILTERS.get()[name](*given)

    return call


def page_head(templates: Path, fonts: Path) -> str:
    """The head of the report's page, HTML: its styles and scripts."""
    first, then = script(templates, SCRIPTS[0]), script(templates, *SCRIPTS[1:])
    # Indentation, which is for people who change a style, would weigh some kB a page.
    read = styles(templates, *STYLES)
    rules = "\n".join(line.lstrip() for line in read.split("\n"))
    style = f"<style>\n{faces(templates, fonts)}{rules}</style>"
    # In the head, so that the page answers before all of it is read.
    parts = [f"<script>{first}</script>", style, f"<script>{then}</script>\n"]
    return "\n".join(parts)


def deck_head(templates: Path, fonts: Path) -> str:
    """The head of the page of slides."""
    reveal = _PAPER.sub("", _reveal("reveal.css"))  # deck.css has a page for each slide
    deck = styles(templates, "slides/deck.css")
    scripts = [script(templates, SCRIPTS[0]), _reveal("reveal.js")]
    scripts.append(script(templates, "slides/deck.js"))
    parts = [
        "<style>\n" + "\n".join([faces(templates, fonts), reveal, deck]) + "</style>"
    ]
    parts += [f"<script>{text}</script>" for text in scripts]
    return "\n".join(parts) + "\n"


def head_policy(head: str) -> str:
    """The policy of a page with this head."""
    return page_policy(_SCRIPT.findall(head))


def _reveal(name: str) -> str:
    """A file of reveal.js, as its package brings it."""
    path = package_folder("pyreveal") / "revealjs/dist" / name
    if not path.is_file():
        mend = "remove the folder .venv, then run 'make report'"
        raise user_error("reveal.js is missing", path, mend=mend)
    return path.read_text(encoding="utf-8")


def script(templates: Path, *names: str) -> str:
    """Scripts as one; a file of JSON is a constant with its name in capitals."""
    parts = []
    for path in (template_file(templates, name) for name in names):
        text = path.read_text(encoding="utf-8")
        constant = path.suffix == ".json"
        parts.append(f"const {path.stem.upper()} = {text};\n" if constant else text)
    return "".join(parts)


def script_hash(script: str) -> str:
    """The source expression of an inline script: of all between its tags."""
    digest = hashlib.sha256(script.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def page_policy(scripts: Iterable[str]) -> str:
    """The Content-Security-Policy of a page that holds these inline scripts alone.

    Tables and drawings have their widths and colours in attributes, which no hash
    covers: styles are allowed, but can ask for nothing.
    """
    hashes = " ".join(map(script_hash, scripts)) or "'none'"
    return (
        f"default-src 'none'; {_ALLOWED}{hashes}; style-src 'unsafe-inline'; "
        "img-src data:; font-src data:; object-src 'none'; base-uri 'none'; "
        "form-action 'none'"
    )


def with_script(html: str, script: str) -> str:
    """A page whose policy allows one more script."""
    return _LISTED.sub(f"{_ALLOWED}{script_hash(script)} ", html, count=1)


def directives(policy: str) -> Mapping[str, frozenset[str]]:
    """The sources of each directive; of one that is there twice the first counts."""
    sources_of: dict[str, frozenset[str]] = {}
    for part in re.split(r"[;,]", policy):
        name, *sources = part.split() or [""]
        sources_of.setdefault(name.lower(), frozenset(sources))
    return sources_of
