"""What was seen, packed into lines that one copies from a page.

JSON, compressed and in base64: a tenth of what ``review.yaml`` says in words.
"""

from __future__ import annotations

import base64
import json
import textwrap
import zlib
from collections.abc import Mapping

_COLUMNS = 76


def packed_lines(parts: Mapping[str, Mapping[str, str]]) -> str:
    """Parts by their names as lines of letters and digits; equal ones give the same."""
    told = json.dumps(parts, sort_keys=True, ensure_ascii=False)
    lines = base64.b64encode(zlib.compress(told.encode(), 9)).decode()
    return "\n".join(textwrap.wrap(lines, _COLUMNS))
