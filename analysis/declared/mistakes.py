"""Mistakes in declared entries, in plain words: where, what, and how to mend it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel, ValidationError

from analysis.declared.schema import entries_at

_FORMS: dict[str, str] = {}
_TEXT = ("this is no text", "write a text; one that looks like a number goes in quotes")
_NAMED = ("this has no named entries", "write entries: {{name: value}}")
_LIST = ("this is no list", "write a list: [a, b]")
_BOOL = ("this is neither true nor false", "write true or false")
_WHOLE = ("this is no whole number", "write a whole number")
_NUMBER = ("this is no number", "write a number")
_SMALL = "{input} is too small"
_LARGE = "{input} is too large"
# By the type of pydantic's error; fields in braces are its context and the input.
_WORDS = {
    "extra_forbidden": (
        "there is no such entry",
        "look for a slip of the pen, or remove it",
    ),
    "missing": ("this entry is missing", "add it"),
    "string_type": _TEXT,
    "tuple_type": _LIST,
    "list_type": _LIST,
    "dict_type": _NAMED,
    "model_type": _NAMED,
    "bool_type": _BOOL,
    "bool_parsing": _BOOL,
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_from_float": _WHOLE,
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "finite_number": ("this is no finite number", "write a number"),
    "literal_error": ("{input!r} is not known here", "write {expected}"),
    "greater_than": (_SMALL, "write more than {gt:g}"),
    "greater_than_equal": (_SMALL, "write {ge:g} or more"),
    "less_than": (_LARGE, "write less than {lt:g}"),
    "less_than_equal": (_LARGE, "write {le:g} or less"),
    "string_too_short": (
        "this text is too short",
        "write {min_length} or more characters",
    ),
    "string_too_long": (
        "this text is too long",
        "write {max_length} or fewer characters",
    ),
    "too_short": ("this has too few entries", "write {min_length} or more"),
    "too_long": ("this has too many entries", "write {max_length} or fewer"),
}
_LISTED = 40  # names at the most
_DAY = ("this is no day", "write it as 2026-01-31")


@dataclass(frozen=True)
class Mistake:
    """One mistake: the keys that lead to its entry, what is wrong, how to mend it."""

    keys: tuple[Any, ...]
    what: str
    mend: str


@dataclass(frozen=True)
class _Placed:
    """An error, the keys that are in the data, and those of its choice, if in one.

    ``other_kind`` is whether the entry is of another kind than this branch of the
    choice.
    """

    item: Any
    keys: tuple[Any, ...]
    names: tuple[str, ...]
    choice: tuple[Any, ...] | None
    other_kind: bool


def form(pattern: str, words: str) -> str:
    """The pattern itself; a text that does not match is told what to write."""
    _FORMS[pattern] = words
    return pattern


def form_of(pattern: str) -> str:
    """The words of a pattern that :func:`form` knows; empty otherwise."""
    return _FORMS.get(pattern, "")


def mistakes(
    error: ValidationError, data: Any, model: type[BaseModel]
) -> list[Mistake]:
    """What is wrong with ``data``; of a choice, the branch that the author meant.

    ``model`` knows the names that an unknown one may stand for.
    """
    placed = [_place(item, data) for item in error.errors()]
    meant = {
        one.keys: near
        for one in placed
        if one.item["type"] == "extra_forbidden"
        for near in nearest(str(one.keys[-1]), entries_at(model, one.keys[:-1]))
    }
    slips = {(*keys[:-1], near) for keys, near in meant.items()}
    groups: dict[Any, list[_Placed]] = {}
    for number, one in enumerate(placed):
        if one.item["type"] != "missing" or one.keys not in slips:
            group = number if one.choice is None else one.choice
            groups.setdefault(group, []).append(one)
    return [
        replace(mistake, mend=f"did you mean {meant[mistake.keys]!r}?")
        if mistake.keys in meant
        else mistake
        for group in groups.values()
        for mistake in _mistakes_in(group)
    ]


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """The known name that one was meant for, if one is near."""
    return difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)


def nearest_of(name: str, known: Iterable[str]) -> str:
    """How to mend an unknown name: the nearest known one, and all of them, if they are
    not very many."""
    names = list(dict.fromkeys(known))
    near = "".join(f"did you mean {one!r}? " for one in nearest(name, names))
    listed = ", ".join([*names[:_LISTED], *["…"] * (len(names) > _LISTED)])
    return f"{near}use one of: {listed}" if names else "none is declared"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """How to mend a name: those most like it, or all where none is like it."""
    names = list(known)
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.6)
    if near:
        return f"did you mean {' or '.join(near)}?"
    return f"use one of: {', '.join(names)}" if names else ""


def _place(item: Any, data: Any) -> _Placed:
    """Tell the keys of an error from the names of models and types among them."""
    keys, names, here = list[Any](), list[str](), data
    choice, outside = None, False
    for number, part in enumerate(item["loc"], start=1):
        is_list = isinstance(here, list | tuple)
        absent = item["type"] == "missing" and number == len(item["loc"])
        inside = (is_list and isinstance(part, int)) or (
            isinstance(here, Mapping) and part in here
        )
        outside = not (inside or absent)
        if outside:
            choice = tuple(keys) if choice is None else choice
            continue
        names.append(f"entry {part + 1}" if is_list else str(part))
        here = here[part] if inside and not absent else None
        keys.append(part)
    other_kind = outside and item["type"].endswith("_type")
    return _Placed(item, tuple(keys), tuple(names), choice, other_kind)


def _mistakes_in(group: list[_Placed]) -> list[Mistake]:
    """The mistakes of one error, or of the branches of a choice."""
    meant = [one for one in group if not one.other_kind]
    if meant or len(group) == 1:
        texts = [(one, *_words(one.item)) for one in meant or group]
        return [Mistake(one.keys, _at(one, what), mend) for one, what, mend in texts]
    mends = dict.fromkeys(_words(one.item)[1] for one in group)
    what = _at(group[0], "this is nothing that may stand here")
    return [Mistake(group[0].keys, what, ", or ".join(mends))]


def _at(placed: _Placed, what: str) -> str:
    where = " → ".join(placed.names)
    return f"{where}: {what}" if where else what


def _words(item: Any) -> tuple[str, str]:
    """What is wrong, and how to mend it."""
    known = {"input": item["input"], **item.get("ctx", {})}
    if item["type"] == "string_pattern_mismatch":
        wanted = _FORMS.get(known["pattern"], f"it as {known['pattern']}")
        return f"{item['input']!r} will not do here", f"write {wanted}"
    if item["type"].startswith("date_"):
        return _DAY
    if item["type"] not in _WORDS:
        what, _, mend = item["msg"].removeprefix("Value error, ").partition("; ")
        return what, mend
    what, mend = _WORDS[item["type"]]
    if item["type"] == "literal_error":
        near = nearest(str(known["input"]), re.findall(r"'([^']*)'", known["expected"]))
        mend = "".join(f"did you mean {name!r}? " for name in near) + mend
    return what.format(**known), mend.format(**known)
