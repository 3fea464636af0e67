"""One kind of remark: its words, and what they are called in lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Values = Mapping[str, Any]


@dataclass(frozen=True)
class Kind:
    """One kind of remark; one that ``voids`` leaves a change without a verdict."""

    words: str | Callable[[Values], str]
    name: str = ""
    note: str = ""
    voids: bool = False

    def describe(self, values: Values) -> str:
        """The words with the values in their places."""
        if callable(self.words):
            return self.words(values)
        if "low" in values:
            values = {**values, "range": _range(values["low"], values["high"])}
        return self.words.format_map(values)


def _range(low: float, high: float) -> str:
    first, last = f"{low:.3g}", f"{high:.3g}"
    return first if first == last else f"{first} to {last}"
