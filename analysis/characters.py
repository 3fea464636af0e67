"""Characters that no declared text may hold: nobody can see what they do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

# Control characters but tab and line ends, the ones that turn the direction of a line,
# halves of pairs, and those without a meaning of their own.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f"
    "\u202a-\u202e\u2066-\u2069\ud800-\udfff\ue000-\uf8ff\ufffe\uffff]"
)


def unseen(data: Any) -> Iterator[tuple[tuple[Any, ...], str]]:
    """Entries of plain data with such a character: their keys, and its name U+XXXX."""
    waiting: list[tuple[tuple[Any, ...], Any]] = [((), data)]
    visited: set[int] = set()  # an alias leads to the same data again
    while waiting:
        keys, value = waiting.pop()
        if isinstance(value, str):
            if found := _UNSEEN.search(value):
                yield keys, f"U+{ord(found[0]):04X}"
        elif isinstance(value, dict | list) and id(value) not in visited:
            visited.add(id(value))
            items = value.items() if isinstance(value, dict) else enumerate(value)
            for key, inner in items:
                waiting += [((*keys, key), inner), ((*keys, key), key)]
