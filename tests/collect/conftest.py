"""A campaign to fetch files into."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.collect.servers import PASSWORD

RUNS = """run,configuration,workload,repetition,start,end,client,server,log
a/1,a,RR1(100B),1,2026-01-12T14:00:30Z,2026-01-12T14:02:00Z,C,S,a.txt
a/2,a,RR1(100B),2,2026-01-13T04:50:00Z,2026-01-13T05:10:00Z,C,S,b.txt
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A campaign with runs, and a password in the environment."""
    made = tmp_path / "lab"
    made.mkdir()
    (made / "runs.csv").write_text(RUNS)
    monkeypatch.setenv("COLLECT_HOST_PASSWORD", PASSWORD)
    return made
