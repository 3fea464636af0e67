"""HTML pages beside the report's text: made from templates, each holding its style."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from analysis.report.pages.policy import page_policy

STYLE = "house.css"
Filters = Mapping[str, Callable[..., Any]]


def html_page(
    templates: Path,
    template: str,
    known: Mapping[str, Any],
    filters: Filters | None = None,
) -> str:
    """A page from a template of the folder; what it is given is escaped.

    ``scripts`` that are ``known`` are all that the page may run.
    A template that asks for what is not ``known`` raises jinja2's ``UndefinedError``.
    """
    environment = _environment(templates, *(filters or {}).items())
    policy = page_policy(known.get("scripts", ()))
    return environment.get_template(template).render({**known, "policy": policy})


@cache  # a template is compiled once, however many pages are made of it
def _environment(
    templates: Path, *filters: tuple[str, Callable[..., Any]]
) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(templates),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= dict(filters)
    return environment


def page_styles(templates: Path, fonts: str) -> str:
    """The style of a page that stands alone; ``fonts`` are its font faces, CSS."""
    return f"{fonts}\n{(templates / STYLE).read_text(encoding='utf-8')}"
