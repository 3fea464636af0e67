"""What a family of words asserts."""

from __future__ import annotations

from typing import Literal, NamedTuple

Kind = Literal[
    "moves", "quality", "same", "unsure", "sure", "ratio", "size", "rank", "growth",
    "scatter", "modes", "again", "share",
]  # fmt: skip
Of = Literal["", "benchmark", "cpu"]


class Sense(NamedTuple):
    """What a family of words asserts.

    ``sign`` is +1 for up and better, −1 for down and worse, 0 where the words leave it
    open. ``of`` says which metrics are meant where none is named: those of a benchmark,
    or CPU costs. ``factor`` is the ratio that the words name.
    """

    kind: Kind
    words: str
    sign: int = 0
    of: Of = ""
    factor: float = 0.0
