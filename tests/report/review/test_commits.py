"""Which commit brought an approval, and whether it vouches for a reviewer."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
import yaml

from analysis.declared.edition import Reviewer
from analysis.report.review import trust
from analysis.report.review.record import Approval, Record

DAY = dt.date(2026, 3, 5)
ADDRESS = "ann@example.org"
APPROVAL = Approval(by="Ann", date=DAY)
RECORD = Record(by="Ann", date=DAY, stamp="-".join(["0" * 8] * 6))
HAS = {"by": "Ann", "date": DAY, "stamp": "s"}
HAS_BESIDE = {
    "by": "Bo",
    "date": DAY,
    "stamp": "s",
    "also": [1, {"by": "Ann", "date": DAY}],
}


@pytest.mark.parametrize(
    ("shown", "found"),
    [
        ([HAS], "0"),
        ([HAS_BESIDE, HAS], "1"),
        ([HAS, None, HAS], "0"),
        ([HAS, {**HAS, "stamp": "t"}], "0"),
        ([{**HAS, "date": dt.date(2026, 3, 6)}], None),
        ([{**HAS, "by": "Bo"}], None),
        ([{**HAS, "by": "Bo", "also": None}], None),
        (["text"], None),
        ([], None),
    ],
)
def test_the_oldest_commit_in_a_row_that_has_an_approval_brought_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, shown: list, found: str | None
) -> None:
    asked = []

    def lines(command, folder):
        asked.append(command)
        if "log" in command:
            return [f"{n}\0G\0key\0primary\0{ADDRESS}" for n in range(len(shown))]
        file = shown[int(command[-1].partition(":")[0])]
        return ["["] if file is None else yaml.safe_dump(file).splitlines()

    monkeypatch.setattr(trust, "_lines", lines)
    commit = trust.introduced(APPROVAL, "s", tmp_path / "review.yaml")
    assert (commit and commit.id) == found
    assert asked[0][3:5] == ["log", "-20"] and asked[0][-1] == "review.yaml"


@pytest.mark.parametrize(
    ("author", "level"),
    [(None, "listed"), (ADDRESS.upper(), "listed"), ("bo@example.org", "unverified")],
)
def test_an_address_is_that_of_the_author(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, author, level: str
) -> None:
    commit = author and trust.Commit("0", "N", "", "", author)
    monkeypatch.setattr(trust, "introduced", lambda *_: commit)
    one = Reviewer(name="Ann", email=ADDRESS)
    [found] = trust.trusted(RECORD, [one], tmp_path)
    assert (found.level, found.verified) == (level, level == "listed")
    assert found.why == ("" if level == "listed" else f"committed by {author}")


@pytest.mark.parametrize(
    ("state", "key", "why"),
    [
        ("G", "SHA256:" + "a" * 43, ""),
        ("U", "SHA256:" + "a" * 43, ""),
        ("N", "SHA256:" + "a" * 43, "its commit has no good signature"),
        ("B", "SHA256:" + "a" * 43, "its commit has no good signature"),
        ("G", "SHA256:" + "b" * 43, "its commit is signed with another key"),
    ],
)
def test_a_good_signature_with_the_declared_key_vouches(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, state: str, key: str, why: str
) -> None:
    commit = trust.Commit("0", state, key, "", "someone@example.org")
    monkeypatch.setattr(trust, "introduced", lambda *_: commit)
    one = Reviewer(name="Ann", key="SHA256:" + "a" * 43)
    [found] = trust.trusted(RECORD, [one], tmp_path)
    assert (found.level, found.why) == ("unverified" if why else "signed", why)
