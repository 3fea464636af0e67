"""Campaigns whose files say that nobody measured them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from analysis.errors import Place
from analysis.ingest.campaign.check import check_labels, is_labelled

WHERE = Place("campaign.yaml", 2)
LABELS = {
    "a line": b"# a log\n# SYNTHETIC, not a measurement\n",
    "a record": b"\0\xf0" + "SYNTHETIC".encode("cp037") + b"\x40\0",
    "quoted": b'RESULT_BRAND="SYNTHETIC"',
    "far down": b"x\n" * 20_000 + b"SYNTHETIC\n",
    "packed": gzip.compress(b"# SYNTHETIC\n"),
}
NONE = {
    "another word": b"SYNTHETICS and nonSYNTHETIC",
    "lower case": b"synthetic",
    "empty": b"",
    "part of a record": "XSYNTHETICA".encode("cp037"),
}


@pytest.mark.parametrize("name", LABELS)
def test_a_label_is_found(tmp_path: Path, name: str) -> None:
    path = tmp_path / "log.txt"
    path.write_bytes(LABELS[name])
    assert is_labelled(path)


@pytest.mark.parametrize("name", NONE)
def test_what_is_no_label_is_left_alone(tmp_path: Path, name: str) -> None:
    path = tmp_path / "log.txt"
    path.write_bytes(NONE[name])
    assert not is_labelled(path)


@pytest.mark.parametrize("origin", ["measured", "published", "modelled"])
def test_origin_cannot_be_talked_up(tmp_path: Path, origin: str) -> None:
    for number in range(5):
        (tmp_path / f"{number}.txt").write_bytes(LABELS["a line"])
    (tmp_path / "README.md").write_bytes(b"Nothing here is SYNTHETIC.\n")
    files = [path.name for path in tmp_path.iterdir()]
    [issue] = check_labels(tmp_path, origin, files, WHERE)
    assert str(issue.where) == "campaign.yaml:2"
    assert issue.what.startswith(f"origin is {origin}, but files say that they are")
    assert f"{tmp_path / '0.txt'}:2, " in issue.what
    assert issue.what.endswith("and 2 more")
    assert "write 'origin: synthetic'" in issue.mend
    assert check_labels(tmp_path, "synthetic", files, WHERE) == []
    assert check_labels(tmp_path, origin, ["README.md"], WHERE) == []


def test_a_record_is_told_by_its_byte(tmp_path: Path) -> None:
    (tmp_path / "dump").write_bytes(LABELS["a record"])
    [issue] = check_labels(tmp_path, "measured", ["dump"], WHERE)
    assert "dump: byte offset 2" in issue.what
