"""Editions and pages of hostile texts: how to make them, and what to look for."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import yaml

from analysis.declared.names import TITLE
from analysis.files.limits import TITLE_CHARACTERS
from analysis.report.checks.claims import check_texts
from analysis.report.document.assemble import assemble
from analysis.report.material import Sources, read_material
from analysis.report.review.state import reviews

Change = Callable[[Any], None]
FINE = re.compile(
    r"#|https?://|data:(?:text/csv|image/svg)|(?:[\w./-]+|facts\.html#[\w-]+|explorer\.html\?study=[\w-]+)\Z"
)


def change(path: Path, how: Change) -> None:
    """Load a declaration, change it, and write it again."""
    data = yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)
    how(data)
    path.write_text(yaml.safe_dump(data, allow_unicode=True, sort_keys=False), "utf-8")


def titles(texts: Iterable[str]) -> list[str]:
    """Those of the texts that may be titles, which have limits of their own."""
    return [
        text
        for text in texts
        if len(text) <= TITLE_CHARACTERS and re.match(TITLE, text)
    ]


def document(project: Sources, out: Path) -> Path:
    """The document of the edition, assembled."""
    checked = check_texts(read_material("small", project))
    assemble(checked, reviews(checked), project.templates, out)
    return out


def skeleton(text: str) -> str:
    """What no typographic sign changes."""
    return re.sub(r"[^A-Za-z0-9<>(){}\[\]=/]", "", text)


def is_data(element: Any) -> bool:
    """Whether it is the block of data of a page, which runs nothing and ends nowhere.

    Its JSON has no ``<``, so that no word of it ends the element.
    """
    about = {"type": "application/json", "id": "cards"}
    if element.tag != "script" or dict(element.attrib) != about or len(element):
        return False
    if "<" in element.text or not isinstance(json.loads(element.text), dict):
        return False
    again = element.xpath("preceding::script[@id='cards']")
    return element.getparent().get("id") == "text" and not again


def strange(root: Any) -> Iterator[tuple[str, str, str]]:
    """Attributes and elements that a report never has; found without the gate."""
    for element in root.iter("script", "iframe", "object", "embed", "base", "form"):
        in_head = element.tag == "script" and element.getparent().tag == "head"
        if not in_head and not is_data(element):
            yield element.tag, "", ""
    for element in root.iter():
        if not isinstance(element.tag, str):
            continue
        for name, value in element.attrib.items():
            leads = name in ("href", "src") or name.endswith(":href")
            fine = FINE.match(value)
            if name.startswith("on") or name == "srcdoc" or (leads and not fine):
                yield element.tag, name, value
