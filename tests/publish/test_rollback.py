"""Going back: once however often it is tried, and right whatever the clock says."""

from __future__ import annotations

import datetime as dt
import os
import threading
from pathlib import Path

import pytest

from analysis.publish import publication
from analysis.publish.destination import LocalDestination
from analysis.publish.release import read_shelf
from tests.publish.conftest import Publish, current, publish_three
from tests.publish.killing import check_destination, check_whole
from tests.publish.made_build import build_id, make_build

Said = pytest.CaptureFixture[str]


def at(monkeypatch: pytest.MonkeyPatch, moment: dt.datetime) -> None:
    """Set the clock."""

    class Clock(dt.datetime):
        @classmethod
        def now(cls, tz: dt.tzinfo | None = None) -> dt.datetime:
            return moment.replace(tzinfo=tz)

    monkeypatch.setattr("analysis.publish.publication.dt.datetime", Clock)


@pytest.mark.parametrize(
    "years", [(2026, 2026, 2026), (2036, 2027, 2026), (2026, 2036, 2027)]
)
def test_the_order_is_that_of_publication(
    years: tuple[int, ...],
    tmp_path: Path,
    dest: Path,
    publish: Publish,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Said,
) -> None:
    real, ids = dt.datetime, []
    for number, year in enumerate(years):
        with monkeypatch.context() as patch:
            at(patch, real(year, 1, 1))
            ids.append(
                build_id(make_build(tmp_path / "builds/small", text=f"{number}"))
            )
            assert publish() == 0
    capsys.readouterr()
    assert publish("--list") == 0
    listed = [line.split()[1] for line in capsys.readouterr().out.splitlines()]
    assert listed == ids[::-1]
    for id in (ids[1], ids[0]):
        assert publish("--rollback") == 0
        assert os.readlink(dest / "releases/small/current") == id
        check_destination(dest)
    assert publish("--rollback") == 2
    assert publish("--rollback", ids[2]) == publish("--rollback", ids[2]) == 0
    assert publish("--keep", "1") == 0
    assert set(os.listdir(dest / "releases/small")) == {ids[2], "current"}


def test_releases_from_before_they_were_counted_come_first(
    tmp_path: Path, dest: Path, publish: Publish
) -> None:
    import json

    old = build_id(make_build(tmp_path / "builds/small", text="old"))
    assert publish() == 0
    path = dest / f"releases/small/{old}/release.json"
    about = json.loads(path.read_text())
    del about["sequence"]
    path.write_text(json.dumps(about | {"published": "2099-01-01T00:00:00Z"}))
    make_build(tmp_path / "builds/small", text="new")
    assert publish() == 0
    assert publish("--rollback") == 0
    assert os.readlink(dest / "releases/small/current") == old


@pytest.mark.parametrize("links", [True, False])
def test_before_a_release_that_was_published_again_is_the_one_it_replaced(
    links: bool, tmp_path: Path, dest: Path, publish: Publish, monkeypatch
) -> None:
    (tmp_path / "publish.yaml").write_text(f"links: {str(links).lower()}\n")
    ids, real = [], dt.datetime
    for year, text in ((2026, "one"), (2027, "two"), (2028, "one")):
        with monkeypatch.context() as patch:
            at(patch, real(year, 1, 1))
            ids.append(build_id(make_build(tmp_path / "builds/small", text=text)))
            assert publish() == 0
        assert current(dest) == ids[-1]
        check_destination(dest)
    newest, before = read_shelf(LocalDestination(dest)).of("small")
    assert (newest.build, newest.sequence, newest.published[:4]) == (ids[0], 3, "2028")
    assert newest.news == "1 text changed"
    assert ids[1] in (dest / newest.changes).read_text(), "against the one it replaced"
    assert (before.build, before.sequence) == (ids[1], 2)
    assert publish("--list") == publish("--rollback") == 0
    assert current(dest) == ids[1]
    assert publish("--rollback") == 2, "the release that came back is no older one"


def test_publishing_what_is_current_after_a_rollback_changes_no_order(
    tmp_path: Path, dest: Path, publish: Publish
) -> None:
    ids = publish_three(tmp_path, publish)
    make_build(tmp_path / "builds/small", text="two")
    assert publish("--rollback") == publish() == 0
    assert current(dest) == ids[1]
    assert publish("--rollback") == 0
    assert current(dest) == ids[0]


class Reader(threading.Thread):
    """Reads the list page and what it leads to, as a browser does, until told to stop.

    A page that was read, or the one read next, must lead to what is there.
    """

    def __init__(self, dest: Path, stop: threading.Event) -> None:
        super().__init__()
        self.dest, self.stop = dest, stop
        self.wrong: list[str] = []
        self.answers = 0

    def run(self) -> None:
        """Read."""
        while not self.stop.wait(0.002):
            try:
                page = (self.dest / "index.html").read_bytes()
                current = self.dest / "releases/small/current"
                report = (current / "index.html").read_bytes()
            except OSError as error:
                self.wrong.append(str(error))
                continue
            self.answers += 1
            if not (page.endswith(b"</html>") and report.endswith(b"</html>\n")):
                self.wrong.append("a page that is not whole")


def test_readers_meet_no_failed_answer_during_50_publications_and_rollbacks(
    tmp_path: Path, dest: Path, publish: Publish
) -> None:
    for text in ("one ", "two ", "three "):
        make_build(tmp_path / text.strip() / "small", text=text * 5_000)
    assert publish("--builds", str(tmp_path / "one")) == 0
    stop = threading.Event()
    readers = [Reader(dest, stop) for _ in range(2)]
    for reader in readers:
        reader.start()
    try:
        for turn in range(50):
            if turn % 5 == 4:
                assert publish("--rollback") in (0, 2)  # the oldest has none before
            else:
                builds = str(tmp_path / ("two", "three", "one")[turn % 3])
                assert publish("--builds", builds, "--keep", "2") == 0
            assert not list((dest / ".publish").iterdir())
            check_whole((dest / "releases/small/current").resolve())
    finally:
        stop.set()
        for reader in readers:
            reader.join()
    assert [reader.wrong for reader in readers] == [[], []]
    assert all(reader.answers > 50 for reader in readers)
    check_destination(dest)


def test_a_release_that_was_damaged_while_one_waited_is_not_gone_back_to(
    tmp_path: Path, dest: Path, publish: Publish, monkeypatch, capsys: Said
) -> None:
    ids = publish_three(tmp_path, publish)
    check = publication.check_release

    def damaged(*given):
        check(*given)
        (dest / f"releases/small/{ids[1]}/index.html").write_text("")

    monkeypatch.setattr(publication, "check_release", damaged)
    assert publish("--rollback") == 2
    assert "index.html" in capsys.readouterr().err
    assert os.readlink(dest / "releases/small/current") == ids[2]
