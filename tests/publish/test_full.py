"""A destination that is full: what is surplus goes first, and nothing else."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from analysis.publish.local import LocalDestination, as_user_errors
from tests.publish.conftest import Publish, publish_three
from tests.publish.killing import check_destination, current_page

Said = pytest.CaptureFixture[str]


class Small(LocalDestination):
    """A folder that has room for two releases."""

    def upload(self, files: Any, path: str) -> None:
        """Copy all, or one file and then fail as a full disk does."""
        if len(os.listdir(self.root / "releases/small")) < 4:  # with current
            return super().upload(files, path)
        super().upload(dict(list(files.items())[:1]), path)
        with as_user_errors(self.root):
            raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_destination_is_pruned_before_the_next_attempt(
    tmp_path: Path,
    dest: Path,
    publish: Publish,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Said,
) -> None:
    ids = publish_three(tmp_path, publish)
    monkeypatch.setattr(
        "analysis.publish.verb.choose_destination", lambda _: Small(dest)
    )
    assert publish() == 2  # without --keep nothing may go
    assert (
        "make room there, or publish with a smaller --keep" in capsys.readouterr().err
    )
    check_destination(dest)
    assert publish("--rollback", ids[0]) == 0
    assert publish("--keep", "3") == 2  # the only surplus one is the current one
    assert (
        current_page(dest)
        == (dest / f"releases/small/{ids[0]}/index.html").read_bytes()
    )
    assert publish("--rollback", ids[2]) == 0
    capsys.readouterr()
    assert publish("--keep", "3") == 0
    assert f"small {ids[0]}: removed to make room" in capsys.readouterr().out
    assert set(os.listdir(dest / "releases/small")) == {*ids[1:], "current"}
    check_destination(dest)


def test_no_room_for_the_list_page_is_made_by_pruning_too(
    tmp_path: Path,
    dest: Path,
    publish: Publish,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Said,
) -> None:
    ids = publish_three(tmp_path, publish)

    class Tight(LocalDestination):
        def stage(self, path: str, content: bytes) -> None:
            """Fail once the new release is there, until an old one is gone."""
            folder = self.root / "releases/small"
            if (folder / ids[3]).exists() and (folder / ids[0]).exists():
                with as_user_errors(self.root):
                    raise OSError(errno.EDQUOT, "Disk quota exceeded")
            super().stage(path, content)

    monkeypatch.setattr(
        "analysis.publish.verb.choose_destination", lambda _: Tight(dest)
    )
    assert publish() == 2
    assert "disk quota exceeded" in capsys.readouterr().err
    assert publish("--keep", "2") == 0
    assert set(os.listdir(dest / "releases/small")) == {*ids[2:], "current"}
    check_destination(dest)
