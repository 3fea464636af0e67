"""How far long work has come, told at a terminal alone."""

import pytest

from analysis import progress
from analysis.progress import TOLD, WorkDone, counted


@pytest.fixture
def often(monkeypatch):
    monkeypatch.setattr(progress, "SECONDS", 0.0)
    monkeypatch.setenv(TOLD, "1")


def test_files_and_bytes_are_counted(often, capsys):
    sizes = [1_000_000, 2_000_000, 500_000]
    done = WorkDone("lab", 3, "files", sum(sizes))
    assert list(counted("abc", done, sizes)) == list("abc")
    assert capsys.readouterr().err.splitlines() == [
        "lab: 1 of 3 files, 1.0 of 3.5 MB",
        "lab: 2 of 3 files, 3.0 of 3.5 MB",
    ]


def test_nobody_is_told_without_a_terminal(often, capsys, monkeypatch):
    monkeypatch.setenv(TOLD, "0")
    assert list(counted([1, 2], WorkDone("x", 2, "studies"))) == [1, 2]
    assert capsys.readouterr().err == ""


def test_short_work_says_nothing(capsys, monkeypatch):
    monkeypatch.setenv(TOLD, "1")
    assert list(counted([1, 2, 3], WorkDone("x", 3, "figures"))) == [1, 2, 3]
    assert capsys.readouterr().err == ""
