"""A mark that several steps write is written by two at once as well."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from workflow.made import Step, write_mark


def test_two_reports_write_the_mark_of_the_list_of_editions_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "marks/index/1"
    step = Step("index", "key", Path("index.html"), mark=str(mark))

    def write(number: int) -> None:
        for _ in range(200):
            write_mark(step, f"{number}\n" * 99)

    monkeypatch.chdir(tmp_path)
    with ThreadPoolExecutor(2) as reports:
        list(reports.map(write, range(2)))
    assert mark.read_text() in ("0\n" * 99, "1\n" * 99)
    assert [path.name for path in mark.parent.iterdir()] == ["1"]
