"""Reading claims that set some workloads, or a role, before others."""

from __future__ import annotations

from collections.abc import Iterable

from analysis.report.claims import claim as c
from analysis.report.claims.tokens import TokenStream

VALUE_RANKS = {
    "highest": c.Ranks("value", True, most=True),
    "lowest": c.Ranks("value", False, most=True),
    "higher": c.Ranks("value", True),
    "lower": c.Ranks("value", False),
}
_DEGREES = {"more": (True, False), "most": (True, True), "less": (False, False),
            "least": (False, True)}  # fmt: skip


def read_value_rank(words: TokenStream) -> c.Ranks | None:
    """``highest`` or ``higher``, after ``is``; None where something else comes."""
    word = words.accept_any(VALUE_RANKS)
    return VALUE_RANKS[word] if word else None


def read_change_rank(
    words: TokenStream, verb: c.Predicate, metrics: Iterable[str]
) -> c.Ranks | None:
    """``more``, ``most``, ``less`` or ``least``, after ``falls`` or ``rises``."""
    if not isinstance(verb, c.Moves):
        return None
    word = words.accept_any(_DEGREES)
    if word is None:
        return None
    more, most = _DEGREES[word]
    other: c.Subject | None = None
    if words.next == "than" and words.after in metrics:
        words.expect("than")
        metric, names = words.take(), []
        while words.accept("of"):
            names.append(words.take())
        other = c.Subject(metric, tuple(names))
    return c.Ranks("fall" if verb.sign < 0 else "rise", more, most=most, other=other)
