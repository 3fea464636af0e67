"""Drafts beside final releases: which readers see, and which stay."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.publish.conftest import Publish, current
from tests.publish.made_build import build_id, make_build

BANNER = "Draft: not approved."
Said = pytest.CaptureFixture[str]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, publish: Publish):
    """Build and publish a text, a minute after the last; returns the build's id."""
    import datetime as dt

    minutes = iter(range(60))

    class Clock(dt.datetime):
        @classmethod
        def now(cls, tz: dt.tzinfo | None = None) -> dt.datetime:
            return cls(2026, 11, 21, 12, next(minutes), tzinfo=tz)

    monkeypatch.setattr("analysis.publish.publication.dt.datetime", Clock)

    def run(text: str, *options: str, draft: bool = True) -> str:
        words = {"status": "draft", "banner": BANNER} if draft else {}
        made = make_build(tmp_path / "builds/small", text=text, **words)
        assert publish(*(("--draft",) if draft else ()), *options) == 0
        return build_id(made)

    return run


def there(dest: Path) -> set[str]:
    return set(os.listdir(dest / "releases/small")) - {"current"}


def test_the_first_draft_and_the_next_are_current(make, dest: Path) -> None:
    assert make("one") == current(dest)
    assert make("two") == current(dest)


def test_a_draft_does_not_take_the_place_of_a_final_release(
    make, dest: Path, capsys: Said
) -> None:
    final = make("one", draft=False)
    capsys.readouterr()
    draft = make("two")
    said = capsys.readouterr().out
    assert current(dest) == final
    address = f"releases/small/{draft}/index.html"
    assert f"at {address}, not as the current release" in said
    assert (dest / address).is_file()
    assert address in (dest / "index.html").read_text()
    assert make("three", draft=False) == current(dest)


def test_a_draft_is_current_when_asked_for(make, dest: Path) -> None:
    make("one", draft=False)
    assert make("two", "--current") == current(dest)


@pytest.mark.parametrize("option", [(), ("--current",)])
def test_the_newest_final_release_is_never_removed(
    make, dest: Path, option: tuple[str, ...]
) -> None:
    old = make("one", draft=False)
    final = make("two", draft=False)
    draft = make("three", *option, "--keep", "1")
    assert there(dest) == {final, draft}
    assert old not in there(dest)


def test_a_dry_run_foretells_it(
    make, dest: Path, publish: Publish, tmp_path: Path, capsys: Said
) -> None:
    old, final = make("one", draft=False), make("two", draft=False)
    make_build(tmp_path / "builds/small", text="x", status="draft", banner=BANNER)
    capsys.readouterr()
    assert publish("--draft", "--dry-run", "--keep", "1") == 0
    said = capsys.readouterr().out
    assert "not as the current release" in said
    assert f"{old}: would be removed" in said
    assert f"{final}: would be removed" not in said


def test_rolling_back_from_a_final_release_passes_drafts(
    make, dest: Path, publish: Publish
) -> None:
    first = make("one", draft=False)
    draft = make("two")
    make("three", draft=False)
    assert publish("--rollback") == 0
    assert current(dest) == first
    assert publish("--rollback", draft) == 0
    assert current(dest) == draft


def test_a_release_that_is_not_there_is_told(
    make, publish: Publish, capsys: Said
) -> None:
    id = make("one")
    assert publish("--rollback", "nope") == 2
    said = capsys.readouterr().err
    assert f"there is no release nope; releases here: {id}" in said
