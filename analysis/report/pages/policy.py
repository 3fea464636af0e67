"""What a page may do: its Content-Security-Policy, which lists its own scripts.

A browser runs a script of the page if its hash is listed, and nothing that came into
the page in another way: no attribute such as ``onclick``, no ``javascript:`` link.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping

# Tables and drawings have their widths and colours in attributes, which no hash
# covers: styles are allowed, but can ask for nothing.
_STYLE = "'unsafe-inline'"
_SCRIPTS = "script-src "
_LISTED = re.compile(f"{_SCRIPTS}(?:'none')?")


def script_hash(script: str) -> str:
    """The source expression of an inline script: of all between its tags."""
    digest = hashlib.sha256(script.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def page_policy(scripts: Iterable[str]) -> str:
    """The policy of a page that holds these inline scripts and no others."""
    hashes = " ".join(map(script_hash, scripts)) or "'none'"
    return (
        f"default-src 'none'; {_SCRIPTS}{hashes}; style-src {_STYLE}; img-src data:; "
        "font-src data:; object-src 'none'; base-uri 'none'; form-action 'none'"
    )


def with_script(html: str, script: str) -> str:
    """A page whose policy allows one more script."""
    return _LISTED.sub(f"{_SCRIPTS}{script_hash(script)} ", html, count=1)


def directives(policy: str) -> Mapping[str, frozenset[str]]:
    """The sources of each directive; of one that is there twice the first counts."""
    found: dict[str, frozenset[str]] = {}
    for part in re.split(r"[;,]", policy):
        name, *sources = part.split() or [""]
        found.setdefault(name.lower(), frozenset(sources))
    return found
