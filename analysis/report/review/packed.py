"""Lines that one copied from a page, as what was seen.

They are untrusted, so their size is limited before they are unpacked, and nothing but
texts is taken.
"""

from __future__ import annotations

import base64
import zlib

from pydantic import TypeAdapter

from analysis.files.limits import DECLARATION_BYTES
from analysis.report.review.seen import PARTS, Seen

_PARTS = TypeAdapter(dict[str, dict[str, str]])


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
