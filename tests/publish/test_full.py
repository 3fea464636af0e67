"""A destination that is full: what is surplus goes first, and nothing else."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from analysis.publish.destination import LocalDestination, as_user_errors
from tests.publish.conftest import Publish, publish_three
from tests.publish.killing import check_destination, current_page

Said = pytest.CaptureFixture[str]


class Small(LocalDestination):
    """A folder that has room for two releases."""

    def upload(self, files: Any, folder: str) -> None:
        """Copy all, or one file and then fail as a full disk does."""
        few = len(os.listdir(self.root / "releases/small")) < 4  # with current
        if few or len(files) < 9:  # pages alone have room
            return super().upload(files, folder)
        super().upload(dict(list(files.items())[:1]), folder)
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
        "analysis.publish.verb.choose_destination", lambda *_: Small(dest)
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
