"""Hashes of files are kept while they are the same; digests are of names and bytes."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from analysis.errors import UserError
from analysis.files import hashes
from analysis.files.hashes import campaign_state, content_digest, hash_file, per_file


def texts(path: Path, cache: Path) -> str:
    return per_file([path], read, cache)[path]


def read(path: Path) -> str:
    return path.read_text()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.txt"
    path.write_text("one")
    return path


def test_two_edits_within_a_tick_of_the_clock_are_both_seen(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a coarse clock has it: all that a file's state tells is the same."""
    state = hashes.state_of(file)
    monkeypatch.setattr(hashes, "state_of", lambda path: state)
    assert texts(file, tmp_path / "cache") == "one"
    file.write_text("two")
    assert texts(file, tmp_path / "cache") == "two"


def test_a_file_that_has_settled_is_read_once(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hashes, "_TICK_NS", -(10**12))
    state = hashes.state_of(file)
    monkeypatch.setattr(hashes, "state_of", lambda path: state)
    assert texts(file, tmp_path / "cache") == "one"
    file.write_text("two")
    assert texts(file, tmp_path / "cache") == "one"


def test_a_pipe_and_a_device_do_not_hold_it_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    for name, kind in (("pipe", "named pipe"), ("zero", "device")):
        with pytest.raises(UserError, match=f"this is a {kind}"):
            hash_file(tmp_path / name)


def test_a_file_of_holes_is_refused_unread(tmp_path: Path) -> None:
    with open(tmp_path / "huge", "wb") as file:
        file.truncate(2**40)
    with pytest.raises(UserError, match="INPUT_BYTES"):
        hash_file(tmp_path / "huge")


def test_a_file_that_may_not_be_read_is_told(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(hashes.os, "open", denied)
    with pytest.raises(UserError, match=r"a\.txt: cannot be read: Permission denied"):
        hash_file(file)


def test_a_cache_that_cannot_be_written_costs_time_alone(
    file: Path, tmp_path: Path
) -> None:
    (tmp_path / "cache").mkdir()
    assert texts(file, tmp_path / "cache") == "one"
    assert texts(file, file / "below-a-file") == "one"
    assert {path.name for path in tmp_path.iterdir()} == {"a.txt", "cache"}


@pytest.fixture
def raw(tmp_path):
    folder = tmp_path / "raw" / "lab"
    (folder / "a").mkdir(parents=True)
    (folder / "a" / "one.txt").write_text("1")
    (folder / "two.txt").write_text("2")
    return folder


def digest(raw):
    return content_digest(raw, raw.parent.parent / "cache")


def test_a_new_date_is_not_new_content(raw):
    before = digest(raw)
    os.utime(raw / "two.txt")
    assert digest(raw) == before


@pytest.mark.parametrize(
    "change",
    [
        lambda raw: (raw / "two.txt").write_text("3"),
        lambda raw: (raw / "two.txt").rename(raw / "too.txt"),
        lambda raw: (raw / "two.txt").rename(raw / "a" / "two.txt"),
        lambda raw: (raw / "two.txt").unlink(),
        lambda raw: (raw / "three.txt").write_text(""),
    ],
)
def test_new_content_a_new_name_or_another_file_is(raw, change):
    before = digest(raw)
    change(raw)
    assert digest(raw) != before


def test_new_bytes_under_the_old_date_and_size_are_seen(raw):
    before = digest(raw)
    stat = (raw / "two.txt").stat()
    (raw / "two.txt").write_text("3")
    os.utime(raw / "two.txt", ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert digest(raw) != before


def test_the_digest_is_the_same_wherever_the_campaign_lies(raw, tmp_path):
    before = digest(raw)
    raw.rename(tmp_path / "lab")
    assert content_digest(tmp_path / "lab", tmp_path / "cache2") == before


@pytest.fixture
def settled(monkeypatch):
    """All files are taken for older than a tick of the clock."""
    monkeypatch.setattr(hashes, "_TICK_NS", -(10**12))


@pytest.mark.usefixtures("settled")
def test_files_that_are_as_they_were_are_not_opened(raw, monkeypatch):
    before = digest(raw)
    cache = raw.parent.parent / "cache"
    assert campaign_state(raw).hashes(cache) == {
        "a/one.txt": hashlib.sha256(b"1").hexdigest(),
        "two.txt": hashlib.sha256(b"2").hexdigest(),
    }
    monkeypatch.setattr(hashes, "descriptor_of", None)
    assert digest(raw) == before


@pytest.mark.usefixtures("settled")
@pytest.mark.parametrize("left", [0, 1, 20, 90, 150, -1])
def test_kept_hashes_that_are_damaged_are_computed_anew(raw, left):
    before = digest(raw)
    kept = raw.parent.parent / "cache/raw/lab"
    kept.write_bytes(kept.read_bytes()[:left])
    (raw / "two.txt").write_text("3")
    after = digest(raw)
    assert after != before
    assert after == content_digest(raw, raw.parent / "none")


@pytest.mark.usefixtures("settled")
def test_a_link_to_another_file_is_looked_at_each_time(raw):
    (raw / "link.txt").symlink_to(raw / "two.txt")
    before = digest(raw)
    (raw / "link.txt").unlink()
    (raw / "link.txt").symlink_to(raw / "a/one.txt")
    assert digest(raw) != before
