"""Where facts come from, and whether numbers rest on the files as they are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from analysis.declared.campaign import Campaign, read_campaign
from analysis.errors import UserError
from analysis.facts.evidence import (
    CampaignEvidence,
    FileState,
    Passage,
    SystemRole,
    check_build,
    check_digested,
    check_digests,
    check_fit,
    read_evidence,
    write_evidence,
)
from analysis.facts.fact import Facts, write_facts
from analysis.files.hashes import content_digest
from analysis.files.text_file import Reminder
from analysis.publish.build import read_build
from analysis.publish.gates import reasons
from benchmarks.project import ROOT
from tests.publish.made_build import FACT, make_build

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


def test_missing_evidence_or_a_missing_campaign_is_named(
    tmp_path: Path, written: Path
) -> None:
    with pytest.raises(UserError, match="there is no evidence yet"):
        read_evidence(tmp_path / "none.json", ["lab"])
    with pytest.raises(UserError, match="tells nothing of the campaign 'other'"):
        read_evidence(written, ["lab", "other"])


def test_evidence_fits_facts_of_the_same_files(written: Path) -> None:
    found = read_evidence(written, ["lab"])
    assert check_fit({"lab": "0123456789abcdef"}, found, written) == []
    [issue] = check_fit({"lab": "f" * 16}, found, written)
    assert issue.what == "is of other files of 'lab' than the facts"


SHA = "0" * 64  # of the file that FACT rests on


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    (tmp_path / "raw" / "lab").mkdir(parents=True)
    (tmp_path / "raw" / "lab" / "a.txt").write_text("1")
    return tmp_path / "raw"


def digest(raw: Path) -> str:
    return content_digest(raw / "lab", raw.parent / "cache")


def provenance(digest: str, sha: str = SHA) -> dict[str, Any]:
    return {"campaigns": {"lab": {"digest": digest, "files": {"a.txt": sha}}}}


def build(folder: Path, *digests: tuple[str, str]) -> Path:
    fact = replace(FACT, lineage=replace(FACT.lineage, files=(SHA,)))
    write_facts(replace(Facts((fact,)), digests=digests), folder / "facts.json")
    return folder


def found(folder: Path, told: dict[str, Any], raw: Path) -> list[str]:
    return [i.what for i in check_build(folder, told, raw, raw.parent / "cache")]


def test_a_build_of_the_files_as_they_are_may_go(tmp_path: Path, raw: Path) -> None:
    now = digest(raw)
    assert found(build(tmp_path, ("lab", now)), provenance(now), raw) == []


def test_a_changed_raw_file_is_found_by_whoever_reads_what_was_made(
    tmp_path: Path, raw: Path
) -> None:
    before = digest(raw)
    (raw / "lab" / "a.txt").write_text("2")
    cache = tmp_path / "cache"
    [issue] = check_digests({"lab": before}, raw, Path("facts.json"), cache)
    assert issue.what == f"not made from the files of {raw / 'lab'}"
    assert issue.mend == "run 'make report'"
    told = found(build(tmp_path, ("lab", before)), provenance(before), raw)
    assert told == [issue.what]


def test_facts_and_provenance_must_be_of_the_same_files(
    tmp_path: Path, raw: Path
) -> None:
    now = digest(raw)
    other = found(build(tmp_path, ("lab", "another")), provenance(now), raw)
    assert other == ["the facts and provenance.json are of different raw files"]
    silent = found(build(tmp_path), provenance(now), raw)
    assert silent == ["does not say from which files of 'lab'"]


def test_a_fact_must_rest_on_files_of_its_campaigns(tmp_path: Path, raw: Path) -> None:
    now = digest(raw)
    told = found(build(tmp_path, ("lab", now)), provenance(now, "1" * 64), raw)
    assert told == ["a fact rests on a file that no campaign of the build has"]


def test_a_campaign_that_is_gone_is_told(tmp_path: Path) -> None:
    told = check_digests({"lab": "ab12"}, tmp_path, Path("facts.json"), tmp_path)
    assert [issue.what for issue in told] == [
        f"not made from the files of {tmp_path / 'lab'}"
    ]
    assert check_digested({"lab"}, {}, Path("perf.duckdb"))


def test_the_gate_of_publishing_compares_them(tmp_path: Path, raw: Path) -> None:
    campaigns = provenance(digest(raw))["campaigns"]
    campaigns["lab"] |= {"title": "Lab", "origin": "measured", "licence": "ours"}
    campaigns["lab"]["measured"] = {
        "by": "us",
        "from": "2026-01-01",
        "to": "2026-01-02",
    }
    found = read_build(make_build(tmp_path / "build", campaigns=campaigns))
    told = [issue.what for issue in reasons(found, draft=False, raw=raw)]
    assert "the facts and provenance.json are of different raw files" in told


def test_a_build_that_tells_no_digest_is_not_published(
    tmp_path: Path, raw: Path
) -> None:
    silent = {"campaigns": {"lab": {"files": {"a.txt": SHA}}}}
    told = check_build(build(tmp_path), silent, raw, tmp_path / "cache")
    assert [str(issue) for issue in told] == [
        f"{tmp_path}/provenance.json: does not say from which files of 'lab'\n"
        "  mend: run 'make report'"
    ]
