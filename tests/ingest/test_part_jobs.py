"""Parts of a campaign that jobs of a cluster read before it is put together."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from analysis.errors import UserError
from analysis.ingest import judge, verb
from analysis.ingest.part_jobs import jobs_for, read_parts, told_job
from analysis.ingest.parts import kept
from analysis.ingest.parts.kept import JOBS, KeptParts
from analysis.ingest.parts.split import split
from tests.ingest.conftest import FILES_PER_RUN, RUNS, CampaignFolder

FILES, MUCH = len(RUNS) * FILES_PER_RUN, 10**9


@pytest.fixture(autouse=True)
def four_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "KEPT_BYTES", 0)
    monkeypatch.setattr(kept, "split", lambda s, _: split(s, most=len(s) // 3))


@pytest.fixture
def parts(tmp_path: Path) -> KeptParts:
    return KeptParts(tmp_path / "parts", "code", tmp_path / "digests")


def nothing_read(*of: object) -> None:
    pytest.fail(f"read anew: {of}")


def test_jobs_read_each_part_once_and_all_is_put_together_from_them(
    folder: CampaignFolder, parts: KeptParts, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = verb.ingest(folder.path)
    jobs = jobs_for(folder.path, parts, 1, MUCH)
    told = [told_job(path) for path in jobs]
    names = [name for job in told for name in job.parts]
    assert len(jobs) == len(names) == len({*names}) == 4
    files = [path for path in folder.path.rglob("rep*/*") if path.is_file()]
    assert sum(job.bytes for job in told) == sum(path.stat().st_size for path in files)
    for job in told:
        assert "1 of 4 parts" in read_parts(folder.path, parts, job.parts)
    monkeypatch.setattr(judge, "read_all", nothing_read)
    found = verb.ingest(folder.path, parts)
    assert all(found[name].equals(rows) for name, rows in whole.items())
    assert not (parts.folder / JOBS).exists()


@pytest.mark.parametrize(
    ("most", "jobs"),
    [((FILES // 2, MUCH), {2, 3}), ((FILES, 1), {4}), ((FILES, MUCH), {0})],
)
def test_a_job_reads_as_much_as_is_declared_and_one_alone_is_none(
    folder: CampaignFolder, parts: KeptParts, most: tuple[int, int], jobs: set[int]
) -> None:
    assert len(jobs_for(folder.path, parts, *most)) in jobs


def test_parts_that_are_kept_are_read_by_no_job(
    folder: CampaignFolder, parts: KeptParts
) -> None:
    first, *rest = jobs_for(folder.path, parts, 1, MUCH)
    read_parts(folder.path, parts, told_job(first).parts)
    assert jobs_for(folder.path, parts, 1, MUCH) == rest
    verb.ingest(folder.path, parts)
    assert jobs_for(folder.path, parts, 1, MUCH) == []


def test_a_job_has_another_name_when_a_file_changed(
    folder: CampaignFolder, parts: KeptParts
) -> None:
    before = jobs_for(folder.path, parts, 1, MUCH)
    path = next(folder.path.rglob("client.txt"))
    path.write_text(path.read_text() + "\n")
    folder.sign()
    after = jobs_for(folder.path, parts, 1, MUCH)
    assert len({*before} & {*after}) == len(before) - 1 == len(after) - 1


def test_mistakes_are_told_by_who_puts_the_campaign_together(
    folder: CampaignFolder, parts: KeptParts
) -> None:
    folder.edit("runs.csv", "client.txt", "gone.txt")
    assert jobs_for(folder.path, parts, 1, MUCH) == []
    with pytest.raises(UserError, match="gone"):
        verb.ingest(folder.path, parts)


def test_a_file_that_vanished_before_its_job_began_is_told(
    folder: CampaignFolder, parts: KeptParts
) -> None:
    job, *_ = jobs_for(folder.path, parts, 1, MUCH)
    gone = next(folder.path.rglob("client.txt"))
    gone.unlink()
    command = ["ingest", "--campaign", str(folder.path), "--parts", str(parts.folder)]
    told = subprocess.run(
        [sys.executable, "-m", "analysis", *command, "--only", str(job)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 2
    assert str(gone.relative_to(folder.path)) in told.stderr
    assert "mend: " in told.stderr
    assert "Traceback" not in told.stderr
