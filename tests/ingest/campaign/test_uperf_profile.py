"""Sizes that a profile of uperf tells, and its log does not."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest

from analysis.cli import main
from analysis.ingest.campaign.calls import profiles_of, sizes_of, used_by
from tests.ingest.conftest import LINUX_VETH


def test_sizes_of_uperf_are_those_of_its_profile(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "lab"
    shutil.copytree(LINUX_VETH / "profiles", folder / "xml")
    for rep in (1, 2):
        for name in ("RR1(100B)", "CRR10(64B_8kB)", "STR3(1B_20MB)"):
            run = LINUX_VETH / "A" / name / f"rep{rep:02d}"
            shutil.copytree(run, folder / f"rep{rep}" / "osd" / name[:3].lower())
    assert main(["campaign", "init", str(folder)]) == 0
    with (folder / "runs.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    names = {"RR1(100B)", "CRR10(64B/8kB)", "STR3(1B/20MB)"}
    assert {row["workload"] for row in rows} == names
    assert {row["configuration"] for row in rows} == {"osd"}
    assert {row["repetition"] for row in rows} == {"1", "2"}
    said = capsys.readouterr().out
    assert "bytes sent" not in said
    assert ".xml" not in said


@pytest.mark.parametrize(
    ("options", "commands", "told"),
    [
        ("size=64 count=4", "uperf -m p.xml", 256),
        ("size=$s count=4", "s=8k uperf -m p.xml", 32768),
        ("size=${s}", '"client_cmd": "s=8k uperf -m p.xml"', 8192),
        ("size=$s", "s=8k uperf -m p.xml; s=9k uperf -m p.xml", None),
        ("size=$s", "uperf -m p.xml", None),
        ("size=rand(4k,8k)", "uperf -m p.xml", None),
    ],
)
def test_a_size_of_a_profile(
    tmp_path: Path, options: str, commands: str, told: int | None
) -> None:
    text = (
        '<profile name="P"><group><transaction>'
        f'<flowop type="write" options="{options}"/></transaction></group></profile>'
    )
    (tmp_path / "p.xml").write_text(text)
    [profile] = profiles_of(tmp_path, ["p.xml"])
    assert used_by([profile], "p", commands) == profile
    assert sizes_of(profile, "Txn0", commands).get("request_bytes") == told


def test_two_profiles_of_one_name_tell_nothing_unless_the_command_names_one(
    tmp_path: Path,
) -> None:
    text = '<profile name="P"><transaction><flowop type="read" options="size={}"/>'
    for size in (1, 2):
        end = "</transaction></profile>"
        (tmp_path / f"{size}.xml").write_text(text.format(size) + end)
    (tmp_path / "broken.xml").write_text(text)
    profiles = profiles_of(tmp_path, ["1.xml", "2.xml", "broken.xml"])
    assert used_by(profiles, "p", "uperf -m other.xml") is None
    assert used_by(profiles, "p", "uperf -m there/2.xml").file == "2.xml"


@pytest.mark.parametrize(
    ("groups", "clients"),
    [
        ('<group nthreads="8"/>', "8"),
        ('<group nprocs="$procs"/>', "$procs"),
        ('<group nthreads="8" nprocs="2"/>', ""),
        ('<group nthreads="8"/><group nthreads="4"/>', ""),
        ("<group/>", ""),
    ],
)
def test_the_clients_of_a_profile_are_told_where_one_number_tells_them(
    tmp_path: Path, groups: str, clients: str
) -> None:
    (tmp_path / "p.xml").write_text(
        f'<?xml version="1.0"?>\n<profile name="p">{groups}</profile>\n'
    )
    [profile] = profiles_of(tmp_path, ["p.xml"])
    assert profile.clients == clients
