"""The campaign is what its declaration says, whole, and says what it is."""

from __future__ import annotations

import csv
import hashlib
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from analysis.declared.campaign import GENERATED
from analysis.errors import UserError
from synthetic.__main__ import main
from synthetic.campaign import write
from tests.synthetic.conftest import CAMPAIGN, OF, ROOT

pytestmark = pytest.mark.xdist_group("synthetic")
MARK = "SYNTHETIC, not a measurement by IBM or anyone"


# The quickest to generate.
SMALL = "zos-cs-3.1-services"


def files(raw: Path, campaign: str) -> dict[str, bytes]:
    """What was generated of a campaign."""
    folder = raw.parent / GENERATED / campaign
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture(scope="module")
def made(raw: Path) -> dict[str, bytes]:
    return files(raw, CAMPAIGN)


# sha256 of the names and bytes of all that is made, 16 digits.
BYTES = {
    "ctg-ssl": "2d7a4450279fa7f3",
    "share-2026": "d1df3ca04df51303",
    "zos-cs-3.1": "37b6f4b56df39c8e",
    "zos-cs-3.1-services": "d0c0b1c64e9861d8",
    "zos-cs-3.2": "61f5f98949319ca1",
    "zos-cs-v1r2": "e54350cc01d6ac1b",
}


@pytest.mark.parametrize("campaign", BYTES)
def test_the_bytes_of_a_campaign_are_those_of_before(raw, campaign):
    """A digest changes where what is generated does, and with it facts of editions."""
    whole = hashlib.sha256()
    for name, data in sorted(files(raw, campaign).items()):
        if name not in ("campaign.yaml", "README.md", "SHA256SUMS"):
            whole.update(f"{name} {hashlib.sha256(data).hexdigest()}\n".encode())
    assert whole.hexdigest()[:16] == BYTES[campaign]


def runs(made: dict[str, bytes]) -> list[dict[str, str]]:
    return list(csv.DictReader(made["runs.csv"].decode().splitlines()))


def test_equal_declarations_give_equal_bytes(raw, tmp_path):
    """Those of another process, as sets and hashes may have another order there."""
    out = tmp_path / GENERATED / SMALL
    command = (sys.executable, "-m", "synthetic", SMALL, "--out", str(out))
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    made = files(raw, SMALL)
    assert done.stdout == f"{out}: {len(made)} files\n"
    assert files(tmp_path / "raw", SMALL) == made


def test_what_is_declared_is_taken_as_it_stands(made):
    for name in ("campaign.yaml", "README.md"):
        assert made[name] == (OF.folder / name).read_bytes()


def test_its_files_are_those_of_its_checksums(made):
    sums = dict(
        reversed(li.split("  ", 1)) for li in made["SHA256SUMS"].decode().splitlines()
    )
    assert {*made} - {*sums} == {"campaign.yaml", "runs.csv", "SHA256SUMS"}
    assert all(hashlib.sha256(made[name]).hexdigest() == s for name, s in sums.items())


def test_a_campaign_that_nobody_declared_is_told(capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["synthetic", "no-such"])
    assert main() == 2
    said = capsys.readouterr().err
    assert "there is no campaign 'no-such'" in said
    assert "choose one of: " in said
    assert CAMPAIGN in said


def test_a_killed_generator_leaves_nothing_half_made(tmp_path, monkeypatch):
    out = tmp_path / SMALL
    assert write(SMALL, out)
    before = {p: p.read_bytes() for p in out.rglob("*") if p.is_file()}

    def ends(path: Path, data: bytes) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_bytes", ends)
    with pytest.raises(KeyboardInterrupt):
        write(SMALL, out)
    assert {p: p.read_bytes() for p in out.rglob("*") if p.is_file()} == before


def test_it_is_small(made):
    assert sum(map(len, made.values())) < 20e6
    assert len(made) < 1500


def test_every_file_says_that_it_is_synthetic_where_its_format_has_room(made):
    for name, data in made.items():
        if name.startswith("linux/") or name == "SHA256SUMS":
            continue  # neither has room
        text = data.decode("cp037" if name.endswith(".smf") else "utf-8")
        assert ("-synthetic" if name == "runs.csv" else MARK) in text or (
            name == "runs.csv" and "synthetic_" in text
        ), name
    named = [n for n in made if "/" in n]
    assert all(n.rpartition("/")[2].startswith("synthetic_") for n in named)


def test_the_declaration_and_the_ids_of_systems_say_so(made):
    assert b"\norigin: synthetic\n" in made["campaign.yaml"]
    roles = (
        "client",
        "server",
        "sender",
        "receiver",
        "distributor",
        "target",
        "router",
    )
    systems = {row[role] for row in runs(made) for role in roles} - {""}
    assert systems == {f"SYN{letter}" for letter in "ABCDRZL"}


def test_every_configuration_has_runs_but_one_that_is_predicted(made):
    declared = {*OF.campaign.configurations} - {"hs-between"}
    assert {row["configuration"] for row in runs(made)} == declared


def test_every_file_is_understood_without_a_problem(derived):
    source = derived.table("source")
    bad = source.filter(pl.col("status") != "ok")
    assert len(bad) == len(OF.making.failures) == 3
    assert set(bad["format"]) == {"uperf"}
    assert source.filter(status="ok")["problems"].unique().to_list() == ["[]"]
    formats = set(source["format"])
    assert formats == {
        "smf", "rmf_xml", "uperf", "netperf_omni", "procstat", "document",
    }  # fmt: skip
    status = derived.table("run")["status"].value_counts()
    assert dict(status.iter_rows()) == {"ok": 906, "failed": 3}


def test_a_dump_and_a_report_of_the_same_time_count_once(derived):
    sha = {
        row["file"]: row["sha256"]
        for row in derived.table("source").iter_rows(named=True)
    }
    busy = derived.table("cpu_interval")
    for (study, system), taken, left in (
        (("osh-osd", "SYNB"), "smf/{}/synthetic_{}.smf", "rmf/{}/synthetic_{}.xml"),
        (
            ("tls-versions", "SYNB"),
            "rmf/{}/synthetic_{}.xml",
            "smf/{}/synthetic_{}.smf",
        ),
    ):
        assert busy.filter(pl.col("source") == sha[taken.format(study, system)]).height
        unused = sha.get(left.format(study, system), "")
        assert not busy.filter(pl.col("source") == unused).height


def test_another_folder_is_not_overwritten(tmp_path):
    (tmp_path / "mine.txt").write_text("keep me")
    with pytest.raises(UserError, match="would be overwritten"):
        write(CAMPAIGN, tmp_path)
    assert (tmp_path / "mine.txt").read_text() == "keep me"
