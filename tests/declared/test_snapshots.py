"""What was captured of systems: read, compared, and a setting where it differs."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from analysis.declared.campaign import read_campaign
from analysis.declared.snapshots import read_snapshot
from analysis.errors import UserError

DECLARED = {
    "title": "T", "origin": "measured", "zone": "UTC",
    "measured": {"by": "us", "from": "2026-01-01", "to": "2026-01-02", "how": "so"},
    "systems": {"client": {"cps": 2}}, "cpu": {"source": "procstat"},
}  # fmt: skip


def campaign(folder: Path, **snapshots: dict[str, str]) -> Path:
    declared = {
        id: {"label": id, "details": {"MTU": 1500}, "snapshots": files}
        for id, files in snapshots.items()
    }
    text = yaml.safe_dump({**DECLARED, "configurations": declared})
    (folder / "campaign.yaml").write_text(text)
    return folder


def test_only_what_differs_becomes_a_setting(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("# by hand\nKernel: 6.1\nSMT: on\n\nTurbo: on\n")
    (tmp_path / "b.txt").write_text("Kernel: 6.2\nSMT: on\n")
    read = read_campaign(
        campaign(tmp_path, A={"client": "a.txt"}, B={"client": "b.txt"})
    )
    assert {id: one.details for id, one in read.configurations.items()} == {
        "A": {"Kernel (client)": "6.1", "Turbo (client)": "on", "MTU": 1500},
        "B": {"Kernel (client)": "6.2", "Turbo (client)": "not there", "MTU": 1500},
    }


def test_what_is_declared_stays_as_it_is_declared(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Kernel: 6.1\n")
    read = read_campaign(campaign(tmp_path, A={"client": "a.txt"}, B={}))
    assert all(one.details == {"MTU": 1500} for one in read.configurations.values())


@pytest.mark.parametrize(
    ("text", "line"), [("Kernel 6.1\n", 1), ("Kernel: 6.1\n: x\n", 2), ("K:\n", 1)]
)
def test_what_is_no_snapshot_is_told_by_its_line(
    tmp_path: Path, text: str, line: int
) -> None:
    (tmp_path / "a.txt").write_text(text)
    with pytest.raises(UserError) as caught:
        read_snapshot(tmp_path / "a.txt")
    assert [issue.where.line for issue in caught.value.issues] == [line]


@pytest.mark.parametrize("name", ["../a.txt", "/etc/passwd", ".a", "a/../b"])
def test_a_snapshot_lies_below_the_campaign(tmp_path: Path, name: str) -> None:
    with pytest.raises(UserError, match="below the campaign's folder"):
        read_campaign(campaign(tmp_path, A={"client": name}))


def test_a_snapshot_that_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"a\.txt: this file is missing"):
        read_campaign(campaign(tmp_path, A={"client": "a.txt"}))
