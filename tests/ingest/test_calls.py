"""How tools were called, and on how many CPUs, held against what is declared."""

from __future__ import annotations

import shutil

import pytest

from analysis.cli import main
from analysis.errors import UserError
from analysis.ingest import read_all, store
from tests.ingest.conftest import LINUX_VETH

REP = "A/RR10(100B)/rep01"
NETPERF = LINUX_VETH.parents[1] / "tests" / "golden" / "netperf" / "rr.txt"


def ingest(folder) -> int:
    folder.sign()
    return main(["ingest", "--campaign", str(folder.path)])


@pytest.fixture
def with_profiles(folder):
    shutil.copytree(LINUX_VETH / "profiles", folder.path / "profiles")
    return folder


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("nthr=10 ", "nthr=8 ", "calls for clients 8"),
        ("req=100 ", "req=5000 ", "calls for request bytes 5000"),
        ("rsp=100 ", "rsp=8k ", "calls for response bytes 8192"),
    ],
)
def test_a_call_for_another_workload_is_an_error(with_profiles, capsys, old, new, told):
    assert ingest(with_profiles) == 0
    with_profiles.edit(f"{REP}/meta.json", old, new)
    capsys.readouterr()
    assert ingest(with_profiles) == 2
    said = capsys.readouterr().err
    assert "runs.csv:2: the workload is RR10(100B), but " in said
    assert f"{REP}/meta.json {told}" in said


def test_a_call_for_another_workload_stays_an_error_when_the_files_are_kept(
    with_profiles, tmp_path, monkeypatch
):
    monkeypatch.setattr(read_all, "KEPT_BYTES", 0)
    with_profiles.edit(f"{REP}/meta.json", "nthr=10 ", "nthr=8 ")
    with_profiles.sign()
    cache = read_all.PartCache(tmp_path / "cache", "code", tmp_path / "digests")
    for _ in range(2):
        with pytest.raises(UserError, match="calls for clients 8"):
            store.ingest(with_profiles.path, cache)
    assert [*(tmp_path / "cache").glob("parts/*")]


def test_a_call_whose_profile_is_no_file_of_the_campaign_tells_nothing(folder):
    folder.edit(f"{REP}/meta.json", "nthr=10 ", "nthr=8 ")
    folder.edit(f"{REP}/meta.json", "profiles/rr.xml", "../../profiles/rr.xml")
    shutil.copytree(LINUX_VETH / "profiles", folder.path.parents[1] / "profiles")
    assert ingest(folder) == 0


@pytest.mark.parametrize(("sizes", "code"), [("100,100", 0), ("100,8K", 2), ("1", 2)])
def test_a_call_of_another_tool(folder, sizes, code):
    call = f"netperf -t TCP_RR -- -r {sizes}"
    meta = folder.path / REP / "meta.json"
    text = meta.read_text()
    command = text[text.index('"h=') + 1 : text.index('",\n "server_cmd"')]
    text = text.replace("workload=RR10(100B)", "workload=RR1(100B)")
    meta.write_text(text.replace(command, call))
    shutil.copy(NETPERF, folder.path / REP / "client.txt")
    (folder.path / "runs.csv").write_text(
        "".join(
            line.replace("RR10(100B)", "RR1(100B)", 1) if REP in line else line
            for line in (folder.path / "runs.csv").read_text().splitlines(True)
            if REP in line or line.startswith("run,")
        ).replace("A,RR10(100B)", "A,RR1(100B)")
    )
    folder.edit("campaign.yaml", "with uperf between", "with netperf between")
    folder.edit("campaign.yaml", "  uperf: 1.0.8 (c93e902e7653)\n", "")
    assert ingest(folder) == code


def init(tmp_path, texts: list[str]):
    lab = tmp_path / "lab"
    for nth, text in enumerate(texts, 1):
        run = lab / "osd" / "RR1(100B)" / f"rep{nth:02d}"
        run.mkdir(parents=True)
        (run / "client.txt").write_text(text)
    assert main(["campaign", "init", str(lab)]) == 0
    return lab


def test_cpus_that_a_log_implies_are_proposed_and_checked(tmp_path, capsys):
    text = NETPERF.read_text()
    assert "14872.91" in text
    lab = init(tmp_path, [text, text.replace("14872.91", "14912.34")])
    assert (lab / "campaign.yaml").read_text().count("cps: 2") == 2
    main(["checksums", str(lab)])
    assert main(["ingest", "--campaign", str(lab)]) == 0
    log = lab / "osd" / "RR1(100B)" / "rep02" / "client.txt"
    log.write_text(text.replace("14872.91", "44872.91"))
    main(["checksums", str(lab)])
    capsys.readouterr()
    assert main(["ingest", "--campaign", str(lab)]) == 2
    said = capsys.readouterr().err
    assert "campaign.yaml:14: cps is 2, but " in said
    assert f"{log} has a rate and a service demand that imply 6 CPUs of client" in said


def test_a_system_may_have_a_part_of_its_machine(tmp_path):
    text = NETPERF.read_text()
    lab = init(tmp_path, [text, text.replace("14872.91", "14912.34")])
    declared = lab / "campaign.yaml"
    for cps, host, code in ((1, "", 2), (1, ", host: vm", 0), (3, ", host: vm", 2)):
        changed = declared.read_text().replace("cps: 2", f"cps: {cps}{host}")
        copy = shutil.copytree(lab, tmp_path / f"{cps}{bool(host)}" / "lab")
        (copy / "campaign.yaml").write_text(changed)
        main(["checksums", str(copy)])
        assert main(["ingest", "--campaign", str(copy)]) == code
