"""What a page must not have when others read it: dead links, requests, mute images."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from lxml import etree, html

from analysis.errors import Issue, Place
from analysis.report.pages.active import check_active, check_drawing, check_policy

# Attributes whose address a browser fetches by itself.
_FETCHED = ("src", "srcset", "poster", "data", "background", "xlink:href", "ping")
_FETCHING_LINKS = {"stylesheet", "icon", "preload", "prefetch", "modulepreload"}
_CSS_REQUEST = re.compile(
    r"""(?:url\(\s*["']?|@import\s+["'])(?!data:|\#)([^"')\s]+)"""
)
_SCRIPT_REQUEST = re.compile(
    r"\b(?:fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon|importScripts)\s*\("
    r"|\bimport\s*\("
)
_PAGES = 16  # whose anchors are remembered
_LINK_MEND = "correct the link in the text, and build again"
_OFFLINE_MEND = "put the file into the report; a page may ask the network for nothing"


def check_page(path: Path, files: Collection[str]) -> list[Issue]:
    """What is wrong with a page; ``files`` are the names that lie beside it."""
    where = Place(str(path))
    try:
        root = html.document_fromstring(path.read_bytes())
    except etree.ParserError as error:
        return [Issue(f"not a page that can be read: {error}", where, _LINK_MEND)]
    found = (
        *_links(root, path, files),
        *_requests(root),
        *_images(root),
        *check_active(root),
        *check_policy(root),
    )
    return [Issue(what, where, mend) for what, mend in dict.fromkeys(found)]


def check_svg(path: Path) -> list[Issue]:
    """What is wrong with a drawing that a browser may open by itself."""
    found = dict.fromkeys(check_drawing(path.read_bytes()))
    return [Issue(what, Place(str(path)), mend) for what, mend in found]


def _links(root: Any, page: Path, files: Collection[str]) -> Iterator[tuple[str, str]]:
    ids = _anchors(root)
    for target in root.xpath("//a/@href"):
        parts = urlsplit(target)
        if parts.scheme in ("http", "https", "mailto", "data"):
            continue
        if parts.scheme or parts.netloc:
            yield f"a link with an unknown scheme: {target}", _LINK_MEND
        elif not parts.path:
            if unquote(parts.fragment) not in ids:
                yield f"a link to nothing: {target}", _LINK_MEND
        elif (name := unquote(parts.path).removeprefix("./")) not in files:
            yield f"a link to a file that is not there: {target}", _LINK_MEND
        elif unquote(parts.fragment) not in _anchors_of(page.parent / name):
            yield f"a link to nothing: {target}", _LINK_MEND


def _anchors(root: Any) -> frozenset[str]:
    """What a link can lead to within a page; the page itself has an empty name."""
    return frozenset({*root.xpath("//@id"), *root.xpath("//a/@name"), ""})


def _anchors_of(page: Path) -> frozenset[str]:
    """The anchors of another page; what is no page has none."""
    if page.suffix != ".html" or not page.is_file():
        return frozenset({""})
    state = page.stat()
    return _read_anchors(page, (state.st_mtime_ns, state.st_size, state.st_ino))


@lru_cache(_PAGES)
def _read_anchors(page: Path, _: tuple[int, ...]) -> frozenset[str]:
    try:
        return _anchors(html.document_fromstring(page.read_bytes()))
    except etree.ParserError:
        return frozenset({""})


def _requests(root: Any) -> Iterator[tuple[str, str]]:
    for element in root.iter():
        if not isinstance(element.tag, str):
            continue
        for address in _addresses(element):
            yield f"<{element.tag}> asks for {address[:80]}", _OFFLINE_MEND
        for css in (element.get("style", ""), _text(element, "style")):
            for address in _CSS_REQUEST.findall(css):
                yield f"a style asks for {address[:80]}", _OFFLINE_MEND
        for call in _SCRIPT_REQUEST.findall(_text(element, "script")):
            yield f"a script may ask the network: {call}", _OFFLINE_MEND


def _addresses(element: Any) -> Iterator[str]:
    for name in _FETCHED:
        value = element.get(name, "").strip()
        if value and not value.startswith(("data:", "#")):
            yield value
    if element.tag in ("link", "image", "use", "base"):
        kinds = set(element.get("rel", "icon").split())
        value = element.get("href", "")
        if value and kinds & _FETCHING_LINKS and not value.startswith(("data:", "#")):
            yield value


def _images(root: Any) -> Iterator[tuple[str, str]]:
    mend = "give the figure an alt text in its study.yaml"
    for image in root.xpath("//img[not(normalize-space(@alt))]"):
        if image.get("role") != "presentation" and image.get("alt") is None:
            yield "an image without an alt text", mend
    drawings = root.xpath(
        "//*[local-name()='svg'][not(ancestor::*[local-name()='svg'])]"
    )
    for drawing in drawings:
        hidden = drawing.xpath("ancestor-or-self::*[@aria-hidden='true']")
        named = drawing.xpath("ancestor-or-self::*[@aria-label or @aria-labelledby]")
        if not hidden and not named and not drawing.xpath("*[local-name()='title']"):
            yield f"a drawing without an alt text: {drawing.get('id', '')}", mend


def _text(element: Any, tag: str) -> str:
    return (element.text or "") if element.tag == tag else ""
