"""Documents of builds and releases as they are read: entries, limits, words."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analysis.files import limits
from analysis.publish.build import (
    MOST,
    Manifest,
    disagreements,
    parse,
    parse_sums,
    shown,
)
from analysis.publish.release import Release, describe

TOLD = {
    "edition": "small", "build": "1a", "title": "T", "date": "2026-01-31",
    "published": "2026-01-31T12:30:00Z", "draft": False, "files": {},
}  # fmt: skip


def described(**entries: Any) -> Release:
    return parse(json.dumps(TOLD | entries).encode(), Release)


@pytest.mark.parametrize(
    ("entry", "value", "words"),
    [
        ("sequence", -1, "'sequence': input should be greater than or equal to 0"),
        ("sequence", MOST + 1, f"should be less than or equal to {MOST}"),
        ("sequence", "1", "'sequence': input should be a valid integer"),
        ("title", "a\nb", "'title': string should match pattern"),
        ("title", "a\x7f", "'title': string should match pattern"),
        ("date", "2026-02-30", "'date': value error, day"),
        ("published", "2026-01-31T12:30:00", "'published': string should match"),
        ("published", "2026-13-31T12:30:00Z", "'published': value error, month"),
        ("draft", 1, "'draft': input should be a valid boolean"),
        ("files", {"a": 1}, "'files'.'a': input should be a valid string"),
        ("number", 1.5, "'number'"),
    ],
)  # fmt: skip
def test_a_wrong_entry_is_told_in_one_line(entry: str, value: Any, words: str) -> None:
    with pytest.raises(ValueError) as caught:
        described(**{entry: value})
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_not_told_has_a_default() -> None:
    found = described(sequence=MOST, more="kept", number=3, title="é ~")
    assert (found.sequence, found.number, found.title) == (MOST, 3, "é ~")
    plain = described()
    assert (plain.sequence, plain.news, plain.formats) == (0, None, {})
    made = parse(b'{"title": "T", "date": "2026-01-31"}', Manifest)
    assert (made.edition, made.build, made.banner, made.files) == ("", "", "", {})


def test_what_is_no_document_is_told() -> None:
    with pytest.raises(ValueError, match=r"^invalid JSON: "):
        parse(b"{", Manifest)
    with pytest.raises(ValueError, match=r"^input should be an object"):
        parse(b"[]", Manifest)


def test_a_document_has_a_size_at_most(monkeypatch) -> None:
    text = json.dumps(TOLD).encode()
    monkeypatch.setattr(limits, "DOCUMENT_BYTES", len(text))
    assert parse(text, Release)
    words = f"^{len(text) + 1} bytes; at most {len(text)} .DOCUMENT_BYTES.$"
    with pytest.raises(ValueError, match=words):
        parse(text + b" ", Release)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "this file is missing, or too long"),
        (json.dumps(TOLD | {"edition": "b"}).encode(), "it is that of 'b' '1a'"),
        (json.dumps(TOLD | {"build": "2b"}).encode(), "it is that of 'small' '2b'"),
    ],
)
def test_a_description_is_that_of_its_release(content, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        describe(content, "small", "1a")
    found = describe(json.dumps(TOLD).encode(), "small", "1a")
    assert (found.build, found.sequence) == ("1a", 0)


ONE, TWO = "1" * 64, "2" * 64


@pytest.mark.parametrize("end", ["", "\n"])
def test_a_list_of_hashes_is_read(end: str) -> None:
    text = f"{ONE}  a\n{TWO}  b c/é{end}"
    assert parse_sums(text.encode()) == {"a": ONE, "b c/é": TWO}


@pytest.mark.parametrize(
    "line",
    ["", ONE, f"{ONE} a", f"{ONE}  ", f"{ONE[1:]}  a", f"{'g' * 64}  a", "x" * 99],
)
def test_a_line_that_is_no_hash_is_told_by_its_beginning(line: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_sums(f"{ONE}  a\n{line}\n".encode())
    assert str(caught.value) == f"not a sha256 and a name: {line[:80]!r}"


def test_lists_that_disagree_are_told_by_name() -> None:
    made = parse(b'{"title": "T", "date": "2026-01-31"}', Manifest)
    made = made.model_copy(update={"files": {"b": TWO, "a\n": ONE, "c": ONE}})
    assert disagreements(made, {"c": ONE, "b": ONE, "x": ONE}, "LIST") == [
        "manifest.json and LIST disagree on 'a\\n'",
        "manifest.json and LIST disagree on b",
    ]  # fmt: skip
    assert (shown("a b"), shown("a\tb")) == ("a b", "'a\\tb'")
