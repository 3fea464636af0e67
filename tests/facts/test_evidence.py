"""What derive hands over: written and read, and refused where it does not fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.declared.campaign import Campaign, read_campaign
from analysis.errors import UserError
from analysis.facts.evidence import (
    CampaignEvidence,
    FileState,
    Passage,
    SystemRole,
    check_fit,
    read_evidence,
    write_evidence,
)
from analysis.files.text_file import Reminder
from benchmarks.project import ROOT

CAMPAIGNS = sorted(
    path.parent
    for pattern in ("raw/*/campaign.yaml", "synthetic/campaigns/*/campaign.yaml")
    for path in ROOT.glob(pattern)
)
LOG = "uperf/run-1.txt"


def evidence(campaign: Campaign) -> CampaignEvidence:
    return CampaignEvidence(
        digest="0123456789abcdef",
        declared=campaign,
        roles=(
            SystemRole("b", "RR1(1kB)", "client", "cli"),
            SystemRole("a", "RR1(1kB)", "server", "srv"),
        ),
        files={LOG: FileState("cd" * 32, 7, "uperf")},
        timed={"uperf": "the time of its transactions"},
        tables={"run.parquet": FileState("ab" * 32, 9)},
        passages=(Passage("r-1", LOG, (3, 31)),),
        unnamed=("uperf/run-2.txt", "uperf/run-3.txt", "a.txt"),
        marks=(Reminder(3, "# check"),),
    )


@pytest.fixture(params=CAMPAIGNS, ids=lambda folder: folder.name)
def campaign(request: pytest.FixtureRequest) -> Campaign:
    return read_campaign(request.param)


@pytest.fixture
def written(tmp_path: Path, campaign: Campaign) -> Path:
    path = tmp_path / "evidence.json"
    write_evidence({"lab": evidence(campaign)}, path)
    return path


def test_a_declaration_comes_back_as_it_was(written: Path, campaign: Campaign) -> None:
    found = read_evidence(written, ["lab"])["lab"]
    assert found.declared == campaign
    assert list(found.declared.hardware) == list(campaign.hardware)
    assert found.files == evidence(campaign).files
    assert found.unnamed == ("a.txt", "uperf/run-2.txt", "uperf/run-3.txt")
    assert found.left_out is not None
    assert found.left_out.words == (
        "3 files with evidence that no run names, in the campaign's folder, uperf"
    )
    assert [role.configuration for role in found.roles] == ["a", "b"]
    assert found.passages == evidence(campaign).passages


def test_what_was_read_is_written_alike(written: Path) -> None:
    before = written.read_bytes()
    write_evidence(read_evidence(written, ["lab"]), written)
    assert written.read_bytes() == before


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"schema": 2, "campaigns": {}}',
        '{"schema": 1, "campaigns": {"lab": {"digest": "x"}}}',
        '{"schema": 1, "campaigns": {"lab": {"declared": {}, "files": [1]}}}',
        '{"schema": 1, "campaigns": {"lab": {"declared": {}, "files": {"a": []}}}}',
        '{"schema": 1, "campaigns": {"lab": {"declared": {}, "files": {"a": 1}}}}',
    ],
)
def test_what_is_no_evidence_is_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "evidence.json"
    path.write_text(text)
    with pytest.raises(UserError, match="evidence of another version, or damaged"):
        read_evidence(path, ["lab"])


def test_what_is_missing_is_told(tmp_path: Path, written: Path) -> None:
    with pytest.raises(UserError, match="there is no evidence yet"):
        read_evidence(tmp_path / "none.json", ["lab"])
    with pytest.raises(UserError, match="tells nothing of the campaign 'other'"):
        read_evidence(written, ["lab", "other"])


def test_evidence_fits_facts_of_the_same_files(written: Path) -> None:
    found = read_evidence(written, ["lab"])
    assert check_fit({"lab": "0123456789abcdef"}, found, written) == []
    [issue] = check_fit({"lab": "f" * 16}, found, written)
    assert issue.what == "is of other files of 'lab' than the facts"
