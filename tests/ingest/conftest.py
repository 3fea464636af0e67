"""A small campaign for tests: four real runs of linux-veth, one of them failed."""

from __future__ import annotations

import csv
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from analysis.errors import Issue, UserError
from analysis.files.checksums import SUMS_FILE, checksums_text
from analysis.ingest.campaign.check import read_checked
from analysis.ingest.files import hash_files, list_files

LINUX_VETH = Path(__file__).parents[2] / "raw" / "linux-veth"
RUNS = (
    "A-RR10(100B)-01",
    "A-STR3(1B/20MB)-01",
    "B-CRR10(64B/8kB)-05",  # failed: connection reset
    "B-RR10(100B)-01",
)
FILES_PER_RUN = 5


@dataclass(frozen=True)
class CampaignFolder:
    """A campaign that a test may damage."""

    path: Path

    def edit(self, file: str, old: str, new: str) -> None:
        """Replace the first occurrence of ``old``, which must be there."""
        text = (self.path / file).read_text(encoding="utf-8")
        assert old in text
        (self.path / file).write_text(text.replace(old, new, 1), encoding="utf-8")

    def issues(self) -> list[Issue]:
        """What the checks find."""
        with pytest.raises(UserError) as caught:
            read_checked(self.path)
        return caught.value.issues

    def found(self) -> list[str]:
        """What the checks find, as ``file:line: what``, files below the folder."""
        return [
            f"{issue.where}: {issue.what}".replace(f"{self.path}/", "")
            for issue in self.issues()
        ]

    def sign(self) -> None:
        """Record the checksums of the files as they are now."""
        hashes = hash_files(self.path, list_files(self.path))
        (self.path / SUMS_FILE).write_text(checksums_text(hashes), encoding="utf-8")


@pytest.fixture(scope="session")
def small_campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("raw") / "small"
    path.mkdir()
    with (LINUX_VETH / "runs.csv").open(newline="", encoding="utf-8") as stream:
        header, *lines = csv.reader(stream)
    kept = sorted(line for line in lines if line[0] in RUNS)
    for line in kept:
        log = Path(line[header.index("log")])
        shutil.copytree(LINUX_VETH / log.parent, path / log.parent)
    with (path / "runs.csv").open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream, lineterminator="\n").writerows([header, *kept])
    shutil.copy(LINUX_VETH / "campaign.yaml", path)
    CampaignFolder(path).sign()
    return path


@pytest.fixture
def folder(small_campaign: Path, tmp_path: Path) -> CampaignFolder:
    """A sound campaign of its own for each test."""
    return CampaignFolder(Path(shutil.copytree(small_campaign, tmp_path / "small")))
