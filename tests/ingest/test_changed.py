"""Runs of changed parts judged alone: the tables are those of the whole campaign."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from analysis.errors import UserError
from analysis.files.campaign_state import campaign_state
from analysis.ingest import judge, verb
from analysis.ingest.changed import changed_alone
from analysis.ingest.joining.assign import Frames
from analysis.ingest.parts import kept
from analysis.ingest.parts.kept import KeptParts
from analysis.ingest.parts.split import CampaignPart, split
from analysis.ingest.read_all import read_all
from analysis.ingest.reading import Reading
from benchmarks.growth_projects import CELLS, more_log, write_logs
from tests.ingest.conftest import CampaignFolder

RUNS = 24
LOG = "0000/000003.txt"
LINE = "lab-3,B,RR1(100B),1,"


@pytest.fixture(autouse=True)
def many_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    def few(sizes: Mapping[str, int], beside: Mapping[str, str]) -> list[CampaignPart]:
        return split(sizes, beside, most=4)

    monkeypatch.setattr(kept, "split", few)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs") / "lab"
    write_logs(folder, RUNS)
    return folder


@pytest.fixture
def lab(whole: Path, tmp_path: Path) -> Lab:
    return Lab(CampaignFolder(Path(shutil.copytree(whole, tmp_path / "raw/lab"))))


class Lab:
    """A campaign of logs with kept parts, and which of its files were read last."""

    def __init__(self, campaign: CampaignFolder) -> None:
        self.campaign = campaign
        self.path = campaign.path
        self.parts = self.path.parents[1] / "parts"
        self.read: list[str] = []

    def kept(self) -> KeptParts:
        return KeptParts(self.parts, "code", self.parts.parent / "digests")

    def ingest(self, patch: pytest.MonkeyPatch) -> Frames:
        def note_and_read(folder: Path, files: list[str], *of: str) -> dict:
            self.read += files
            found: dict[str, Reading] = read_all(folder, files, *of)
            return found

        with patch.context() as here:
            here.setattr(judge, "read_all", note_and_read)
            self.read = []
            return verb.ingest(self.path, self.kept())

    def add(self) -> None:
        more_log(self.path, RUNS)

    def drop(self) -> None:
        (self.path / LOG).unlink()
        lines = (self.path / "runs.csv").read_text().splitlines(keepends=True)
        left = [line for line in lines if not line.startswith(LINE)]
        (self.path / "runs.csv").write_text("".join(left))
        self.campaign.sign()

    def damage(self) -> None:
        (self.path / LOG).write_text("no log at all")
        self.campaign.sign()

    def rename(self) -> None:
        self.campaign.edit("runs.csv", LINE, LINE.replace("lab-3", "run-3"))

    def declare(self) -> None:
        self.campaign.edit("campaign.yaml", "the other", "another one")

    def note(self) -> None:
        (self.path / "0000/999999.txt").write_text("")
        (self.path / "notes.txt").write_text("nobody names this")
        self.campaign.sign()


def assert_equal(found: Frames, whole: Frames) -> None:
    assert found.keys() == whole.keys()
    for name, rows in whole.items():
        assert found[name].equals(rows), name
        assert found[name].schema == rows.schema, name


@pytest.mark.parametrize(
    ("change", "most"),
    [
        (Lab.add, 8),
        (Lab.drop, 8),
        (Lab.damage, 8),
        (Lab.rename, 0),
        (Lab.declare, 0),
        (Lab.note, 0),
    ],
)
def test_tables_after_a_change_are_those_of_a_new_reading(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, change: Callable[[Lab], None], most: int
) -> None:
    lab.ingest(monkeypatch)
    assert len(lab.read) == RUNS
    change(lab)
    found = lab.ingest(monkeypatch)
    assert len(lab.read) <= most
    assert_equal(found, verb.ingest(lab.path))
    alone = changed_alone(campaign_state(lab.path), lab.kept())
    assert alone is not None
    assert_equal(found, alone)


def test_kept_rows_that_are_damaged_are_made_anew(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = lab.ingest(monkeypatch)
    for path in sorted((lab.parts / "runs").iterdir()):
        was = path.read_bytes()
        path.write_bytes(was[: len(was) // 2])
        assert_equal(lab.ingest(monkeypatch), whole)
        path.unlink()
        assert_equal(lab.ingest(monkeypatch), whole)
        assert path.is_file()


def again(of: str, to: str) -> Callable[[Lab], None]:
    """A line that repeats something of another run, which lies in another part."""

    def change(lab: Lab) -> None:
        more_log(lab.path, RUNS)
        lab.campaign.edit("runs.csv", of, to)

    return change


def replaced(file: str, old: str, new: str) -> Callable[[Lab], None]:
    return lambda lab: lab.campaign.edit(file, old, new)


def other_tool(lab: Lab) -> None:
    """A repetition of what uperf measured, with netperf's log of the same load."""
    more_log(lab.path, CELLS + 1)
    lab.campaign.edit("runs.csv", f"lab-{CELLS + 1},A,RR1", f"lab-{CELLS + 1},A,RR4")


def in_order(lab: Lab) -> None:
    lines = (lab.path / "runs.csv").read_text().splitlines()
    told = [f"{line},{RUNS - at if at else 'order'}" for at, line in enumerate(lines)]
    (lab.path / "runs.csv").write_text("\n".join(told) + "\n")


@pytest.mark.parametrize(
    "mistake",
    [
        replaced("runs.csv", LINE, LINE.replace(",B,", ",C,")),
        replaced("runs.csv", LINE, LINE.replace("RR1", "RRR1")),
        again(f"lab-{RUNS},", "lab-3,"),
        again(f"lab-{RUNS},A,RR4(106B)", f"lab-{RUNS},A,RR4(100B)"),
        replaced("runs.csv", LOG, "0000/000004.txt"),
        replaced("runs.csv", LOG, "0000/000077.txt"),
        replaced("runs.csv", LINE, LINE + ","),
        other_tool,
        in_order,
        lambda lab: (lab.path / LOG).unlink(),
        lambda lab: (lab.path / LOG).write_text("changed"),
        lambda lab: (lab.path / "0000/more.txt").write_text("not listed"),
        replaced("SHA256SUMS", LOG, f"./{LOG}"),
        replaced("campaign.yaml", "to: 2027-12-31", "to: 2025-12-31"),
        replaced("campaign.yaml", "origin: synthetic", "origin: imagined"),
    ],
)
def test_a_mistake_is_told_as_it_is_without_parts(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, mistake: Callable[[Lab], object]
) -> None:
    lab.ingest(monkeypatch)
    mistake(lab)
    with pytest.raises(UserError) as alone:
        lab.ingest(monkeypatch)
    with pytest.raises(UserError) as told:
        verb.ingest(lab.path)
    assert str(alone.value) == str(told.value)
    assert f"{lab.path}/" in str(told.value)


def test_an_order_that_fits_the_times_is_no_mistake(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = (lab.path / "runs.csv").read_text().splitlines()
    told = [f"{line},{at or 'order'}" for at, line in enumerate(lines)]
    (lab.path / "runs.csv").write_text("\n".join(told) + "\n")
    assert_equal(lab.ingest(monkeypatch), verb.ingest(lab.path))


def test_rows_of_a_file_that_changes_while_it_is_read_are_not_kept(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    was = (lab.path / LOG).read_text()

    def change_and_read(folder: Path, files: list[str], *of: str) -> dict:
        (lab.path / LOG).write_text("no log at all")
        found: dict[str, Reading] = read_all(folder, files, *of)
        return found

    with monkeypatch.context() as here:
        here.setattr(judge, "read_all", change_and_read)
        with pytest.raises(UserError, match="changed while they were read"):
            verb.ingest(lab.path, lab.kept())
    (lab.path / LOG).write_text(was)
    assert_equal(lab.ingest(monkeypatch), verb.ingest(lab.path))
