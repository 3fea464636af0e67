"""What a browser would run or load of a page, found without the project's own gate."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

from lxml import html

from tests.report.attacked import is_data

DEAD = {
    "script", "iframe", "object", "embed", "applet", "frame", "form", "input", "button",
    "base", "meta", "link", "style", "template", "textarea", "video", "audio", "img",
    "marquee", "dialog", "portal", "noscript", "xmp", "plaintext", "select", "title",
}  # fmt: skip
ADDRESS = re.compile(
    r"#|https?://|mailto:|data:(?:text/csv|image/svg\+xml);base64,"
    r"|(?:data/[\w-]+\.csv|figures/[\w-]+\.svg|explorer\.html(?:\?study=[\w-]+)?)\Z"
)
FACT = "facts.html#"
LOADING = ("srcdoc", "src", "action", "formaction")


def live(main: html.HtmlElement, facts: Set[str]) -> Iterator[str]:
    """What a browser would run or load: elements, handlers, addresses.

    ``facts`` are the places of the page of facts: a number leads to one of them.
    """
    for element in main.iter():
        if is_data(element) or is_layout(element):
            continue
        if not isinstance(element.tag, str) or element.tag in DEAD:
            yield str(element.tag)
            continue
        for name, value in element.attrib.items():
            if name.startswith("on") or name in LOADING:
                yield f"{name}={value}"
            if name.endswith("href") and not leads_to_its_place(value, facts):
                yield f"{name}={value}"


def leads_to_its_place(address: str, facts: Set[str]) -> bool:
    if address.startswith(FACT):
        return address.removeprefix(FACT) in facts
    return bool(ADDRESS.match(address))


def is_layout(element: html.HtmlElement) -> bool:
    """Whether it holds the other drawing of its figure; that is looked at as well."""
    if element.tag != "template" or dict(element.attrib) != {"class": "layout"}:
        return False
    parent = element.getparent()
    drawings = element.xpath("./svg[@class='narrow'] | ./div[@class='drawing narrow']")
    return (
        parent.tag == "figure"
        and len(parent.xpath("./template")) == 1
        and len(element) == len(drawings) == 1
    )
