"""What cannot be removed is told, and not counted among what was."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from analysis.catalogue import prune
from analysis.errors import UserError


def test_a_folder_that_stays_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("report/now").mkdir(parents=True)
    Path("report/now/edition.yaml").write_text("title: Now\n")
    Path("data/build/ingest/gone").mkdir(parents=True)
    # As where a file within is of somebody else.
    monkeypatch.setattr(prune, "remove_folder", lambda _: None)
    with pytest.raises(UserError, match="ingest/gone: cannot be removed"):
        prune.run(argparse.Namespace(yes=True))
    assert "removed:" not in capsys.readouterr().out
