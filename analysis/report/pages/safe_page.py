"""What a page must not have when others read it: dead links, requests, mute images, and
whatever would run.

Browsers run what attributes, links and some elements say. A page of ours has none of
these, and its policy lists its own scripts by hash, so that nothing else runs.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, unquote_to_bytes, urlsplit

from lxml import etree, html

from analysis.errors import Issue, Place
from analysis.report.pages.html_page import directives, script_hash

Found = Iterator[tuple[str, str]]
_TAKE_OUT = (
    "take it out of the text or the declaration that it came from, and build again"
)
_POLICY_MEND = "build the edition again: make report"
_ELEMENTS = {
    "iframe", "frame", "frameset", "object", "embed", "applet", "portal", "form",
    "base", "foreignobject", "animate", "animatemotion", "animatetransform", "set",
    "handler", "listener",
}  # fmt: skip
_ATTRIBUTES = {"srcdoc", "action", "formaction", "background", "manifest"}
# What these attributes say is shown or read out, and leads nowhere.
_WORDS = re.compile(
    r"content|alt|title|label|placeholder|value|download|(aria|data)-.*"
)
_SCRIPT = re.compile(r"(?:java|vb|live)script:|mocha:", re.IGNORECASE)
_DOCUMENT = re.compile(r"data:(?:text|application)/[\w.+-]*(?:html|xml)", re.IGNORECASE)
_DRAWING = re.compile(r"data:image/svg\+xml([^,]*),(.*)", re.IGNORECASE | re.DOTALL)
_SKIPPED = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029]+")  # by browsers, in a scheme
_STYLE = re.compile(r"expression\s*\(|(?<![\w-])behavior\s*:", re.IGNORECASE)
_HASH = re.compile(r"'sha(?:256|384|512)-[A-Za-z0-9+/]+=*'")
_CSP = "content-security-policy"
_NONE = frozenset({"'none'"})
# What an element of these types holds is never run.
DATA = ("application/json", "application/ld+json")
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


def _links(root: Any, page: Path, files: Collection[str]) -> Found:
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


def _requests(root: Any) -> Found:
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


def _images(root: Any) -> Found:
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


def check_active(root: Any) -> Found:
    """What would run or lead out of a tree of HTML or SVG: what it is, and the cure."""
    for element in root.iter():
        if isinstance(element, etree._ProcessingInstruction):
            yield f"an instruction to the reader: <?{element.target}", _TAKE_OUT
        if not isinstance(element.tag, str):
            continue
        tag = _local(element.tag)
        if tag in _ELEMENTS:
            yield f"an element that may run or load something: <{tag}>", _TAKE_OUT
        if tag == "meta" and _equivalent(element) == "refresh":
            yield "a page that leads elsewhere by itself: <meta refresh>", _TAKE_OUT
        for name, value in element.attrib.items():
            yield from _attribute(tag, _local(name), value)


def check_policy(root: Any) -> Found:
    """What a page's policy lacks, and scripts that it does not list."""
    before = root.xpath("//head/meta[@http-equiv][not(preceding::script)]")
    policies = [meta.get("content", "") for meta in before if _equivalent(meta) == _CSP]
    if not policies:
        yield "a page without a policy of what may run in it", _POLICY_MEND
        return
    policy = directives(policies[0])
    for name in ("default-src", "base-uri", "form-action"):
        if policy.get(name) != _NONE:
            yield f"the page's policy allows more than {name} 'none'", _POLICY_MEND
    listed = policy.get("script-src", _NONE) - _NONE
    for source in sorted(listed):
        if not _HASH.fullmatch(source):
            yield f"the page's policy allows scripts by {source}", _POLICY_MEND
    scripts = [
        script_hash(script.text or "")
        for script in root.iter("script")
        if script.get("type") not in DATA
    ]
    if set(scripts) - listed:
        yield "a script that the page's policy does not list", _TAKE_OUT
    if listed - set(scripts):
        yield "the page's policy lists a script that is not there", _POLICY_MEND


def check_drawing(content: bytes) -> Found:
    """What would run in an SVG file that a browser opens by itself."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        yield f"not a drawing that can be read: {error}", _POLICY_MEND
        return
    tree = root.getroottree()
    if tree.docinfo.internalDTD is not None:
        yield "a drawing with declarations of its own: <!DOCTYPE", _TAKE_OUT
    for before in tree.xpath("/processing-instruction()"):
        yield f"an instruction to the reader: <?{before.target}", _TAKE_OUT
    yield from check_active(root)
    for element in root.iter("{*}script"):
        yield f"a script in a drawing: {(element.text or '')[:40]!r}", _TAKE_OUT


def _equivalent(meta: Any) -> str:
    return str(meta.get("http-equiv", "")).strip().lower()


def _attribute(tag: str, name: str, value: str) -> Found:
    if name.startswith("on") or name in _ATTRIBUTES:
        yield (
            f"an attribute that may run or load something: {name} of <{tag}>",
            _TAKE_OUT,
        )
    if _WORDS.fullmatch(name):
        return
    address = _SKIPPED.sub("", value[:200])
    if _SCRIPT.search(address) if name == "style" else _SCRIPT.match(address):
        yield f"a script in an attribute: {name} of <{tag}>", _TAKE_OUT
    if name == "style" and _STYLE.search(value):
        yield f"a script in an attribute: {name} of <{tag}>", _TAKE_OUT
    if _DOCUMENT.match(address):
        yield f"a page in an attribute: {name} of <{tag}>", _TAKE_OUT
    if drawing := _DRAWING.match(value.strip()):
        if tag == "use":
            yield f"a drawing of another file: {name} of <{tag}>", _TAKE_OUT
        yield from check_drawing(_decoded(drawing[1], drawing[2]))


def _decoded(kind: str, data: str) -> bytes:
    content = unquote_to_bytes(data)
    if not kind.lower().endswith(";base64"):
        return content
    try:
        return base64.b64decode(content)
    except binascii.Error:
        return content


def _local(name: str) -> str:
    """A name without its namespace or prefix, in small letters."""
    return re.split(r"[}:]", name)[-1].lower()
