"""The committed campaign is what the generator writes, and says what it is."""

from __future__ import annotations

import csv

import polars as pl
import pytest

from analysis.errors import UserError
from synthetic.campaign import BOTH, XML_ONLY, all_files, write
from synthetic.plan import LEFT_OUT
from tests.synthetic.conftest import CAMPAIGN

pytestmark = pytest.mark.xdist_group("synthetic")
MARK = "SYNTHETIC, not a measurement by IBM or anyone"


@pytest.fixture(scope="module")
def made() -> dict[str, bytes]:
    return all_files()


def runs() -> list[dict[str, str]]:
    with (CAMPAIGN / "runs.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_the_committed_files_are_those_that_the_generator_writes(made):
    there = {p.relative_to(CAMPAIGN).as_posix() for p in CAMPAIGN.rglob("*.*")}
    assert there == set(made)
    changed = [n for n, data in made.items() if (CAMPAIGN / n).read_bytes() != data]
    assert changed == []


def test_it_is_small(made):
    assert sum(map(len, made.values())) < 15e6
    assert len(made) < 1500


def test_every_file_says_that_it_is_synthetic_where_its_format_has_room(made):
    for name, data in made.items():
        if name.startswith("linux/"):
            continue  # /proc/stat has no room
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
    systems = {row[role] for row in runs() for role in roles} - {""}
    assert systems == {f"SYN{letter}" for letter in "ABCDRZL"}


def test_what_is_left_out_is_declared_and_has_no_run(made):
    for id in LEFT_OUT:
        assert f"\n  {id}:\n".encode() in made["campaign.yaml"]
    assert not {row["configuration"] for row in runs()} & {*LEFT_OUT}


def test_every_file_is_understood_without_a_problem(derived):
    source = derived.table("source")
    assert source["status"].unique().to_list() == ["ok"]
    assert source["problems"].unique().to_list() == ["[]"]
    formats = set(source["format"])
    assert formats == {
        "smf", "rmf_xml", "uperf", "netperf_omni", "procstat", "document",
    }  # fmt: skip
    assert derived.table("run")["status"].unique().to_list() == ["ok"]


def test_a_dump_and_a_report_of_the_same_time_count_once(derived):
    sha = {
        row["file"]: row["sha256"]
        for row in derived.table("source").iter_rows(named=True)
    }
    busy = derived.table("cpu_interval")
    for (study, system), taken, left in (
        (BOTH, "smf/{}/synthetic_{}.smf", "rmf/{}/synthetic_{}.xml"),
        (XML_ONLY, "rmf/{}/synthetic_{}.xml", "smf/{}/synthetic_{}.smf"),
    ):
        assert busy.filter(pl.col("source") == sha[taken.format(study, system)]).height
        unused = sha.get(left.format(study, system), "")
        assert not busy.filter(pl.col("source") == unused).height


def test_another_folder_is_not_overwritten(tmp_path):
    (tmp_path / "mine.txt").write_text("keep me")
    with pytest.raises(UserError, match="would be overwritten"):
        write(tmp_path)
    assert (tmp_path / "mine.txt").read_text() == "keep me"
