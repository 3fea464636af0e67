"""What may run in a page or a drawing: nothing but the scripts that its policy lists.

Browsers run what attributes, links and some elements say. A page of ours has none of
these, and its policy lists its own scripts by hash, so that nothing else runs.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote_to_bytes

from lxml import etree

from analysis.report.pages.policy import directives, script_hash

Found = Iterator[tuple[str, str]]
_MEND = "take it out of the text or the declaration that it came from, and build again"
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
DATA = "application/json"  # what an element of this type holds is never run


def check_active(root: Any) -> Found:
    """What would run or lead out of a tree of HTML or SVG: what it is, and the cure."""
    for element in root.iter():
        if isinstance(element, etree._ProcessingInstruction):
            yield f"an instruction to the reader: <?{element.target}", _MEND
        if not isinstance(element.tag, str):
            continue
        tag = _local(element.tag)
        if tag in _ELEMENTS:
            yield f"an element that may run or load something: <{tag}>", _MEND
        if tag == "meta" and _equivalent(element) == "refresh":
            yield "a page that leads elsewhere by itself: <meta refresh>", _MEND
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
        if script.get("type") != DATA
    ]
    if set(scripts) - listed:
        yield "a script that the page's policy does not list", _MEND
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
        yield "a drawing with declarations of its own: <!DOCTYPE", _MEND
    for before in tree.xpath("/processing-instruction()"):
        yield f"an instruction to the reader: <?{before.target}", _MEND
    yield from check_active(root)
    for element in root.iter("{*}script"):
        yield f"a script in a drawing: {(element.text or '')[:40]!r}", _MEND


def _equivalent(meta: Any) -> str:
    return str(meta.get("http-equiv", "")).strip().lower()


def _attribute(tag: str, name: str, value: str) -> Found:
    if name.startswith("on") or name in _ATTRIBUTES:
        yield f"an attribute that may run or load something: {name} of <{tag}>", _MEND
    if _WORDS.fullmatch(name):
        return
    address = _SKIPPED.sub("", value[:200])
    if _SCRIPT.search(address) if name == "style" else _SCRIPT.match(address):
        yield f"a script in an attribute: {name} of <{tag}>", _MEND
    if name == "style" and _STYLE.search(value):
        yield f"a script in an attribute: {name} of <{tag}>", _MEND
    if _DOCUMENT.match(address):
        yield f"a page in an attribute: {name} of <{tag}>", _MEND
    if drawing := _DRAWING.match(value.strip()):
        if tag == "use":
            yield f"a drawing of another file: {name} of <{tag}>", _MEND
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
