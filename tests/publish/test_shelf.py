"""Which release is current, which goes, which stands first: by shelves made by hand."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from analysis.errors import UserError
from analysis.publish import publication
from analysis.publish.build import MOST
from analysis.publish.bundle import Bundle
from analysis.publish.publication import (
    Options,
    _chosen,
    removable,
    surplus,
    takes_over,
    with_release,
)
from analysis.publish.release import Release, Shelf
from analysis.publish.site import (
    feed,
    list_page,
    listed_current,
    listed_editions,
    pointer_page,
)

TEMPLATES = Path("templates")
NOWHERE: Any = SimpleNamespace(name="/srv")


def made(id: str, sequence: int = 0, current: bool = False, **about) -> Release:
    told = {
        "edition": "a", "date": "2026-01-01", "title": f"Title {id}", "draft": False,
        "published": "2026-01-01T00:00:00Z", "files": {"index.html": "0" * 64},
    } | about  # fmt: skip
    return Release.model_construct(build=id, sequence=sequence, current=current, **told)


def shelf_of(marks: str) -> list[Release]:
    """Newest first: ``f`` is final, ``d`` a draft; capital letters are current."""
    count = len(marks)
    return [
        made(f"{count - n}", count - n, mark.isupper(), draft=mark.lower() == "d")
        for n, mark in enumerate(marks)
    ]


def coming(id: str = "new", draft: bool = False) -> Release:
    return made(id, draft=draft, files={"x": "1"})


def shelf_with(releases: list[Release], page: bytes = b"") -> Shelf:
    return Shelf(tuple(releases), {}, {}, {"index.html": page})


@pytest.mark.parametrize(
    ("marks", "draft", "asked", "takes"),
    [
        ("", True, False, True),
        ("F", False, False, True),
        ("D", True, False, True),
        ("F", True, False, False),
        ("F", True, True, True),
        ("dF", True, False, False),
        ("fD", True, False, True),
        ("f", True, False, True),
    ],
)
def test_a_draft_takes_no_final_releases_place(marks, draft, asked, takes) -> None:
    assert takes_over(coming(draft=draft), shelf_of(marks), asked) is takes


@pytest.mark.parametrize(
    ("marks", "keep", "gone"),
    [
        ("Fff", None, ""), ("Fff", 3, ""), ("Fff", 2, "1"), ("Fff", 1, "21"),
        ("ffF", 1, "2"),  # the current one stays
        ("DdfF", 1, "3"),  # the newest final one stays, and the current one
        ("Dddf", 1, "32"),
        ("Dfff", 2, "21"),
    ],
)  # fmt: skip
def test_what_is_beyond_the_newest_goes(marks: str, keep, gone: str) -> None:
    assert "".join(r.build for r in surplus(shelf_of(marks), keep)) == gone


@pytest.mark.parametrize(
    ("marks", "keep", "draft", "gone"),
    [
        ("Ff", 1, False, "1"),
        ("Fff", 2, False, "21"),
        ("ff", 1, False, ""),  # without a current one nothing goes
        ("fF", 1, True, ""),
        ("Dff", 1, True, "1"),
    ],
)
def test_what_may_go_before_a_bundle_has_come(marks, keep, draft, gone) -> None:
    found = removable(shelf_of(marks), coming(draft=draft), keep)
    assert "".join(r.build for r in found) == gone


def test_the_bundle_itself_does_not_go_before_it_comes_again() -> None:
    found = removable(shelf_of("fFf"), coming("1"), 1)
    assert [r.build for r in found] == []
    assert [r.build for r in removable(shelf_of("fFf"), coming("x"), 1)] == ["1"]


def test_a_bundle_is_the_next_of_its_edition() -> None:
    found = with_release(coming(), shelf_of("Ff"), current=True, news="n")
    told = [(r.build, r.sequence, r.current) for r in found]
    assert told == [("new", 3, True), ("2", 2, False), ("1", 1, False)]
    assert (found[0].news, found[0].files) == ("n", {"x": "1"})
    kept = with_release(coming(), shelf_of("Ff"), current=False)
    assert [r.current for r in kept] == [False, True, False]
    again = with_release(coming("1"), shelf_of("Ff"), current=True)
    told = [(r.build, r.sequence, r.current) for r in again]
    assert told == [("1", 3, True), ("2", 2, False)]
    same = with_release(coming("1"), shelf_of("fF"), current=True)
    assert [(r.build, r.sequence) for r in same] == [("2", 2), ("1", 1)]
    beside = with_release(coming("1"), shelf_of("Ff"), current=False)
    assert [(r.build, r.sequence) for r in beside] == [("2", 2), ("1", 1)]
    assert with_release(coming(), [], current=True)[0].sequence == 1
    assert with_release(coming(), [made("9", MOST)], True)[0].sequence == MOST


def test_releases_stand_by_edition_and_newest_first() -> None:
    one, two = made("1", 1, published="2026-05-01T00:00:00Z"), made("2", 2)
    late = made("0", published="2026-03-01T00:00:00Z")
    third = made("3", 2)
    other = made("5", 5, edition="b")
    shelf = Shelf((), {"x": "why"}, {}, {}).replaced("a", [late, one, third, two])
    assert [r.build for r in shelf.releases] == ["3", "2", "1", "0"]
    both = shelf.replaced("b", [other])
    assert [r.build for r in both.releases] == ["3", "2", "1", "0", "5"]
    assert [r.build for r in both.replaced("a", [one]).releases] == ["1", "5"]
    assert both.of("b") == [other] and both.unsound == {"x": "why"}


@pytest.mark.parametrize(
    ("marks", "listed_as", "chosen"),
    [
        ("Fff", "3", "2"),
        ("fFf", "2", "1"),
        ("Fdf", "3", "1"),  # before a final one come final ones
        ("Ddf", "3", "2"),
        ("Dff", "3", "2"),
        ("fF", "1", None),
        ("Fd", "2", None),
        ("ff", "", None),
        ("fFf", "3", "2"),  # the list has not followed: it was interrupted
        ("Fff", "2", "2"),  # an older one on the list is no interruption
        ("fFf", "9", "1"),
    ],
)
def test_a_rollback_goes_to_the_one_before(
    marks: str, listed_as: str, chosen: str | None
) -> None:
    page = f'<meta name="current" content="a/{listed_as}">' if listed_as else ""
    shelf = shelf_with(shelf_of(marks), page.encode())
    known = ", ".join(r.build for r in shelf.releases)
    if chosen:
        assert _chosen(shelf, NOWHERE, [], "").build == chosen
    else:
        with pytest.raises(UserError, match=f"roll back to; releases here: {known}"):
            _chosen(shelf, NOWHERE, [], "")


def test_a_rollback_names_what_there_is() -> None:
    shelf = shelf_with([*shelf_of("Ff"), made("x", edition="b")])
    assert _chosen(shelf, NOWHERE, ["a"], "").build == "1"
    assert _chosen(shelf, NOWHERE, [], "x").edition == "b"
    for editions, id, words in (
        ([], "", "there are several editions: a, b"),
        (["a"], "x", "there is no release x; releases here: 2, 1"),
        (["c"], "", "no release to roll back to; releases here: none"),
    ):
        with pytest.raises(UserError, match=words):
            _chosen(shelf, NOWHERE, editions, id)


def test_the_list_has_the_newest_date_first_and_leads_to_the_current_one() -> None:
    older, newer = made("1", 1, True), made("2", 2, date="2026-02-01")
    third = made("3", date="2026-01-31", edition="b", files={"paper.pdf": "0"})
    fourth = made("4", date="2026-03-01", edition="b")
    found = listed_editions([newer, older, third, fourth])
    assert [(one.edition, one.shown.build) for one in found] == [("b", "3"), ("a", "1")]
    assert found[1].releases == (newer, older)
    assert found[1].address == "releases/a/current/index.html"
    assert listed_editions([fourth])[0].address == "releases/b/4/index.html"


def test_what_was_published_first_in_an_older_year_is_no_newest_one() -> None:
    old = made("1", current=True, date="2026-11-23", year=2001)
    new = made("2", current=True, date="2026-02-22", edition="b")
    assert [one.edition for one in listed_editions([old, new])] == ["b", "a"]
    page = list_page([old, new], TEMPLATES)
    assert page.count("First published") == 1
    assert "First published 2001" in page


def test_addresses_are_quoted() -> None:
    odd = made("1 2", edition="a b", current=False)
    assert listed_editions([odd])[0].address == "releases/a%20b/1%202/index.html"
    assert "../1%202/index.html" in pointer_page(odd, TEMPLATES)
    shown = made("1", current=True, edition="a b")
    assert listed_editions([shown])[0].address == "releases/a%20b/current/index.html"


def test_the_current_ones_are_read_from_the_list() -> None:
    mark = '<meta name="current" content="{}">'
    page = "".join(map(mark.format, ("a/1", "b/2", "é/3", "c/", "d/4/5"))).encode()
    assert listed_current(page) == {"a": "1", "b": "2"}


def test_a_feed_has_fifty_entries_newest_first() -> None:
    moments = [f"2026-01-{n // 24 + 1:02}T{n % 24:02}:00:00Z" for n in range(51)]
    releases = [made(f"r{n:02}", n, published=at) for n, at in enumerate(moments)]
    text = feed(releases, TEMPLATES)
    ids = [f"r{n:02}" for n in range(50, 0, -1)]
    places = [text.index(f"Build {id}:") for id in ids]
    assert places == sorted(places) and "r00" not in text
    head = text[: text.index("<entry>")]
    assert f"<updated>{moments[50]}</updated>" in head
    assert "Build r01: first release." in text


def test_an_entry_says_what_a_release_is() -> None:
    odd = made("r", draft=True, news="2 values changed", title="A & B")
    text = feed([odd], TEMPLATES)
    assert "Draft. Build r: 2 values changed." in text
    assert "A &amp; B" in text and "releases/a/r/index.html" in text
    assert "<updated>1970-01-01T00:00:00Z</updated>" in feed([], TEMPLATES)


def test_a_bundle_is_of_all_its_bytes(tmp_path: Path) -> None:
    for name, size in (("a", 3), ("b", 4)):
        (tmp_path / name).write_bytes(b"x" * size)
    files = {name: tmp_path / name for name in ("a", "b")}
    assert Bundle(coming(), files).size == 7


@pytest.mark.parametrize(
    ("marks", "id", "draft", "said"),
    [
        ("F", "new", False, ["new: 1.2 MB to copy, 2 files", "1: would be removed"]),
        ("F", "1", False, ["1: is there already, 2 files"]),
        ("Fd", "new", True, ["new: 1.2 MB to copy, 2 files", "at releases/a/new/a",
                             "1: would be removed"]),
    ],
)  # fmt: skip
def test_a_dry_run_says_what_would_be_done(
    monkeypatch, tmp_path: Path, capsys, marks, id, draft, said
) -> None:
    for name, size in (("a", 1_200_000), ("b", 34_567)):
        (tmp_path / name).write_bytes(b"x" * size)
    files = {name: tmp_path / name for name in ("a", "b")}
    shelf = shelf_with(shelf_of(marks))
    monkeypatch.setattr(publication, "read_shelf", lambda _: shelf)
    release = made(id, draft=draft, formats={"html": "a"}, files=files)
    how = Options(Path(), Path(), keep=1)
    publication._foretell([Bundle(release, files)], NOWHERE, how)
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "dry run: nothing was written to /srv"
    assert len(lines) == len(said) + 1
    assert all(words in line for words, line in zip(said, lines, strict=False))
