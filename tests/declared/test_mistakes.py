"""Mistakes in declared entries: plain words, no names of the program's insides."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field, ValidationError

from analysis.declared.base import Declared
from analysis.declared.mistakes import form, mistakes, nearest_of

SMALL = form(r"^[a-z]+$", "small letters")


class Group(Declared):
    id: Annotated[str, Field(pattern=SMALL)]
    file: str


class Example(Declared):
    """One entry of each sort that is checked."""

    mixed: tuple[Annotated[str, Field(pattern=SMALL)] | Group, ...] = ()
    named: dict[Annotated[str, Field(pattern=SMALL)], str | int | float] = Field(
        default_factory=dict
    )
    raw: Annotated[str, Field(pattern="^x$")] = "x"
    state: Literal["draft", "final"] = "draft"
    cps: int = Field(default=1, gt=0)
    share: float = Field(default=0, ge=0, le=1)
    below: float = Field(default=0, lt=9)
    label: str = Field(default="a", min_length=1, max_length=2)
    ends: tuple[str, str] = ("a", "b")
    some: Annotated[tuple[str, ...], Field(min_length=1, max_length=1)] = ("a",)
    day: dt.date | None = None
    flag: bool = True


def told(**data: Any) -> list[tuple[tuple[Any, ...], str, str]]:
    with pytest.raises(ValidationError) as caught:
        Example.model_validate(data)
    return [(m.keys, m.what, m.mend) for m in mistakes(caught.value, data, Example)]


FIRST = ("mixed", 0)


@pytest.mark.parametrize(
    ("entry", "keys", "what", "mend"),
    [
        ("A", FIRST, "mixed → entry 1: 'A' will not do here", "write small letters"),
        (
            {"id": "a"},
            (*FIRST, "file"),
            "mixed → entry 1 → file: this entry is missing",
            "add it",
        ),
        (
            {"id": "A", "file": "f"},
            (*FIRST, "id"),
            "mixed → entry 1 → id: 'A' will not do here",
            "write small letters",
        ),
        (
            3,
            FIRST,
            "mixed → entry 1: this is nothing that may stand here",
            "write a text; one that looks like a number goes in quotes, "
            "or write entries: {name: value}",
        ),
    ],
)
def test_of_a_choice_what_the_author_meant_is_told(
    entry: Any, keys: tuple[Any, ...], what: str, mend: str
) -> None:
    assert told(mixed=[entry]) == [(keys, what, mend)]


def test_each_entry_of_a_list_is_told_by_itself() -> None:
    found = told(mixed=["A", "a", {"id": "a"}])
    assert [keys for keys, _, _ in found] == [FIRST, ("mixed", 2, "file")]


def test_a_name_that_will_not_do_is_told() -> None:
    what = "named → A b: 'A b' will not do here"
    assert told(named={"A b": 1}) == [(("named", "A b"), what, "write small letters")]


def test_an_entry_of_no_kind_is_told_once() -> None:
    ((keys, what, mend),) = told(named={"a": [1]})
    assert keys == ("named", "a")
    assert what == "named → a: this is nothing that may stand here"
    assert mend.endswith("write a whole number, or write a number")


@pytest.mark.parametrize(
    ("data", "what", "mend"),
    [
        ({"raw": "y"}, "'y' will not do here", "write it as ^x$"),
        ({"state": "done"}, "'done' is not known here", "write 'draft' or 'final'"),
        ({"cps": 0}, "0 is too small", "write more than 0"),
        ({"cps": "x"}, "this is no whole number", "write a whole number"),
        ({"cps": 1.5}, "this is no whole number", "write a whole number"),
        ({"share": -1}, "-1 is too small", "write 0 or more"),
        ({"share": 2}, "2 is too large", "write 1 or less"),
        ({"below": 9}, "9 is too large", "write less than 9"),
        ({"share": "x"}, "this is no number", "write a number"),
        ({"label": ""}, "this text is too short", "write 1 or more characters"),
        ({"label": "abc"}, "this text is too long", "write 2 or fewer characters"),
        ({"some": []}, "this has too few entries", "write 1 or more"),
        ({"some": ["a", "b"]}, "this has too many entries", "write 1 or fewer"),
        ({"ends": ["a", "b", "c"]}, "this has too many entries", "write 2 or fewer"),
        ({"day": "2026-13-01"}, "this is no day", "write it as 2026-01-31"),
        ({"day": [1]}, "this is no day", "write it as 2026-01-31"),
        ({"flag": "x"}, "this is neither true nor false", "write true or false"),
        ({"mixed": "a"}, "this is no list", "write a list: [a, b]"),
        ({"named": 1}, "this has no named entries", "write entries: {name: value}"),
    ],
)
def test_every_sort_of_mistake_has_words_and_a_mend(
    data: dict[str, Any], what: str, mend: str
) -> None:
    (name,) = data
    assert told(**data) == [((name,), f"{name}: {what}", mend)]


def test_an_item_that_a_pair_lacks_is_named() -> None:
    assert told(ends=["a"]) == [
        (("ends", 1), "ends → entry 2: this entry is missing", "add it")
    ]


def test_of_very_many_names_the_nearest_and_the_first_ones_are_listed():
    ids = [f"P{number:03}" for number in range(600)]
    mend = nearest_of("P0100", ids)
    assert mend.startswith("did you mean 'P100'? use one of: P000, P001, ")
    assert mend.endswith("P039, …")
    assert nearest_of("x", ["a", "b", "a"]) == "use one of: a, b"
    assert nearest_of("x", []) == "none is declared"
