"""What was seen, packed into lines that one copies from a page.

JSON, compressed and in base64: a tenth of what ``review.yaml`` says in words. It is
untrusted, so its size is limited before it is unpacked, and nothing but texts is taken.
"""

from __future__ import annotations

import base64
import json
import textwrap
import zlib
from functools import lru_cache

from pydantic import TypeAdapter

from analysis.files.limits import DECLARATION_BYTES
from analysis.report.review.seen import PARTS, Seen

_COLUMNS = 76
_KEPT = 256  # studies that are remembered: a page tells of all when one changes
_PARTS = TypeAdapter(dict[str, dict[str, str]])


def packed(seen: Seen) -> str:
    """What was seen, as lines of letters and digits; equal parts give equal lines."""
    return _packed(json.dumps(seen.parts, sort_keys=True, ensure_ascii=False))


@lru_cache(_KEPT)
def _packed(told: str) -> str:
    lines = base64.b64encode(zlib.compress(told.encode(), 9)).decode()
    return "\n".join(textwrap.wrap(lines, _COLUMNS))


def unpacked(text: str) -> Seen | None:
    """What :func:`packed` packed; None where the text is nothing of that kind."""
    try:
        inflate = zlib.decompressobj()
        data = base64.b64decode("".join(text.split()), validate=True)
        told = inflate.decompress(data, DECLARATION_BYTES)
        parts = _PARTS.validate_json(told)
    except (ValueError, zlib.error):
        return None
    return Seen(**parts) if parts.keys() <= set(PARTS) else None
