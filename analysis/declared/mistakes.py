"""Mistakes in declared entries, in plain words: where, what, and how to mend it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
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
_DAY = ("this is no day", "write it as 2026-01-31")


@dataclass(frozen=True)
class Mistake:
    """One mistake: the keys that lead to its entry, what is wrong, how to mend it."""

    keys: tuple[Any, ...]
    what: str
    mend: str


@dataclass(frozen=True)
class _Found:
    """An error, the keys that are in the data, and those of its choice, if in one.

    ``whole`` is whether the entry is of another kind than this branch of the choice.
    """

    item: Any
    keys: tuple[Any, ...]
    names: tuple[str, ...]
    choice: tuple[Any, ...] | None
    whole: bool


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
    found = [_find(item, data) for item in error.errors()]
    meant = {
        one.keys: near
        for one in found
        if one.item["type"] == "extra_forbidden"
        for near in nearest(str(one.keys[-1]), entries_at(model, one.keys[:-1]))
    }
    slips = {(*keys[:-1], near) for keys, near in meant.items()}
    found = [
        one for one in found if one.item["type"] != "missing" or one.keys not in slips
    ]
    return [
        replace(mistake, mend=f"did you mean {meant[mistake.keys]!r}?")
        if mistake.keys in meant
        else mistake
        for group in _by_choice(found)
        for mistake in _tell(group)
    ]


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """The known name that one was meant for, if one is near."""
    return difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)


def _find(item: Any, data: Any) -> _Found:
    """Tell the keys of an error from the names of models and types among them."""
    keys: list[Any] = []
    names, here = [], data
    choice, whole = None, False
    for number, part in enumerate(item["loc"], start=1):
        absent = item["type"] == "missing" and number == len(item["loc"])
        inside = (isinstance(here, Mapping) and part in here) or (
            isinstance(here, list | tuple) and isinstance(part, int)
        )
        whole = not (inside or absent)
        if whole:
            choice = tuple(keys) if choice is None else choice
            continue
        names.append(
            f"entry {part + 1}" if isinstance(here, list | tuple) else str(part)
        )
        here = here[part] if inside and not absent else None
        keys.append(part)
    whole = whole and item["type"].endswith("_type")
    return _Found(item, tuple(keys), tuple(names), choice, whole)


def _by_choice(found: list[_Found]) -> Iterator[list[_Found]]:
    groups: dict[Any, list[_Found]] = {}
    for number, one in enumerate(found):
        groups.setdefault(number if one.choice is None else one.choice, []).append(one)
    yield from groups.values()


def _tell(group: list[_Found]) -> list[Mistake]:
    told = [one for one in group if not one.whole]
    if told or len(group) == 1:
        return [Mistake(f.keys, _what(f), _words(f.item)[1]) for f in told or group]
    mends = dict.fromkeys(_words(one.item)[1] for one in group)
    what = _what(group[0], "this is nothing that may stand here")
    return [Mistake(group[0].keys, what, ", or ".join(mends))]


def _what(found: _Found, words: str = "") -> str:
    where = " → ".join(found.names)
    message = words or _words(found.item)[0]
    return f"{where}: {message}" if where else message


def _words(item: Any) -> tuple[str, str]:
    """What is wrong, and how to mend it."""
    known = {"input": item["input"], **item.get("ctx", {})}
    if item["type"] == "string_pattern_mismatch":
        wanted = _FORMS.get(known["pattern"], f"it as {known['pattern']}")
        return f"{item['input']!r} will not do here", f"write {wanted}"
    if item["type"].startswith("date_"):
        return _DAY
    what, mend = _WORDS.get(item["type"], ("", ""))
    message = item["msg"].removeprefix("Value error, ")
    if item["type"] == "literal_error":
        near = nearest(str(known["input"]), re.findall(r"'([^']*)'", known["expected"]))
        mend = "".join(f"did you mean {name!r}? " for name in near) + mend
    if what:
        return what.format(**known), mend.format(**known)
    told, _, cure = message.partition("; ")
    return told, cure
