"""Digests of campaigns in tables, facts and reports, compared with the files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from analysis.facts.evidence import check_build, check_digested, check_digests
from analysis.facts.fact import Facts, write_facts
from analysis.files.hashes import content_digest
from analysis.publish.build import read_build
from analysis.publish.gates import reasons
from tests.publish.made_build import FACT, make_build

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
